//! Stages of a bake in words for people who do not know how a method works.

/// Words for stages by their names. In place of those that end in a blank, the name goes on with the number of a level.
const WORDS: [(&str, &str); 22] = [
    ("this method", "the method"),
    ("voxelising", "cells that fill the body"),
    ("lattice particles", "cells that fill the body"),
    ("lattice supports", "what holds the cells"),
    ("lattice regions", "links between the cells"),
    ("lattice stiffness", "stiffness of the cells"),
    ("lattice frequency", "vibrations of the cells"),
    ("tetrahedra", "tetrahedra that fill the body"),
    ("tetrahedra, level ", "tetrahedra that fill the body"),
    ("tetrahedra by boundary nodes", "a surface of fewer nodes"),
    ("level ", "levels of detail"),
    ("parents of level ", "links between the levels"),
    ("local stiffness of level ", "stiffness of the levels"),
    ("modes of level ", "vibrations of the levels"),
    ("lowest mode", "slowest vibration"),
    ("assembling the stiffness", "equations of the body"),
    ("assembling the boundary elements", "equations of the body"),
    ("factorising the stiffness", "solver of the equations"),
    (
        "factorising the boundary elements",
        "solver of the equations",
    ),
    ("solving for the Green's functions", "response to forces"),
    ("solving for hats of level ", "response to forces"),
    ("finding blocks of low rank", "compressing"),
];

/// A stage in plain words, with the level and the number of levels where its name tells them. Names without words of their own are shown as they are, but for the prefix of stages of
/// the reference.
pub fn in_words(stage: &str) -> String {
    let stage = stage.strip_prefix("reference: ").unwrap_or(stage);
    if let Some((_, words)) = WORDS.iter().find(|(name, _)| *name == stage) {
        return (*words).to_string();
    }
    let of_level = WORDS
        .iter()
        .filter(|(name, _)| name.ends_with(' '))
        .find_map(|(name, words)| Some((words, stage.strip_prefix(*name)?)));
    match of_level {
        Some((words, level)) => format!("{words}, {level}"),
        None => stage.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{WORDS, in_words};

    /// The names stand where the stages begin, in the crates beside this one.
    #[test]
    fn all_stages_with_words_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let crates = root.read_dir().expect("a folder of crates").flatten();
        let others = crates.filter(|folder| folder.file_name() != "viewer");
        let mut open: Vec<_> = others.map(|folder| folder.path().join("src")).collect();
        let mut sources = String::new();
        while let Some(path) = open.pop() {
            if path.extension().is_some_and(|end| end == "rs") {
                sources += &std::fs::read_to_string(path).expect("a source");
            } else if let Ok(entries) = path.read_dir() {
                open.extend(entries.flatten().map(|entry| entry.path()));
            }
        }
        for (name, _) in WORDS {
            let end = if name.ends_with(' ') { '{' } else { '"' };
            assert!(sources.contains(&format!("\"{name}{end}")), "{name}");
        }
    }

    #[test]
    fn stages_say_what_is_prepared_and_how_many_levels_are_done() {
        for (stage, words) in [
            (
                "local stiffness of level 3 of 5",
                "stiffness of the levels, 3 of 5",
            ),
            ("level 1 of 5", "levels of detail, 1 of 5"),
            (
                "tetrahedra, level 2 of 4",
                "tetrahedra that fill the body, 2 of 4",
            ),
            ("tetrahedra", "tetrahedra that fill the body"),
            ("lowest mode", "slowest vibration"),
            ("reference: 12,022 nodes", "12,022 nodes"),
            // nothing better is known
            ("simulating", "simulating"),
            ("", ""),
        ] {
            assert_eq!(in_words(stage), words);
        }
    }
}
