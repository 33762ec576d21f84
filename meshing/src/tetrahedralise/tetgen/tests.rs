use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::mesher::{TetGenProcess, VOLUME_OF_NODE, edge_for_nodes};
use super::process::TemporaryFolder;
use crate::error::MeshingError;
use crate::test_bodies::cancelled;
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};

fn block() -> SurfaceMesh {
    box_surface(Vec3::new(0.2, 0.1, 0.1), [2, 1, 1], CellStyle::Kuhn)
}

const TARGET: TetTarget = TetTarget::Edge(0.1);

/// Runs a program that does not exist.
fn run(surface: &SurfaceMesh, target: TetTarget) -> Result<TetMesh, MeshingError> {
    let mesher = TetGenProcess {
        program: PathBuf::from("/nowhere/at/all/tetgen"),
        time_limit: Duration::from_secs(1),
    };
    mesher.tetrahedralise(surface, target, &Progress::new())
}

#[test]
fn a_missing_program_is_named() {
    match run(&block(), TARGET) {
        Err(MeshingError::TetGenUnavailable { reason }) => {
            assert!(reason.contains("/nowhere/at/all/tetgen"))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn impossible_requests_are_refused_before_anything_runs() {
    for target in [
        TetTarget::Edge(0.0),
        TetTarget::Edge(f64::NAN),
        TetTarget::Nodes(0),
    ] {
        let result = run(&block(), target);
        assert!(matches!(result, Err(MeshingError::BadSize { .. })));
    }
    let mut flipped = block();
    flipped.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(run(&flipped, TARGET), Err(MeshingError::NoVolume));
    flipped.triangles.clear();
    assert_eq!(run(&flipped, TARGET), Err(MeshingError::EmptyMesh));
}

#[test]
fn the_guess_of_an_edge_length_falls_with_the_number_of_nodes() {
    let edges = [10.0, 100.0, 1e4, 1e6].map(|n| edge_for_nodes(1.0, 6.0, n));
    assert!(edges.windows(2).all(|w| w[0] > w[1]));
    // far from the surface a node takes its share of the volume
    assert!((edges[3].powi(3) * VOLUME_OF_NODE * 1e6 - 1.0).abs() < 0.1);
}

/// A stand-in for the program: a shell script in a folder of its own.
#[cfg(unix)]
struct FakeTetGen {
    folder: TemporaryFolder,
}

#[cfg(unix)]
impl FakeTetGen {
    fn new(script: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = TemporaryFolder::new().expect("a folder");
        let file = folder.file("tetgen");
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
        Self { folder }
    }

    fn run(&self, limit: Duration, progress: &Progress) -> Result<TetMesh, MeshingError> {
        let mesher = TetGenProcess {
            program: self.folder.file("tetgen"),
            time_limit: limit,
        };
        // a file just written may still be open in a child that another test starts: then the system is busy, so try again
        for _ in 0..100 {
            match mesher.tetrahedralise(&block(), TARGET, progress) {
                Err(MeshingError::TetGenUnavailable { reason }) if reason.contains("busy") => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                result => return result,
            }
        }
        Err(MeshingError::EmptyMesh)
    }
}

#[cfg(unix)]
#[test]
fn a_hanging_program_is_killed_in_time_and_when_cancelled() {
    let fake = FakeTetGen::new("exec sleep 60");
    let start = Instant::now();
    match fake.run(Duration::from_millis(200), &Progress::new()) {
        Err(MeshingError::TetGenFailed { reason }) => {
            assert!(reason.contains("stopped after 0.2 s"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    let result = fake.run(Duration::from_secs(60), &cancelled());
    assert_eq!(result, Err(MeshingError::Cancelled(Cancelled)));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn output_is_checked_whatever_the_exit_code() {
    // the block has eight corners and four more in the middle; a few of the many ways to be wrong
    let tet = "printf '4 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n' > body.1.node";
    for (script, words) in [
        ("exit 0", "no result in body.1.node"),
        ("echo bad facet; exit 3", "last words: bad facet"),
        ("kill -11 $$", "signal"),
        (
            "echo garbage > body.1.node; echo garbage > body.1.ele",
            "body.1.node: line 1: `garbage` instead of the number of nodes",
        ),
        (
            &format!("{tet}; printf '1 4 0\\n0 0 1 2 3\\n' > body.1.ele"),
            "fill",
        ),
        (
            &format!("{tet}; printf '2 4 0\\n0 0 1 2 3\\n1 0 1 2 3\\n' > body.1.ele"),
            "overlap",
        ),
        (
            &format!("{tet}; printf '0 4 0\\n' > body.1.ele"),
            "no volume",
        ),
    ] {
        match FakeTetGen::new(script).run(Duration::from_secs(20), &Progress::new()) {
            Err(MeshingError::TetGenFailed { reason }) => {
                assert!(reason.contains(words), "{script}: {reason}")
            }
            other => panic!("{script}: {other:?}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_right_answer_is_taken_and_the_folder_is_removed() {
    let tets = pliant_core::mesh::procedural::box_tets(
        Vec3::new(0.2, 0.1, 0.1),
        [2, 1, 1],
        CellStyle::Kuhn,
    );
    let nodes: String = (tets.nodes.iter().enumerate())
        .map(|(v, p)| format!("{v} {} {} {}\n", p.x, p.y, p.z))
        .collect();
    let rows: String = (tets.tets.iter().enumerate())
        .map(|(t, [a, b, c, d])| format!("{t} {a} {b} {c} {d}\n"))
        .collect();
    let script = format!(
        "pwd > \"$(dirname \"$0\")/place\"\ncat > body.1.node << END\n{} 3 0 0\n{nodes}END\ncat > body.1.ele << END\n{} 4 0\n{rows}END",
        tets.nodes.len(),
        tets.tets.len()
    );
    let fake = FakeTetGen::new(&script);
    let mesh = fake
        .run(Duration::from_secs(20), &Progress::new())
        .expect("the block");
    assert_eq!(mesh, tets);
    let place = fs::read_to_string(fake.folder.file("place")).expect("its folder");
    assert!(!PathBuf::from(place.trim()).exists());
}
