//! STL and PLY, text and binary.

use super::{Packed, points, surface, triangles};

pub fn stl() -> Vec<Vec<u8>> {
    let surface = surface();
    let mut binary = Packed::new(&format!("{:80}", "solid that is binary"), false);
    binary.int(surface.triangles.len() as u32);
    let mut text = String::from("solid box\n");
    for t in 0..surface.triangles.len() {
        let corners = surface.corners(t);
        let loop_lines = points(&corners, "vertex ", "");
        text += &format!("facet normal 0 0 0\nouter loop\n{loop_lines}endloop\nendfacet\n");
        let numbers = [0.0; 3]
            .into_iter()
            .chain(corners.iter().flat_map(|p| [p.x, p.y, p.z]));
        numbers.for_each(|x| binary.float(x));
        binary.text("\0\0");
    }
    text += "endsolid box\n";
    vec![text.into_bytes(), binary.bytes]
}

pub fn ply() -> Vec<Vec<u8>> {
    let surface = surface();
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment a box\nelement vertex {}\nproperty double x\nproperty float y\nproperty float z\nproperty uchar red\nelement face {}\nproperty list uchar int vertex_indices\nproperty short flag\nend_header\n",
            surface.positions.len(),
            surface.triangles.len()
        )
    };
    let text =
        header("ascii") + &points(&surface.positions, "", " 9") + &triangles(&surface, "3 ", " 1");
    let mut files = vec![text.into_bytes()];
    for (name, big_endian) in [("binary_little_endian", false), ("binary_big_endian", true)] {
        let mut head = header(name);
        if big_endian {
            // the other spelling of the list, small numbers, and lines as on Windows
            head = head.replace("int vertex_indices", "ushort vertex_index");
            head = head.replace('\n', "\r\n");
        }
        let mut file = Packed::new(&head, big_endian);
        for p in &surface.positions {
            file.double(p.x);
            file.float(p.y);
            file.float(p.z);
            file.text("c");
        }
        for t in &surface.triangles {
            file.text("\x03");
            t.iter().for_each(|v| match big_endian {
                true => file.put((*v as u16).to_le_bytes()),
                false => file.int(*v),
            });
            file.put([1, 0]);
        }
        files.push(file.bytes);
    }
    files
}
