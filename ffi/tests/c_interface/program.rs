//! The example in C: compiled, linked and run, where there is a compiler.

use std::path::Path;
use std::process::Command;

use pliant::{Body, Material, Method, Scene, Tool};

use super::compiler::compile;

/// Corners and triangles of the example.
const CORNERS: [[f32; 3]; 8] = [
    [-0.1, 0.0, -0.1],
    [0.1, 0.0, -0.1],
    [0.1, 0.0, 0.1],
    [-0.1, 0.0, 0.1],
    [-0.1, 0.1, -0.1],
    [0.1, 0.1, -0.1],
    [0.1, 0.1, 0.1],
    [-0.1, 0.1, 0.1],
];
const FACES: [[u32; 3]; 12] = [
    [0, 1, 2],
    [0, 2, 3],
    [4, 6, 5],
    [4, 7, 6],
    [0, 4, 5],
    [0, 5, 1],
    [1, 5, 6],
    [1, 6, 2],
    [2, 6, 7],
    [2, 7, 3],
    [3, 7, 4],
    [3, 4, 0],
];

/// What the example does, in Rust.
fn force() -> pliant::Result<[f64; 3]> {
    let (mut positions, mut triangles) = (CORNERS.to_vec(), FACES.to_vec());
    for _ in 0..3 {
        refine(&mut positions, &mut triangles);
    }
    let material = Material::isotropic(2e4, 0.3)
        .with_density(1000.0)
        .with_damping_ratio(0.1);
    let pad = Body::from_triangles("pad", &positions, &triangles);
    let scene = Scene::new("poke")
        .body(
            pad.material(material)
                .hold_lowest(0.1)
                .set("lattice.cells_longest", 8),
        )
        .tool(Tool::sphere("ball", 0.05, [0.0, 0.16, 0.0]))
        .gravity([0.0; 3]);
    let mut world = scene.build(Method::Lattice)?;
    for frame in 1..=30 {
        world.move_tool("ball", [0.0, 0.15 - 0.01 * f64::from(frame) / 30.0, 0.0])?;
        world.step()?;
    }
    Ok(world.tool_force("ball")?.into())
}

fn refine(positions: &mut Vec<[f32; 3]>, triangles: &mut Vec<[u32; 3]>) {
    for t in 0..triangles.len() {
        let corner = triangles[t];
        let middle = [0, 1, 2].map(|k| {
            let (a, b) = (
                positions[corner[k] as usize],
                positions[corner[(k + 1) % 3] as usize],
            );
            let m = [0, 1, 2].map(|i| 0.5 * (a[i] + b[i]));
            let found = positions.iter().position(|x| *x == m).unwrap_or_else(|| {
                positions.push(m);
                positions.len() - 1
            });
            found as u32
        });
        triangles.extend([0, 1, 2].map(|k| [corner[k], middle[k], middle[(k + 2) % 3]]));
        triangles[t] = middle;
    }
}

#[test]
fn the_example_in_c_feels_the_same_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("poke");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/poke.c");
    if !compile("the example in C", &source, &program) {
        return;
    }
    let run = Command::new(&program).output().expect("the program");
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{output}{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let line = output
        .lines()
        .find_map(|l| l.strip_prefix("the pad pushes the ball with "));
    let numbers = line.and_then(|l| l.strip_suffix(" N")).expect("the force");
    let numbers: Vec<f64> = numbers
        .split(' ')
        .map(|n| n.parse().expect("a number"))
        .collect();
    let expected = force().expect("a world");
    assert_eq!(numbers, expected);
    assert!(expected[1] > 0.1, "{expected:?} N");
    assert!(
        output.contains("as expected: the scene has no tool called `thumb`"),
        "{output}"
    );
    assert!(
        output.contains("a freed world: the world was freed"),
        "{output}"
    );
}
