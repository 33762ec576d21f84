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
    readers: &'static str,
    /// Where it is: arguments for cargo.
    place: &'static str,
    /// Its name.
    test: &'static str,
}

/// All of them.
const PROGRAMS: [Program; 7] = [
    Program {
        title: "fuzzing readers of meshes",
        readers: "obj stl ply off gltf gmsh vtk vtu tetgen medit abaqus",
        place: "pliant-meshing --test fuzz",
        test: "no_reader_breaks_on_damaged_files",
    },
    Program {
        title: "fuzzing scenes",
        readers: "scene",
        place: "pliant-simulation --test damaged_scenes",
        test: "no_damaged_scene_breaks_the_reader",
    },
    Program {
        title: "fuzzing streams of Green's functions",
        readers: "pgf",
        place: "pliant-compression --lib",
        test: "stream::tests::damage::damage_behind_right_checksums_does_no_harm",
    },
    Program {
        title: "fuzzing recordings",
        readers: "recording",
        place: "pliant-recording --lib",
        test: "damage_tests::damage_gives_an_error_or_a_whole_recording",
    },
    Program {
        title: "fuzzing assets, unfinished bakes, arrays, traces and packets",
        readers: "adaptive quasistatic lattice cache levels hierarchical npy attribute trace columns reference udp",
        place: "pliant-tests --test damaged",
        test: "no_reader_breaks_on_damaged_bytes",
    },
    Program {
        title: "fuzzing lists of vertices",
        readers: "vertices",
        place: "pliant-cli --bin pliant",
        test: "commands::greens::foreign_columns::tests::no_damaged_list_of_vertices_breaks_the_reader",
    },
    Program {
        title: "fuzzing settings of the window",
        readers: "recent theme",
        place: "pliant-viewer --test damaged",
        test: "no_damaged_setting_breaks_its_reader",
    },
];

/// The programs that fuzz the requested reader. An error names all readers.
fn select_programs(reader: Option<&str>) -> Result<Vec<&'static Program>, String> {
    let fits =
        |p: &&Program| reader.is_none_or(|reader| p.readers.split(' ').any(|name| name == reader));
    let programs: Vec<_> = PROGRAMS.iter().filter(fits).collect();
    match reader {
        Some(reader) if programs.is_empty() => {
            let names = PROGRAMS.map(|p| p.readers.replace(' ', ", ")).join(", ");
            Err(format!(
                "there is no reader `{reader}` to fuzz; there are {names}"
            ))
        }
        _ => Ok(programs),
    }
}

/// Runs the fuzzers. A file that breaks a reader is shortened as far as possible, stored and named.
pub fn run(options: &Options) -> Outcome {
    for program in select_programs(options.reader.as_deref())? {
        let Program { place, test, .. } = program;
        let mut command = cargo(&format!(
            "test --release -p {place} -- --exact {test} --nocapture"
        ));
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
            for reader in program.readers.split(' ') {
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
        let named = |files: &[&str]| -> String {
            let read = |file: &&str| std::fs::read_to_string(crate::step::root().join(file));
            let texts: Vec<String> = files.iter().map(|f| read(f).expect("a file")).collect();
            let lines = texts.iter().flat_map(|text| text.lines());
            let ends = lines.filter_map(|line| line.trim().strip_prefix("name: \""));
            let names: Vec<&str> = ends.filter_map(|end| end.strip_suffix("\",")).collect();
            names.join(" ")
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
