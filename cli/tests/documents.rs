//! Command lines of the documents are ones that the program takes: those of shell blocks as a whole, those within sentences by their command and options. None of them is run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file that is no JSON object of the program. Asked to write one there, the program refuses after it has understood the whole line, and before any work.
const FOREIGN: &str = "foreign.txt";

/// Every document of the README and of `docs/`: its name and its text.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut open = vec![root.join("README.md"), root.join("docs")];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder of documents");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|e| e == "md") {
            let text = std::fs::read_to_string(&path).expect("a document");
            found.push((path.display().to_string(), text));
        }
    }
    found.sort();
    found
}

/// Lines of the shell blocks of a document; one that goes on behind a backslash is one line.
fn shell_lines(document: &str) -> Vec<String> {
    let blocks = document.split("\n```sh\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n```").next());
    let text: Vec<&str> = blocks.collect();
    let text = text.join("\n").replace("\\\n", " ");
    text.lines().map(String::from).collect()
}

/// What a document names as `pliant ...` within a sentence.
fn mentions(document: &str) -> Vec<&str> {
    // an odd number of quotes is before each of these
    let quoted = document.split('`').skip(1).step_by(2);
    let of_one_line = quoted.filter(|text| !text.contains('\n'));
    // COMMAND stands for any of them
    let of_program = of_one_line.filter(|t| t.starts_with("pliant ") && !t.contains("COMMAND"));
    of_program.collect()
}

/// The words behind the program's name in a line; `None` where the line calls something else.
fn arguments(line: &str) -> Option<Vec<String>> {
    let line = line.split(" #").next()?.replace(['"', '\''], "");
    let words: Vec<&str> = line.split_whitespace().collect();
    let begin = match *words.first()? {
        // behind `--` stands what cargo gives to the program
        "cargo" if words.contains(&"run") => words.iter().position(|word| *word == "--"),
        "cargo" => None,
        _ => (words.iter()).position(|word| *word == "pliant" || word.ends_with("/pliant")),
    };
    let words = words[begin? + 1..].iter();
    let of_program = words.take_while(|word| !["|", ">", "&&", ";"].contains(word));
    Some(of_program.map(|word| without_variables(word)).collect())
}

/// A word with 1 for each variable of the shell.
fn without_variables(word: &str) -> String {
    let mut parts = word.split('$');
    let first = parts.next().unwrap_or_default().to_string();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = parts.map(|part| format!("1{}", part.trim_start_matches(is_of_name)));
    std::iter::once(first).chain(rest).collect()
}

/// The program, with nothing but words to understand.
struct Program {
    folder: tempfile::TempDir,
    commands: Vec<String>,
}

impl Program {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        std::fs::write(folder.path().join(FOREIGN), "not ours").expect("written");
        let mut program = Self {
            folder,
            commands: Vec::new(),
        };
        let help = program.command(&["--help".to_string()]).output();
        let help = String::from_utf8(help.expect("it starts").stdout).expect("text");
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let listed = listed.take_while(|line| !line.is_empty());
        // what a line says goes on further to the right
        let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        program.commands = names.filter(|n| !n.is_empty()).map(String::from).collect();
        assert!(program.commands.len() > 20, "{help}");
        program
    }

    fn command(&self, words: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.current_dir(self.folder.path()).args(words);
        command
    }

    /// Why the program does not take a line, or why it is not a whole one.
    fn complaint(&self, words: &[String]) -> Option<String> {
        // any other word is a scene or a mesh for the window
        let command = words.iter().find(|word| !word.starts_with('-'));
        let is_known = |word: &String| word.contains('.') || self.commands.contains(word);
        if let Some(word) = command.filter(|word| !is_known(word)) {
            return Some(format!("there is no command `{word}`"));
        }
        let mut words = words.to_vec();
        words.retain(|word| !word.starts_with("--json"));
        words.push(format!("--json={FOREIGN}"));
        let output = self.command(&words).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        // help and the version come without any command
        (!output.status.success() && !text.contains("[FileNotOurs]")).then_some(text)
    }
}

#[test]
fn every_command_line_of_the_documents_is_understood() {
    let program = Program::new();
    let mut lines = 0;
    for (name, text) in documents() {
        for line in shell_lines(&text) {
            let Some(words) = arguments(&line) else {
                assert!(!line.starts_with("pliant "), "{name}: {line}");
                continue;
            };
            lines += 1;
            if let Some(why) = program.complaint(&words) {
                panic!("{name}: `{line}`: {why}");
            }
        }
    }
    assert!(lines >= 50, "{lines} lines");
}

#[test]
fn every_command_that_a_sentence_names_has_the_options_that_it_names() {
    let program = Program::new();
    let mut named = 0;
    for (name, text) in documents() {
        for mention in mentions(&text) {
            named += 1;
            let words = arguments(mention).expect("it begins with the program");
            // what else has to be there stands around it
            let is_fault = |why: &String| !why.contains("required");
            if let Some(why) = program.complaint(&words).filter(is_fault) {
                panic!("{name}: `{mention}`: {why}");
            }
        }
    }
    assert!(named >= 40, "{named} mentions");
}

#[test]
fn a_line_that_the_program_does_not_take_is_noticed() {
    let program = Program::new();
    let complaint = |line: &str| program.complaint(&arguments(line).expect("the program"));
    for fine in [
        "pliant",
        "pliant my-mesh.stl   # the window",
        "srun pliant gf body.toml --out \"$SCRATCH/a.pgf\" --threads \"$CPUS\" --mpi",
        "cargo run --release -- run some-mesh.stl --method lattice",
        "target/release/pliant compare poke --json --quiet",
    ] {
        assert_eq!(complaint(fine), None, "{fine}");
    }
    for (wrong, why) in [
        ("pliant frobnicate poke", "no command `frobnicate`"),
        ("pliant comapre poke", "no command `comapre`"),
        ("pliant compare poke --refrence", "--refrence"),
        ("pliant mesh kidney", "required"),
        (
            "pliant gf a.toml --out b.pgf --mpi --merge 3",
            "cannot be used",
        ),
        ("pliant bench polar --size 0", "invalid value"),
    ] {
        let told = complaint(wrong).expect(wrong);
        assert!(told.contains(why), "{wrong}: {told}");
    }
    for other in [
        "cargo run --release -p pliant --example poke",
        "cargo build --release",
        "pip install ./python",
        "cp levels/surface.obj kidney.obj",
    ] {
        assert_eq!(arguments(other), None, "{other}");
    }
    let document = "a\n\n```sh\npliant \\\n  doctor\n```\n\nand `pliant gf` or `gf`\n";
    assert_eq!(shell_lines(document), ["pliant    doctor"]);
    assert_eq!(mentions(document), ["pliant gf"]);
}

#[test]
fn documents_are_those_of_the_repository() {
    let names: Vec<PathBuf> = documents().iter().map(|(name, _)| name.into()).collect();
    for file in ["README.md", "docs/cli.md", "docs/book/choosing.md"] {
        assert!(names.iter().any(|name| name.ends_with(file)), "{file}");
    }
}
