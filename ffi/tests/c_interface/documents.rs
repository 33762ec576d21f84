//! Programs in C of the documents: a whole one is compiled and run, a part of one is compiled within a function.

use std::path::Path;
use std::process::Command;

use super::compiler::compile;

/// Text of a document of the repository.
fn document(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    std::fs::read_to_string(file).expect("a document")
}

/// The blocks of a document that are in a language.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("\n```{language}\n");
    let rests = document.split(begin.as_str()).skip(1);
    let blocks = rests.filter_map(|rest| rest.split("\n```").next());
    blocks.collect()
}

#[test]
fn the_program_of_the_first_ten_minutes_feels_the_scene_of_that_page() {
    let page = document("docs/book/first-ten-minutes.md");
    let [source] = blocks(&page, "c")[..] else {
        panic!("one program in C is on the page");
    };
    let scenes = blocks(&page, "toml");
    let scene = scenes.iter().find(|text| text.starts_with("# exam.toml"));
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    std::fs::write(at.join("exam.toml"), scene.expect("the scene")).expect("written");
    std::fs::write(at.join("poke.c"), source).expect("written");
    let program = at.join("poke");
    if !compile("the program of the book", &at.join("poke.c"), &program) {
        return;
    }
    let mut command = Command::new(&program);
    // the cache of whoever runs the test has no part in it
    command
        .current_dir(at)
        .env("PLIANT_CACHE", at.join("cache"));
    let run = command.output().expect("the program");
    let output = String::from_utf8_lossy(&run.stdout);
    let failed = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{output}{failed}");
    let force = output.trim().strip_suffix(" N push the finger up");
    let force: f64 = force.and_then(|n| n.parse().ok()).expect("a force");
    assert!(force > 0.01, "{force} N");
}

#[test]
fn the_part_of_a_program_on_the_front_page_compiles() {
    let page = document("ffi/README.md");
    let parts = blocks(&page, "c");
    assert!(!parts.is_empty(), "no program in C");
    for part in parts {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("part.c");
        let text = format!(
            "#include <stdio.h>\n#include \"pliant.h\"\nint main(void)\n{{\n{part}\nreturn 0;\n}}\n"
        );
        std::fs::write(&source, text).expect("written");
        if !compile(
            "the part of a program",
            &source,
            &folder.path().join("part"),
        ) {
            return;
        }
    }
}

#[test]
fn blocks_are_those_of_their_language() {
    let document = "a\n\n```c\nint x;\n```\n\n```cpp\nint y;\n```\n```c\nint z;\n\nint w;\n```\n";
    assert_eq!(blocks(document, "c"), ["int x;", "int z;\n\nint w;"]);
    assert_eq!(blocks(document, "cpp"), ["int y;"]);
}
