//! `cargo xtask fuzz`: feeds damaged files to the readers for a given time. The fuzzers are tests of the crates with the readers, so that this crate stays small; `pliant-fuzzing` damages
//! the bytes and measures the time.

use crate::step::{Outcome, cargo, step};

/// What to run.
#[derive(clap::Args)]
pub struct Options {
    /// Name of one reader; all without it
    reader: Option<String>,
    /// Processor time for each reader, s
    #[arg(long, value_name = "N", default_value = "60")]
    seconds: u64,
    /// Seed of the random damage
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

/// A test of a crate that fuzzes readers.
struct Program {
    title: &'static str,
    /// Names of its readers.
    readers: &'static [&'static str],
    /// Arguments for cargo.
    arguments: &'static str,
}

/// All of them.
const PROGRAMS: [Program; 7] = [
    Program {
        title: "fuzzing readers of meshes",
        readers: &[
            "obj", "stl", "ply", "off", "gltf", "gmsh", "vtk", "vtu", "tetgen", "medit", "abaqus",
        ],
        arguments: "test --release -p pliant-meshing --test fuzz -- --exact no_reader_breaks_on_damaged_files --nocapture",
    },
    Program {
        title: "fuzzing scenes",
        readers: &["scene"],
        arguments: "test --release -p pliant-simulation --test damaged_scenes -- --exact no_damaged_scene_breaks_the_reader --nocapture",
    },
    Program {
        title: "fuzzing streams of Green's functions",
        readers: &["pgf"],
        arguments: "test --release -p pliant-compression --lib -- --exact stream::tests::damage::damage_behind_right_checksums_does_no_harm --nocapture",
    },
    Program {
        title: "fuzzing recordings",
        readers: &["recording"],
        arguments: "test --release -p pliant-recording --lib -- --exact damage_tests::damage_gives_an_error_or_a_whole_recording --nocapture",
    },
    Program {
        title: "fuzzing assets, unfinished bakes, arrays, traces and packets",
        readers: &[
            "adaptive",
            "quasistatic",
            "lattice",
            "cache",
            "levels",
            "hierarchical",
            "npy",
            "attribute",
            "trace",
            "columns",
            "reference",
            "udp",
        ],
        arguments: "test --release -p pliant-tests --test damaged -- --exact no_reader_breaks_on_damaged_bytes --nocapture",
    },
    Program {
        title: "fuzzing lists of vertices",
        readers: &["vertices"],
        arguments: "test --release -p pliant-cli --bin pliant -- --exact commands::greens::foreign_columns::tests::no_damaged_list_of_vertices_breaks_the_reader --nocapture",
    },
    Program {
        title: "fuzzing settings of the window",
        readers: &["recent", "theme"],
        arguments: "test --release -p pliant-viewer --test damaged -- --exact no_damaged_setting_breaks_its_reader --nocapture",
    },
];

/// The programs that fuzz the requested reader. An error names all readers.
fn select_programs(reader: Option<&str>) -> Result<Vec<&'static Program>, String> {
    let fits = |p: &&Program| reader.is_none_or(|reader| p.readers.contains(&reader));
    let programs: Vec<_> = PROGRAMS.iter().filter(fits).collect();
    match reader {
        Some(reader) if programs.is_empty() => {
            let names: Vec<&str> = PROGRAMS.iter().flat_map(|p| p.readers).copied().collect();
            Err(format!(
                "there is no reader `{reader}` to fuzz; there are {}",
                names.join(", ")
            ))
        }
        _ => Ok(programs),
    }
}

/// Runs the fuzzers. A file that breaks a reader is shortened as far as possible, stored and named.
pub fn run(options: &Options) -> Outcome {
    for program in select_programs(options.reader.as_deref())? {
        let mut command = cargo(program.arguments);
        if let Some(reader) = &options.reader {
            command.env("PLIANT_FUZZ_READER", reader);
        }
        command.env("PLIANT_FUZZ_SECONDS", options.seconds.to_string());
        command.env("PLIANT_FUZZ_SEED", options.seed.to_string());
        step(program.title, &mut command)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reader_has_one_program_and_the_error_for_a_wrong_name_lists_all() {
        let all = select_programs(None).expect("all");
        assert_eq!(all.len(), PROGRAMS.len());
        for program in &all {
            for reader in program.readers {
                let one = select_programs(Some(reader)).expect("one");
                assert_eq!(one.len(), 1, "{reader}");
                assert_eq!(one[0].title, program.title);
            }
        }
        let error = select_programs(Some("docx")).err().expect("none");
        for name in ["`docx`", "obj", "scene", "pgf", "recording", "columns"] {
            assert!(error.contains(name), "{error}");
        }
    }

    /// The names are the same as in the tests.
    #[test]
    fn names_are_those_of_the_tests() {
        let named = |files: &[&str]| -> Vec<String> {
            let texts = files.iter().map(|file| {
                std::fs::read_to_string(crate::step::root().join(file)).expect("a file")
            });
            let lines = texts.flat_map(|text| text.lines().map(str::to_string).collect::<Vec<_>>());
            let name = |line: String| {
                let name = line.trim().strip_prefix("name: \"")?.strip_suffix("\",")?;
                Some(name.to_string())
            };
            lines.filter_map(name).collect()
        };
        assert_eq!(
            named(&["meshing/tests/fuzz/readers.rs"]),
            PROGRAMS[0].readers
        );
        let names = ["assets", "arrays", "unfinished", "packets"];
        let files = names.map(|file| format!("tests/tests/damaged/{file}.rs"));
        let files = files.each_ref().map(String::as_str);
        assert_eq!(named(&files), PROGRAMS[4].readers);
        assert_eq!(named(&["viewer/tests/damaged.rs"]), PROGRAMS[6].readers);
    }
}
