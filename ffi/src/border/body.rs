//! Bodies

use pliant::{Body, Material, SurfaceMesh, TetMesh, Vec3};

use super::memory::{Fixed, Out, Rows, Text};
use super::objects::{change, make};
use crate::checks;
use crate::guard::entry;
use crate::handles::{Handle, PliantBody};
use crate::status::PliantStatus;
use crate::values;

/// Makes a body of the solid that a closed surface bounds: vertex_count positions (x, y, z), m, and triangle_count triangles of three vertex numbers from 0, counter-clockwise from
/// outside. The buffers are copied. What is no solid is mended, or refused when the scene is built.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_from_triangles(
    name: Text,
    positions: Rows<f32, 3>,
    vertex_count: usize,
    triangles: Rows<u32, 3>,
    triangle_count: usize,
    body: Out<PliantBody>,
) -> PliantStatus {
    make(&body, "body", || {
        // SAFETY: the counts that stand beside the pointers
        let (positions, triangles) = unsafe {
            let positions = positions.read(vertex_count, "positions")?;
            (positions, triangles.read(triangle_count, "triangles")?)
        };
        checks::finite(positions, "positions")?;
        checks::vertices(triangles, positions.len(), "triangles")?;
        let name = name.read("name")?;
        Ok(Body::from_triangles(name, positions, triangles))
    })
}

/// The same with positions in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_from_triangles_f64(
    name: Text,
    positions: Rows<f64, 3>,
    vertex_count: usize,
    triangles: Rows<u32, 3>,
    triangle_count: usize,
    body: Out<PliantBody>,
) -> PliantStatus {
    make(&body, "body", || {
        // SAFETY: the counts that stand beside the pointers
        let (positions, triangles) = unsafe {
            let positions = positions.read(vertex_count, "positions")?;
            (positions, triangles.read(triangle_count, "triangles")?)
        };
        checks::finite(positions, "positions")?;
        checks::vertices(triangles, positions.len(), "triangles")?;
        let positions = positions.iter().map(|&x| Vec3::from(x)).collect();
        let surface = SurfaceMesh::new(positions, triangles.to_vec());
        Ok(Body::from_surface(name.read("name")?, surface))
    })
}

/// Makes a body of tetrahedra of a mesher of your own: node_count nodes (x, y, z), m, and tetrahedron_count tetrahedra of four node numbers from 0, each with positive volume. Their
/// boundary is the skin, cut finer where it is coarse. The buffers are copied.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_from_tetrahedra(
    name: Text,
    nodes: Rows<f64, 3>,
    node_count: usize,
    tetrahedra: Rows<u32, 4>,
    tetrahedron_count: usize,
    body: Out<PliantBody>,
) -> PliantStatus {
    make(&body, "body", || {
        // SAFETY: the counts that stand beside the pointers
        let (nodes, tets) = unsafe {
            let nodes = nodes.read(node_count, "nodes")?;
            (nodes, tetrahedra.read(tetrahedron_count, "tetrahedra")?)
        };
        checks::finite(nodes, "nodes")?;
        checks::vertices(tets, nodes.len(), "tetrahedra")?;
        let tets = TetMesh {
            nodes: nodes.iter().map(|&x| Vec3::from(x)).collect(),
            tets: tets.to_vec(),
        };
        Ok(Body::from_tets(name.read("name")?, tets))
    })
}

/// Makes a body of the solid in a mesh file: OBJ, STL, PLY, OFF, glTF, Gmsh, VTK, TetGen, Medit, Abaqus. Coordinates are metres with y up, unless pliant_body_set says otherwise ("mesh.units",
/// "mesh.up", "mesh.longest"). The file is read when the scene is built.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_from_file(path: Text, body: Out<PliantBody>) -> PliantStatus {
    make(&body, "body", || Ok(Body::from_file(path.read("path")?)))
}

/// Makes a body of Pliant's own: "sphere", "torus", "kidney", "liver", "penguin", "rabbit" and more. Its name is that of the shape.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_procedural(shape: Text, body: Out<PliantBody>) -> PliantStatus {
    make(&body, "body", || Ok(Body::procedural(shape.read("shape")?)))
}

/// Makes a box around the origin with these sides along x, y and z, m, in cells of about edge metres.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_box(
    name: Text,
    sides: Fixed<f64, 3>,
    edge: f64,
    body: Out<PliantBody>,
) -> PliantStatus {
    make(&body, "body", || {
        let sides = sides.read("sides")?;
        let edge = checks::number(edge, "edge")?;
        Ok(Body::cuboid(sides, edge).rename(name.read("name")?))
    })
}

/// What it is made of: Young's modulus, Pa; Poisson's ratio; density, kg/m3; damping ratio of the lowest elastic mode. Soft tissue of 20 kPa if nothing is said. Numbers out of range are
/// refused when the scene is built.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_set_material(
    body: PliantBody,
    young: f64,
    poisson: f64,
    density: f64,
    damping_ratio: f64,
) -> PliantStatus {
    change(body, |body: Body| {
        let named = [
            (young, "young"),
            (poisson, "poisson"),
            (density, "density"),
            (damping_ratio, "damping_ratio"),
        ];
        for (number, name) in named {
            checks::number(number, name)?;
        }
        let material = Material::isotropic(young, poisson)
            .with_density(density)
            .with_damping_ratio(damping_ratio);
        Ok(body.material(material))
    })
}

/// Scales it so that its longest side has this length, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_set_longest(body: PliantBody, length: f64) -> PliantStatus {
    change(body, |body: Body| {
        Ok(body.longest(checks::number(length, "length")?))
    })
}

/// Puts it onto y = 0.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_set_on_floor(body: PliantBody) -> PliantStatus {
    change(body, |body: Body| Ok(body.on_floor()))
}

/// Sets any key of a body in a scene file, with dots between tables; the value is written as there: "lattice.cells_longest" and "16", "mesh.units" and "\"mm\"". docs/scenes.md has all
/// keys. One that does not exist is refused when the scene is built.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_set(body: PliantBody, key: Text, value: Text) -> PliantStatus {
    change(body, |body: Body| {
        let key = key.read("key")?;
        Ok(body.set(key, values::value(value.read("value")?, key)?))
    })
}

/// Frees a body. Scenes to which it was added keep their copy. A null handle frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_free(body: PliantBody) -> PliantStatus {
    entry(|| body.free())
}
