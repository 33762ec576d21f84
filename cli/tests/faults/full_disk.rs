//! A disk that is full, or gets full: a command finishes, or says so in one line. What it leaves under its own name is whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::answer::answer;
use super::program::inside;
use super::{WORDS, baked, done, files, refused, small};
use small::folder;

/// A disk on which some of the small outputs have room and others have none, in blocks.
const SMALL: u32 = 2;
/// A disk on which everything has room, in blocks.
const LARGE: u32 = 1 << 20;

/// The program where no file may get longer than so many blocks: as on a full disk, but that the system has another word for it.
fn on_a_disk_of(blocks: u32, folder: &Path) -> Command {
    let mut command = inside(folder, "sh");
    let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command
        .args(["-c", limit.as_str(), env!("CARGO_BIN_EXE_pliant")])
        .args(WORDS);
    command
}

/// Runs a command on a disk of so many blocks and looks at the files that are new since `before`; whether it finished. What it does not finish it says in one line with the last word in it, the place.
#[track_caller]
fn finished(at: &Path, before: &[PathBuf], blocks: u32, words: &str) -> bool {
    let mut command = on_a_disk_of(blocks, at);
    let output = command.args(words.split(' ')).output().expect("it starts");
    let is_finished = output.status.code() == Some(0);
    if !is_finished {
        refused(&output, words.rsplit(' ').next().expect("a place"));
    }
    for path in files(at).iter().filter(|path| !before.contains(path)) {
        let inside = path.strip_prefix(at).expect("a file of this test");
        let name = inside.to_string_lossy();
        // columns that were finished are gone on with
        let is_journal = name.ends_with(".columns") || name.contains(".part-");
        // what was finished before the disk was full is kept in the folder that was asked for; the JSON of a failure is short
        let may_stay = is_finished
            || ["full", "cache", "out.json"]
                .iter()
                .any(|p| inside.starts_with(p));
        assert!(may_stay || is_journal, "{words} left {name}");
        let is_part = [".part", ".partial"].iter().any(|end| name.ends_with(end));
        // the limit of the shell counts blocks of 512 or 1024 bytes
        let limits = [512, 1024].map(|block| u64::from(blocks) * block);
        let is_half = limits.contains(&fs::metadata(path).expect("a file").len());
        assert!(
            is_journal || !(is_part || is_half),
            "{words} left half of {name}"
        );
    }
    is_finished
}

/// Removes what is new since `before`.
fn cleared(at: &Path, before: &[PathBuf]) {
    for path in files(at).iter().filter(|path| !before.contains(path)) {
        fs::remove_file(path).expect("removed");
    }
    // a command that has no folder did not make one
    let _ = fs::remove_dir(at.join("full"));
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing_half_written() {
    let at = &folder();
    done(at, "compare small.toml --no-pictures --record kept.plrec");
    done(at, "gf small.toml --out kept.pgf");
    fs::remove_dir_all(at.join("pliant-out")).expect("removed");
    let before = files(at);
    let commands = [
        "compare small.toml --out full",
        "compare small.toml --no-pictures --out full",
        "run small.toml --method lattice --record run.plrec",
        "--json=out.json compare small.toml --out full",
        "export kept.plrec --to vtk,gltf,usd,obj,csv --out full",
        "mesh kidney --nodes 60,200 --out full",
        "remesh kidney --levels 1 --out full",
        "voxelise kidney --out voxels.vtu",
        "schema --out schema.json",
        "gf small.toml --out new.pgf",
        "gf small.toml --hierarchical 0.01 --out new.pgf",
        "gf small.toml --part 1/2 --out new.pgf",
        "rebase kept.pgf --hold tip=box:-1,0.049,-1,1,1,1 --out new.pgf",
        "run small.toml --method quasistatic --frames 200 --curves curves.csv",
        "servo small.toml --seconds 0.05 --trace trace.csv",
        "oscillate --model green --nodes 27 --uncalibrated --out full",
    ];
    for words in commands {
        let is_finished = finished(at, &before, SMALL, words);
        assert!(!is_finished, "{words} had room");
        cleared(at, &before);
    }
}

#[test]
fn a_disk_of_any_size_takes_a_whole_file_or_none() {
    let at = &folder();
    done(at, "gf small.toml --out kept.pgf");
    let before = files(at);
    let commands = [
        "rebase kept.pgf --hold tip=box:-1,0.049,-1,1,1,1 --out new.pgf",
        "oscillate --model green --nodes 27 --uncalibrated --out full",
        "run small.toml --method quasistatic --frames 200 --curves curves.csv",
        "servo small.toml --seconds 0.05 --trace trace.csv",
        "gf small.toml --out new.pgf",
    ];
    for words in commands {
        let sizes = [0, 1, 8, 64, LARGE].into_iter();
        let mut room = Vec::new();
        for blocks in sizes {
            room.push(finished(at, &before, blocks, words));
            cleared(at, &before);
        }
        assert!(room.is_sorted(), "{words}: {room:?}");
        assert_eq!((room[0], room[4]), (false, true), "{words}");
    }
}

#[test]
fn a_bake_goes_on_where_the_disk_was_full() {
    let at = &folder();
    done(at, "gf small.toml --out whole.pgf");
    let before = files(at);
    for blocks in [0, 1, 8, 64] {
        for part in ["--part 1/2", "--part 2/2"] {
            let words = format!("gf small.toml {part} --out new.pgf");
            finished(at, &before, blocks, &words);
            done(at, &words);
        }
        let words = "gf small.toml --merge 2 --out new.pgf";
        // the parts are read, and only the result is written
        finished(at, &files(at), blocks, words);
        done(at, words);
        let same = |name: &str| fs::read(at.join(name)).expect("a file");
        assert!(same("new.pgf") == same("whole.pgf"), "{blocks} blocks");
        cleared(at, &before);
        finished(at, &before, blocks, "gf small.toml --out new.pgf");
        done(at, "gf small.toml --out new.pgf");
        assert!(same("new.pgf") == same("whole.pgf"), "{blocks} blocks");
        assert!(
            !at.join("new.pgf.columns").exists(),
            "nothing is left to go on with"
        );
        cleared(at, &before);
    }
}

#[test]
fn a_cache_on_a_full_disk_is_the_same_as_none() {
    let at = &folder();
    for method in ["adaptive", "quasistatic", "lattice"] {
        let words = ["--json", "run", "small.toml", "--method", method];
        let output = on_a_disk_of(SMALL, at).args(words).output();
        let output = output.expect("it starts");
        let (code, value) = answer(&output);
        assert_eq!(code, 0, "{method}: {value}");
        let left: Vec<PathBuf> = files(&at.join("cache"));
        let halves = left
            .iter()
            .filter(|p| p.to_string_lossy().contains(".tmp-"));
        assert_eq!(halves.count(), 0, "{left:?}");
        assert_eq!(
            value["metrics"]["surface_hash"],
            baked(at, method).0.as_str(),
            "{method}"
        );
    }
}
