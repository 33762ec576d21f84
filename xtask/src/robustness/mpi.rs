//! Checks that several processes bake Green's functions to the same file as one process.

use std::path::Path;
use std::process::Command;

use crate::step::files::{read_bytes, read_folder};
use crate::step::{Outcome, cargo, fresh_folder, program, step};
use crate::tools::find;

/// Number of processes of a bake.
const PROCESSES: &str = "4";
/// Scene and generator of each bake. Each is baked by one and by four processes, with a leftover part of an earlier job.
const BAKES: [[&str; 2]; 3] = [
    ["poke", "fem"],
    ["poke", "bem-linear"],
    ["welcome", "bem-constant"],
];

/// Builds the program with MPI and compares the files of four processes with those of one. Left out, with a message, if this machine has no MPI.
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
        // an aborted job leaves the part of its second process
        let mut command = Command::new(program());
        bake(&mut command, &four, &["--part", "2/4"]);
        step("a part of a job that was ended", &mut command)?;
        let mut command = mpirun();
        bake(&mut command, &four, &["--mpi"]);
        step("four processes", &mut command)?;
        expect_same_bytes(&one, &four)?;
        let leftover = leftover_files(&four)?;
        if !leftover.is_empty() {
            return Err(format!("parts were left behind: {leftover:?}"));
        }
    }
    check_failure(&folder)
}

/// The `mpirun` command of the program. Open MPI has to be allowed to run as root and with more processes than cores.
fn mpirun() -> Command {
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
fn expect_same_bytes(one: &Path, other: &Path) -> Outcome {
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

/// Names of files next to `path` that start with its name and a dot.
fn leftover_files(path: &Path) -> Result<Vec<String>, String> {
    let name = path.file_name().unwrap_or_default();
    let prefix = format!("{}.", name.to_string_lossy());
    let mut names = read_folder(&path.with_file_name(""))?;
    names.retain(|name| name.starts_with(&prefix));
    Ok(names)
}

/// Bakes to a file that the first process cannot write. All processes have to end, and one has to report the reason.
fn check_failure(folder: &Path) -> Outcome {
    let out = folder.join("no-such-folder").join("poke.pgf");
    let mut command = mpirun();
    command
        .args(["gf", "poke", "--threads", "1", "--quiet", "--mpi", "--out"])
        .arg(out);
    println!("\n== a failure of all: {command:?}");
    let output = command
        .output()
        .map_err(|e| format!("mpirun cannot be started: {e}"))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let reasons = messages
        .lines()
        .filter(|l| l.starts_with("pliant:"))
        .count();
    if output.status.success() || reasons != 1 {
        return Err(format!(
            "one process should say why, {reasons} did:\n{messages}"
        ));
    }
    println!("== one process says why");
    Ok(())
}
