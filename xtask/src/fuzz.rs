//! `cargo xtask fuzz`: the readers on damaged files for as long as one likes. The programs are tests of the crates `meshing`, `simulation` and `compression`, so that this one stays small.

use crate::step::{Outcome, cargo, step};

/// Seconds a reader where nobody says.
const SECONDS: u64 = 60;

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Name of one reader; all of them where there is none.
    pub reader: Option<String>,
    /// Processor time for each reader, s.
    pub seconds: u64,
    /// Another seed gives other damages.
    pub seed: u64,
}

impl Options {
    /// From the words after `fuzz`.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Self {
            reader: None,
            seconds: SECONDS,
            seed: 1,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (word.as_str(), None),
            };
            let mut number = || {
                let value = value.clone().or_else(|| words.next().cloned());
                let value = value.and_then(|v| v.parse().ok());
                value.ok_or_else(|| format!("`{name}` needs a whole number"))
            };
            match name {
                "--seconds" => options.seconds = number()?,
                "--seed" => options.seed = number()?,
                _ if name.starts_with('-') || options.reader.is_some() => {
                    return Err(format!(
                        "`cargo xtask fuzz` does not understand `{word}`: it takes the name of a reader, --seconds N and --seed N"
                    ));
                }
                _ => options.reader = Some(name.to_string()),
            }
        }
        Ok(options)
    }
}

/// The reader of streams of compressed Green's functions, which is not one of meshes.
const STREAM: &str = "pgf";
const MESHES: &str = "test --release -p pliant-meshing --test fuzz -- --exact no_reader_breaks_on_damaged_files --nocapture";
const STREAMS: &str = "test --release -p pliant-compression --lib -- --exact stream::tests::damage::damage_behind_right_checksums_does_no_harm --nocapture";

/// The reader of scenes.
const SCENE: &str = "scene";
const SCENES: &str = "test --release -p pliant-simulation --test damaged_scenes -- --exact no_damaged_scene_breaks_the_reader --nocapture";

/// Runs the fuzzers; a mesh file that breaks a reader is kept, made as short as possible, and named.
pub fn run(options: &Options) -> Outcome {
    let reader = options.reader.as_deref();
    let fuzz = |title, words| {
        let mut command = cargo(words);
        if let Some(reader) = reader {
            command.env("PLIANT_FUZZ_READER", reader);
        }
        command.env("PLIANT_FUZZ_SECONDS", options.seconds.to_string());
        command.env("PLIANT_FUZZ_SEED", options.seed.to_string());
        step(title, &mut command)
    };
    if reader.is_none_or(|reader| reader != STREAM && reader != SCENE) {
        fuzz("fuzzing readers of meshes", MESHES)?;
    }
    if reader.is_none_or(|reader| reader == SCENE) {
        fuzz("fuzzing scenes", SCENES)?;
    }
    if reader.is_none_or(|reader| reader == STREAM) {
        fuzz("fuzzing streams of Green's functions", STREAMS)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_or_refused() {
        let read = |line: &str| {
            Options::read(
                &line
                    .split_whitespace()
                    .map(String::from)
                    .collect::<Vec<_>>(),
            )
        };
        let all = read("").expect("all readers");
        assert_eq!((all.reader, all.seconds, all.seed), (None, SECONDS, 1));
        let one = read("vtu --seconds 5 --seed=7").expect("one reader");
        assert_eq!(
            (one.reader.as_deref(), one.seconds, one.seed),
            (Some("vtu"), 5, 7)
        );
        for bad in ["vtu off", "--fast", "--seconds", "--seconds soon"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
