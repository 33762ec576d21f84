//! Green's functions by several processes: the same file as by one.

use std::path::Path;
use std::process::Command;

use crate::step::files::{read_bytes, read_folder};
use crate::step::{Outcome, cargo, fresh_folder, program, step};
use crate::tools::find;

/// Processes that bake together.
const PROCESSES: &str = "4";
/// What is baked, and how. Each twice, and once after a part was left behind.
const BAKES: [[&str; 2]; 3] = [
    ["poke", "fem"],
    ["poke", "bem-linear"],
    ["welcome", "bem-constant"],
];

/// Builds the program with MPI and compares the files of four processes with those of one. Where this machine has no MPI it says so and does nothing.
pub fn run() -> Outcome {
    for tool in ["mpirun", "mpicc"] {
        if find(tool).is_none() {
            println!(
                "\n== left out: Green's functions by several processes (no `{tool}` on the search path; on Debian: openmpi-bin, libopenmpi-dev and libclang-dev)"
            );
            return Ok(());
        }
    }
    step(
        "lints with MPI",
        &mut cargo("clippy --release --workspace --bins --features pliant-cli/mpi -- -D warnings"),
    )?;
    step(
        "build with MPI",
        &mut cargo("build --release --workspace --bins --features pliant-cli/mpi"),
    )?;
    let folder = fresh_folder("mpi")?;
    for [scene, generator] in BAKES {
        let name = |by: &str| folder.join(format!("{scene}-{generator}-{by}.pgf"));
        let (one, four) = (name("one"), name("four"));
        let bake = |command: &mut Command, out: &Path, last: &[&str]| {
            command
                .args(["gf", scene, "--generator", generator, "--threads", "1"])
                .arg("--quiet")
                .arg("--out")
                .arg(out)
                .args(last);
        };
        let mut command = Command::new(program());
        bake(&mut command, &one, &[]);
        step("one process", &mut command)?;
        // what a job leaves that was ended: the part of its second process
        let mut command = Command::new(program());
        bake(&mut command, &four, &["--part", "2/4"]);
        step("a part of a job that was ended", &mut command)?;
        let mut command = together();
        bake(&mut command, &four, &["--mpi"]);
        step("four processes", &mut command)?;
        same(&one, &four)?;
        let left = rest_of(&four)?;
        if !left.is_empty() {
            return Err(format!("parts were left behind: {left:?}"));
        }
    }
    fails_together(&folder)
}

/// `mpirun` of the program; Open MPI wants to be told that it may run as root, and with more processes than cores.
fn together() -> Command {
    let mut command = Command::new("mpirun");
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
        .args(["-n", PROCESSES])
        .arg(program());
    command
}

/// An error unless both files have the same bytes.
fn same(one: &Path, other: &Path) -> Outcome {
    let (a, b) = (read_bytes(one)?, read_bytes(other)?);
    if a.is_empty() || a != b {
        return Err(format!(
            "{} differs from {}",
            other.display(),
            one.display()
        ));
    }
    println!("== the same {} bytes", a.len());
    Ok(())
}

/// Names of files beside `path` that go on where its name ends.
fn rest_of(path: &Path) -> Result<Vec<String>, String> {
    let name = path.file_name().unwrap_or_default();
    let begin = format!("{}.", name.to_string_lossy());
    let mut names = read_folder(&path.with_file_name(""))?;
    names.retain(|name| name.starts_with(&begin));
    Ok(names)
}

/// A file that the first process cannot write: all end, and one says why.
fn fails_together(folder: &Path) -> Outcome {
    let out = folder.join("no-such-folder").join("poke.pgf");
    let mut command = together();
    command
        .args(["gf", "poke", "--threads", "1", "--quiet", "--mpi", "--out"])
        .arg(out);
    println!("\n== a failure of all: {command:?}");
    let ended = command
        .output()
        .map_err(|e| format!("mpirun cannot be started: {e}"))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    let reasons = said.lines().filter(|l| l.starts_with("pliant:")).count();
    if ended.status.success() || reasons != 1 {
        return Err(format!(
            "one process should say why, {reasons} did:\n{said}"
        ));
    }
    println!("== one process says why");
    Ok(())
}
