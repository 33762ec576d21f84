//! Files and folders that vanish while the program uses them.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{baked, done, program, refused, small};
use small::folder;

/// Moments at which a file vanishes, in equal parts of the time that a command takes.
const MOMENTS: u32 = 2;

/// A cube of 0.1 m as an OBJ file, its faces in two triangles each.
const CUBE: &str = "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\nv 0 0 0.1\nv 0.1 0 0.1\nv 0.1 0.1 0.1\nv 0 0.1 0.1\nf 1 4 3\nf 1 3 2\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 1 5 8\nf 1 8 4\nf 2 3 7\nf 2 7 6\n";

/// Runs a command to its end, and again with a file taken away at each of the moments: that ends in a result, or in one line that names the file.
#[track_caller]
pub fn survives_without(at: &Path, words: &str, gone: &str, written: &dyn Fn()) {
    let words: Vec<&str> = words.split(' ').collect();
    let run = |moment: Option<Duration>| {
        written();
        let _ = fs::remove_dir_all(at.join("cache"));
        let mut command = program(at);
        command
            .args(&words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let child = command.spawn().expect("it starts");
        if let Some(moment) = moment {
            std::thread::sleep(moment);
            fs::remove_file(at.join(gone)).expect("it was there");
        }
        child.wait_with_output().expect("it ends")
    };
    let begun = Instant::now();
    let whole = run(None);
    let takes = begun.elapsed();
    let text = String::from_utf8_lossy(&whole.stderr);
    assert_eq!(whole.status.code(), Some(0), "{words:?}: {text}");
    for moment in 0..MOMENTS {
        let output = run(Some(takes * moment / MOMENTS));
        if output.status.code() != Some(0) {
            refused(&output, gone);
        }
    }
}

#[test]
fn a_cache_folder_that_vanishes_again_and_again_costs_nothing_but_time() {
    let at = &folder();
    for method in ["adaptive", "quasistatic", "lattice"] {
        let wanted = baked(at, method).0;
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    // it may not be there, or get a file meanwhile
                    let _ = fs::remove_dir_all(at.join("cache"));
                    std::thread::yield_now();
                }
            });
            for _ in 0..4 {
                let words = ["--json", "run", "small.toml", "--method", method];
                let output = program(at).args(words).output().expect("it starts");
                let text = String::from_utf8_lossy(&output.stderr).into_owned();
                let code = output.status.code();
                // a failed assertion here would leave the other thread running
                let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
                if code != Some(0) || value["metrics"]["surface_hash"] != wanted.as_str() {
                    is_done.store(true, Ordering::Relaxed);
                    panic!("{method}: {code:?} {text} {value:#}");
                }
            }
            is_done.store(true, Ordering::Relaxed);
        });
        assert_eq!(baked(at, method).0, wanted);
        assert_eq!(baked(at, method), (wanted, true), "{method} is kept again");
    }
}

#[test]
fn inputs_that_vanish_in_the_middle_end_in_a_result_or_in_one_line() {
    let at = &folder();
    let scene = small::SCENE.replace(
        "{ procedural = \"box\", size = [0.2, 0.1, 0.2], edge = 0.05 }",
        "{ file = \"cube.obj\" }",
    );
    assert!(scene.contains("cube.obj"));
    let written = || {
        fs::write(at.join("cube.obj"), CUBE).expect("written");
        fs::write(at.join("cube.toml"), &scene).expect("written");
    };
    written();
    let record = "run cube.toml --method lattice --record kept.plrec";
    done(at, record);
    let recording = fs::read(at.join("kept.plrec")).expect("a recording");
    let commands = [
        ("run cube.toml --method lattice", "cube.toml"),
        ("mesh cube.obj --nodes 60,200 --out meshes", "cube.obj"),
        ("export kept.plrec --to vtk,obj --out files", "kept.plrec"),
        ("replay kept.plrec", "kept.plrec"),
    ];
    for (words, gone) in commands {
        survives_without(at, words, gone, &|| {
            written();
            fs::write(at.join("kept.plrec"), &recording).expect("written");
        });
    }
}
