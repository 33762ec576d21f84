//! OBJ, OFF, TetGen, Medit and Abaqus.

use super::{body, points, surface, triangles};

pub fn obj() -> Vec<Vec<u8>> {
    let surface = surface();
    let mut text = String::from("# a box\nmtllib a.mtl\no box\n");
    text += &points(&surface.positions, "v ", "");
    let back = surface.positions.len() as i64;
    for (k, [a, b, c]) in surface.triangles.iter().enumerate() {
        text += &match k % 3 {
            0 => format!("f {} {} {}\n", a + 1, b + 1, c + 1),
            1 => format!("f {}/1/1 {}//2 \\\n {}/3\n", a + 1, b + 1, c + 1),
            _ => {
                let [a, b, c] = [a, b, c].map(|v| i64::from(*v) - back);
                format!("f {a} {b} {c}\n")
            }
        };
    }
    let polygons = "v 0 0 0\nv 2 0 0\nv 2 1 0.1\nv 1 1 0\nv 1 2 0\nv 0 2 0\ng l\nf 1 2 3 4 5 6\nf 6 5 4 3 2 1\nl 1 2 3\nvn 0 0 1\nf 1 2 4 1 5\n";
    vec![text.into_bytes(), polygons.into()]
}

pub fn off() -> Vec<Vec<u8>> {
    let surface = surface();
    let counts = format!(
        "{} {} 0\n",
        surface.positions.len(),
        surface.triangles.len()
    );
    let file = |head: &str, colour: &str, triangle_colour: &str| {
        let points = points(&surface.positions, "", colour);
        let triangles = triangles(&surface, "3 ", triangle_colour);
        format!("{head}{counts}{points}{triangles}").into_bytes()
    };
    vec![
        file("OFF\n# a box\n", "", ""),
        file("COFF ", " 255 0 0 255", " 3 7 7"),
    ]
}

/// Points and elements, or points and faces.
pub fn tetgen() -> Vec<Vec<u8>> {
    let body = body();
    let mut node = format!("{} 3 1 0\n", body.nodes.len());
    for (k, p) in body.nodes.iter().enumerate() {
        node += &format!("{} {} {} {} 7\n", k + 1, p.x, p.y, p.z);
    }
    let mut ele = format!("{} 4 0\n", body.tets.len());
    for (k, tet) in body.tets.iter().enumerate() {
        let [a, b, c, d] = tet.map(|v| v + 1);
        ele += &format!("{} {a} {b} {c} {d}\n", k + 1);
    }
    let face = "2 1\n1 1 2 3 -1\n2 2 4 3 -1\n";
    vec![
        format!("{node}\n%%e{ele}").into_bytes(),
        format!("{node}\n%%f{face}").into_bytes(),
    ]
}

pub fn medit() -> Vec<Vec<u8>> {
    let body = body();
    let mut text = format!(
        "MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n{}\n{}",
        body.nodes.len(),
        points(&body.nodes, "", " 0")
    );
    text += "Edges 1\n1 2 0\nTriangles 2\n1 2 3 0\n2 4 3 0\nQuadrilaterals 1\n1 2 4 3 1\nHexahedra 1\n1 2 4 3 5 6 8 7 0\n";
    let surface = format!("{text}End\n");
    text += &format!("Tetrahedra\n{}\n", body.tets.len());
    for tet in &body.tets {
        let [a, b, c, d] = tet.map(|v| v + 1);
        text += &format!("{a} {b} {c} {d} 1\n");
    }
    text += "End\n";
    vec![text.into_bytes(), surface.into_bytes()]
}

/// Flat, and as a part with an instance.
pub fn abaqus() -> Vec<Vec<u8>> {
    let body = body();
    let mut mesh = String::from("*Node, NSET=all\n");
    for (k, p) in body.nodes.iter().enumerate() {
        mesh += &format!("{}, {}, {}, {}\n", 10 * k + 10, p.x, p.y, p.z);
    }
    mesh +=
        "*Element, type=S3\n1, 10, 20, 30\n*Element, type=B31\n2, 10, 20\n*Element, type=C3D4\n";
    for (k, tet) in body.tets.iter().enumerate() {
        let [a, b, c, d] = tet.map(|v| 10 * v + 10);
        mesh += &format!("{}, {a}, {b}, {c},\n{d}\n", k + 3);
    }
    let flat = format!("*HEADING\n a box\n** flat\n{mesh}*STEP\n*END STEP\n");
    let part = format!(
        "*Part, name=A\n{mesh}*End Part\n*Assembly, name=B\n*Instance, name=A-1, part=A\n0., 0., 0.\n*End Instance\n*End Assembly\n"
    );
    vec![flat.into_bytes(), part.into_bytes()]
}
