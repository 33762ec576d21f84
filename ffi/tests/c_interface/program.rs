//! The example in C: compiled, linked and run, where there is a compiler.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use pliant::{Body, Material, Method, Scene, Tool};

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

/// The compiler that the environment names, with its arguments, or `cc`; `None` where it does not answer.
fn compiler() -> Option<Command> {
    let named = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty());
    let named = named.unwrap_or_else(|| "cc".into());
    let command = || {
        let mut words = named.split_whitespace();
        let mut command = Command::new(words.next()?);
        command.args(words);
        Some(command)
    };
    let answer = command()?.arg("--version").output();
    answer.is_ok_and(|o| o.status.success()).then(command)?
}

/// The shared library that belongs to this test: beside it, or one folder up.
fn library() -> Option<PathBuf> {
    let name = format!(
        "{}pliant_ffi{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let test = std::env::current_exe().ok()?;
    let beside = test.parent()?;
    let places = [Some(beside), beside.parent()];
    places
        .into_iter()
        .flatten()
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

/// Says that nothing was tested, also where the output of tests is kept back.
fn left_out(why: &str) {
    let line = format!("left out: the example in C ({why})\n");
    // nobody has to read it
    let _ = std::io::stderr().write_all(line.as_bytes());
}

#[test]
fn the_example_in_c_feels_the_same_force() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(mut cc) = compiler() else {
        return left_out("no C compiler: neither $CC nor `cc` answers");
    };
    if cfg!(windows) {
        return left_out("its command line is that of Unix compilers");
    }
    let library = library().expect("the shared library, which is built with this test");
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("poke");
    let beside = library.parent().expect("a folder");
    cc.args(["-std=c99", "-Wall", "-Wextra", "-pedantic-errors", "-I"])
        .arg(here.join("include"))
        .arg(here.join("examples/poke.c"))
        .arg("-o")
        .arg(&program)
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", beside.display()));
    let compiled = cc.output().expect("the compiler answered before");
    let words = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{words}");
    assert!(!words.contains("warning"), "{words}");

    let run = Command::new(&program).output().expect("the program");
    let told = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{told}{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let line = told
        .lines()
        .find_map(|l| l.strip_prefix("the pad pushes the ball with "));
    let numbers = line.and_then(|l| l.strip_suffix(" N")).expect("the force");
    let numbers: Vec<f64> = numbers
        .split(' ')
        .map(|n| n.parse().expect("a number"))
        .collect();
    let wanted = force().expect("a world");
    assert_eq!(numbers, wanted);
    assert!(wanted[1] > 0.1, "{wanted:?} N");
    assert!(
        told.contains("as expected: the scene has no tool called `thumb`"),
        "{told}"
    );
    assert!(
        told.contains("a freed world: the world was freed"),
        "{told}"
    );
}
