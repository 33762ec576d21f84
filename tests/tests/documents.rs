//! The documents quote files correctly: scenes can be read, parts of programs occur in the program that they name, and commands of cargo exist. The crate `cli` tests command lines of
//! `pliant`; the bindings test programs in Python and C.

use std::path::{Path, PathBuf};

use pliant_simulation::scenes::LoadedScene;

/// A fenced block of a document.
struct Block {
    document: PathBuf,
    /// The text behind the opening fence.
    language: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of documents") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found.sort();
}

/// Every fenced block of the README and of `docs/`.
fn blocks() -> Vec<Block> {
    let mut files = vec![root().join("README.md")];
    documents(&root().join("docs"), &mut files);
    let mut blocks = Vec::new();
    for document in files {
        let text = std::fs::read_to_string(&document).expect("a document");
        let mut open: Option<Block> = None;
        for line in text.lines() {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(language)) => {
                    open = Some(Block {
                        document: document.clone(),
                        language: language.to_string(),
                        text: String::new(),
                    });
                }
                (None, None) => {}
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(block), None) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
            }
        }
        assert!(open.is_none(), "{} ends within a block", document.display());
    }
    blocks
}

#[test]
fn every_whole_scene_of_the_documents_is_read() {
    let is_scene = |b: &Block| b.language == "toml" && b.text.contains("schema = 1");
    let blocks = blocks();
    let scenes: Vec<&Block> = blocks.iter().filter(|b| is_scene(b)).collect();
    for scene in &scenes {
        let name = scene.document.display().to_string();
        if let Err(error) = LoadedScene::of_text(&name, scene.text.as_str()) {
            panic!("{name}: {error}\n{}", scene.text);
        }
    }
    // one in scenes.md, and one in the first ten minutes
    assert!(scenes.len() >= 2, "{} scenes", scenes.len());
}

#[test]
fn the_front_pages_name_the_rust_version_of_the_workspace() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).expect("a file");
    let manifest = read("Cargo.toml");
    let line = manifest.lines().find(|l| l.starts_with("rust-version"));
    let version = line.and_then(|l| l.split('"').nth(1)).expect("a version");
    for file in [
        "README.md",
        "pliant/src/lib.rs",
        "docs/book/first-ten-minutes.md",
    ] {
        let named = format!("Rust {version} or newer");
        assert!(read(file).contains(&named), "{file} does not say `{named}`");
    }
}

#[test]
fn programs_of_the_documents_are_compiled_or_a_part_of_one_that_is() {
    let compiled = include_str!("../src/lib.rs");
    let mut parts = 0;
    for block in blocks().iter().filter(|b| b.language.starts_with("rust")) {
        let name = block.document.file_name().expect("a name");
        let name = name.to_string_lossy().into_owned();
        match block.language.as_str() {
            "rust" => assert!(
                name == "README.md" || compiled.contains(&format!("/{name}\")")),
                "{name} is not among the documents that tests/src/lib.rs compiles"
            ),
            "rust,ignore" => {
                parts += 1;
                if let Err(line) = find_in_its_file(&block.text) {
                    panic!("{name}: `{line}` does not stand in the file that the block names");
                }
            }
            other => panic!("{name}: `{other}` is neither run nor held against a file"),
        }
    }
    assert!(parts >= 3, "{parts} parts of programs");
}

/// Words that follow `before` in a document, except placeholders in capitals.
fn words_after<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let ends = text.split(before).skip(1);
    let words = ends.map(|rest| rest.split(|c| !is_of_word(c)).next().unwrap_or_default());
    let is_name = |word: &&str| word.contains(|c: char| c.is_ascii_lowercase());
    words.filter(is_name).collect()
}

#[test]
fn every_command_of_xtask_that_a_document_names_is_one() {
    let source = std::fs::read_to_string(root().join("xtask/src/main.rs")).expect("a file");
    let tasks = source.split("enum Task {").nth(1);
    let tasks = tasks.and_then(|rest| rest.split("\n}\n").next());
    // the variants are indented once
    let variants = tasks.expect("the tasks").lines().filter_map(|line| {
        let name = line.strip_prefix("    ")?;
        let end = name.find(|c: char| !c.is_alphanumeric())?;
        name.starts_with(char::is_uppercase)
            .then(|| kebab_case(&name[..end]))
    });
    let known: Vec<String> = variants.collect();
    let is_known = |word: &str| known.iter().any(|name| name == word);
    assert!(is_known("ci") && is_known("bench-table"), "{known:?}");
    let mut files = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    documents(&root().join("docs"), &mut files);
    let mut named = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a document");
        for word in words_after(&text, "cargo xtask ") {
            named += 1;
            let file = file.display();
            assert!(is_known(word), "{file}: cargo xtask {word}");
        }
    }
    assert!(named >= 20, "{named} of them");
}

/// `BenchTable` as `bench-table`.
fn kebab_case(name: &str) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(c.to_ascii_lowercase());
    }
    word
}

#[test]
fn every_example_that_the_book_names_is_there() {
    let folder = root().join("pliant/examples");
    let mut named = 0;
    for block in blocks().iter().filter(|b| b.language == "sh") {
        for name in words_after(&block.text, "-p pliant --example ") {
            named += 1;
            let files = [format!("{name}.rs"), format!("{name}/main.rs")];
            let is_there = files.iter().any(|file| folder.join(file).is_file());
            assert!(is_there, "{}: {name}", block.document.display());
        }
    }
    assert!(named >= 1, "no example");
}

#[test]
fn words_of_a_document_are_names_and_not_placeholders() {
    let text = "`cargo xtask bench-table --check`, cargo xtask ci. cargo xtask NAME\ncargo xtask";
    assert_eq!(words_after(text, "cargo xtask "), ["bench-table", "ci"]);
}

/// Checks that the lines of a block occur in this order in the file that its first line names, without comments and space. Returns the first line that does not.
fn find_in_its_file(block: &str) -> Result<(), String> {
    let mut lines = block.lines();
    let first = lines.next().unwrap_or_default();
    let file = first.strip_prefix("// ").ok_or(first)?;
    let source = std::fs::read_to_string(root().join(file)).map_err(|e| format!("{file}: {e}"))?;
    let source = remove_space(&source);
    let mut at = 0;
    for line in lines {
        let code = remove_space(line.split("//").next().unwrap_or_default());
        // the comma may stand before a closing bracket
        let code = code.trim_end_matches(',');
        let found = source[at..].find(code).ok_or(line.trim())?;
        at += found + code.len();
    }
    Ok(())
}

/// A text without space, and without the commas before a closing bracket that the formatter adds.
fn remove_space(text: &str) -> String {
    let kept: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    kept.replace(",)", ")").replace(",}", "}")
}

#[test]
fn a_line_that_its_file_lacks_is_reported() {
    let block = "// tests/Cargo.toml\n[package]\nname = \"pliant-tests\" // a comment\n";
    assert_eq!(find_in_its_file(block), Ok(()));
    let wrong = block.replace("pliant-tests", "pliant-jests");
    let error = find_in_its_file(&wrong).expect_err("no such name");
    assert!(error.contains("pliant-jests"), "{error}");
    // the order counts
    let reordered = "// tests/Cargo.toml\nname = \"pliant-tests\"\n[package]\n";
    assert!(find_in_its_file(reordered).is_err());
    assert!(find_in_its_file("[package]\n").is_err());
}
