//! Gmsh, every version as text and binary.

use super::{Packed, body};

pub fn all() -> Vec<Vec<u8>> {
    let mut files = vec![text("2.2"), text("4"), text("4.1")];
    for version in ["2.2", "4", "4.1"] {
        files.push(binary(version, false));
        files.push(binary(version, true));
    }
    files
}

fn text(version: &str) -> Vec<u8> {
    let body = body();
    let (nodes, tets) = (body.nodes.len(), body.tets.len());
    let coordinates = |k: usize| {
        let p = body.nodes[k];
        format!("{} {} {}\n", p.x, p.y, p.z)
    };
    let tags = |k: usize| body.tets[k].map(|v| format!(" {}", v + 1)).concat();
    let mut text = format!(
        "$MeshFormat\n{version} 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a\"\n$EndPhysicalNames\n$Nodes\n"
    );
    match version {
        "2.2" => text += &format!("{nodes}\n"),
        "4" => text += &format!("1 {nodes}\n1 3 0 {nodes}\n"),
        _ => {
            text += &format!("1 {nodes} 1 {nodes}\n3 1 0 {nodes}\n");
            (1..=nodes).for_each(|k| text += &format!("{k}\n"));
        }
    }
    for k in 0..nodes {
        let tag = if version == "4.1" {
            String::new()
        } else {
            format!("{} ", k + 1)
        };
        text += &(tag + &coordinates(k));
    }
    text += "$EndNodes\n$Elements\n";
    match version {
        "2.2" => text += &format!("{}\n1 2 2 0 1 1 2 3\n2 5 0 1 2 4 3 5 6 8 7\n", tets + 2),
        "4" => text += &format!("1 {tets}\n1 3 4 {tets}\n"),
        _ => {
            text += &format!(
                "2 {} 1 {}\n2 1 2 1\n1 1 2 3\n3 1 4 {tets}\n",
                tets + 1,
                tets + 1
            )
        }
    }
    for k in 0..tets {
        let kind = if version == "2.2" { " 4 1 7" } else { "" };
        text += &format!("{}{kind}{}\n", k + 3, tags(k));
    }
    (text + "$EndElements\n").into_bytes()
}

/// The tag of node `k` in a binary file.
fn tag(k: u32) -> u32 {
    k + 10
}

/// A triangle and the tetrahedra. Tags of nodes do not begin with 1.
pub fn binary(version: &str, big_endian: bool) -> Vec<u8> {
    let body = body();
    let (nodes, tets) = (body.nodes.len(), body.tets.len());
    let wide = version == "4.1";
    let mut file = Packed::new(&format!("$MeshFormat\n{version} 1 8\n"), big_endian);
    file.int(1);
    // a section that is passed over, with bytes that are no text
    file.bytes
        .extend(b"\n$EndMeshFormat\n$Entities\n\x00$E\n\xff$EndEntities\n$Nodes\n");
    let longs =
        |file: &mut Packed, values: &[usize]| values.iter().for_each(|v| file.long(*v as u64));
    let ints = |file: &mut Packed, values: &[u32]| values.iter().for_each(|v| file.int(*v));
    let row = |file: &mut Packed, numbers: &[u32]| {
        for &n in numbers {
            if wide {
                file.long(u64::from(n));
            } else {
                file.int(n);
            }
        }
    };
    if version == "2.2" {
        file.text(&format!("{nodes}\n"));
    } else {
        let last = nodes as u32 - 1;
        longs(&mut file, &[1, nodes]);
        if wide {
            row(&mut file, &[tag(0), tag(last)]);
        }
        ints(&mut file, &[3, 3, 0]);
        longs(&mut file, &[nodes]);
        if wide {
            (0..=last).for_each(|k| row(&mut file, &[tag(k)]));
        }
    }
    for (k, p) in (0..).zip(&body.nodes) {
        if !wide {
            file.int(tag(k));
        }
        [p.x, p.y, p.z].into_iter().for_each(|x| file.double(x));
    }
    file.text("\n$EndNodes\n$Elements\n");
    if version == "2.2" {
        file.text(&format!("{}\n", tets + 1));
        ints(&mut file, &[2, 1, 2, 1, 7, 7, tag(0), tag(1), tag(2)]);
        ints(&mut file, &[4, tets as u32, 1]);
    } else {
        longs(&mut file, &[2, tets + 1]);
        if wide {
            longs(&mut file, &[1, tets + 1]);
        }
        ints(&mut file, &[2, 2, 2]);
        longs(&mut file, &[1]);
        row(&mut file, &[1, tag(0), tag(1), tag(2)]);
        ints(&mut file, &[3, 3, 4]);
        longs(&mut file, &[tets]);
    }
    for (k, tet) in body.tets.iter().enumerate() {
        row(&mut file, &[k as u32 + 2]);
        if version == "2.2" {
            file.int(7);
        }
        row(&mut file, &tet.map(tag));
    }
    file.text("\n$EndElements\n");
    file.bytes
}
