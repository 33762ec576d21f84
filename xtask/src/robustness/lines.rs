//! Lines of the libraries in an LLVM report, without the lines of tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::step::files::{read_text, rust_files};

/// Lines with code, and how many of them were run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// Lines with code.
    pub all: usize,
    /// Those that were run.
    pub run: usize,
}

impl Lines {
    /// Line coverage, percent; 100 without code.
    pub fn percent(self) -> f64 {
        match self.all {
            0 => 100.0,
            all => 100.0 * self.run as f64 / all as f64,
        }
    }

    /// Adds the lines of another count.
    pub fn add(&mut self, other: Self) {
        self.all += other.all;
        self.run += other.run;
    }
}

/// The lines of each file below one of the folders, from a report in the lcov format: `SF:` gives a file, `DA:` a line number and its count.
///
/// # Errors
/// A source that cannot be read.
pub fn by_file(report: &str, folders: &[PathBuf]) -> Result<BTreeMap<PathBuf, Lines>, String> {
    let sources = sources_of(folders)?;
    let mut found: BTreeMap<PathBuf, Lines> = BTreeMap::new();
    let mut file: Option<(&PathBuf, &Vec<bool>)> = None;
    for line in report.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            file = sources.get_key_value(Path::new(path));
        } else if let (Some((path, for_tests)), Some(numbers)) = (file, line.strip_prefix("DA:")) {
            let mut numbers = numbers.split(',').map(str::parse::<u64>);
            if let (Some(Ok(number)), Some(Ok(count))) = (numbers.next(), numbers.next())
                && !is_for_tests(for_tests, number)
            {
                let lines = Lines {
                    all: 1,
                    run: usize::from(count > 0),
                };
                found.entry(path.clone()).or_default().add(lines);
            }
        }
    }
    Ok(found)
}

/// Whether a line (counted from 1) belongs to tests.
fn is_for_tests(test_lines: &[bool], number: u64) -> bool {
    let at = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
    at.and_then(|at| test_lines.get(at))
        .copied()
        .unwrap_or(false)
}

/// Every source below the folders, with a flag per line that is true in tests. Files and folders of tests are left out.
fn sources_of(folders: &[PathBuf]) -> Result<BTreeMap<PathBuf, Vec<bool>>, String> {
    let mut sources = BTreeMap::new();
    let mut only_tests = Vec::new();
    for folder in folders {
        for path in rust_files(folder)? {
            let (test_lines, modules) = test_lines(&read_text(&path)?);
            let inside = folder_of_modules(&path);
            for name in modules {
                only_tests.push(inside.join(&name));
                only_tests.push(inside.join(format!("{name}.rs")));
            }
            sources.insert(path, test_lines);
        }
    }
    sources.retain(|path, _| !only_tests.iter().any(|of_tests| path.starts_with(of_tests)));
    Ok(sources)
}

/// The folder with the files of a file's modules.
fn folder_of_modules(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default();
    match stem.to_str() {
        Some("mod" | "lib" | "main") => file.with_file_name(""),
        _ => file.with_extension(""),
    }
}

/// A flag per line that is true inside an item with `cfg(test)`, and the names of such modules with separate files. The text has to be formatted by `cargo fmt`: an item ends with the
/// first line at its own depth that closes it.
fn test_lines(text: &str) -> (Vec<bool>, Vec<String>) {
    let (mut test_lines, mut modules) = (Vec::new(), Vec::new());
    let mut depth: Option<usize> = None;
    for line in text.lines() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if depth.is_none() && code.starts_with("#[cfg(test)]") {
            depth = Some(indent);
            test_lines.push(true);
            continue;
        }
        test_lines.push(depth.is_some());
        if depth != Some(indent)
            || code.is_empty()
            || code.starts_with("#[")
            || code.starts_with("//")
        {
            continue;
        }
        let words = code.trim_start_matches("pub(crate) ");
        if let Some(name) = words.trim_start_matches("pub ").strip_prefix("mod ")
            && let Some(name) = name.strip_suffix(';')
        {
            modules.push(name.to_string());
        }
        if code.ends_with(';') || code.ends_with('}') || code.ends_with("},") {
            depth = None;
        }
    }
    (test_lines, modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "fn a() {\n    b();\n}\n\n#[cfg(test)]\npub(crate) mod far;\n\nimpl A {\n    #[cfg(test)]\n    fn c() {\n        d();\n    }\n\n    fn e() {}\n}\n\n#[cfg(test)]\nmod tests {\n    fn f() {\n    }\n}\n";

    #[test]
    fn items_of_tests_are_marked_to_their_end() {
        let (test_lines, modules) = test_lines(SOURCE);
        let marked: Vec<usize> = (1..=test_lines.len())
            .filter(|n| test_lines[n - 1])
            .collect();
        assert_eq!(marked, [5, 6, 9, 10, 11, 12, 17, 18, 19, 20, 21]);
        assert_eq!(modules, ["far"]);
    }

    #[test]
    fn only_lines_of_the_library_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let src = folder.path().join("src");
        std::fs::create_dir_all(src.join("far")).expect("a folder");
        for file in ["lib.rs", "far.rs", "far/away.rs"] {
            std::fs::write(src.join(file), SOURCE).expect("written");
        }
        let mut report = String::new();
        for file in ["src/lib.rs", "src/far.rs", "src/far/away.rs", "tests/a.rs"] {
            let path = folder.path().join(file);
            // line 11 and 19 belong to tests
            report += &format!(
                "SF:{}\nFN:1,a\nDA:1,7\nDA:2,0\nDA:11,1\nDA:14,3\nDA:19,1\nend_of_record\n",
                path.display()
            );
        }
        let found = by_file(&report, std::slice::from_ref(&src)).expect("sources");
        let expected = Lines { all: 3, run: 2 };
        assert_eq!(Vec::from_iter(found), [(src.join("lib.rs"), expected)]);
        assert!((expected.percent() - 200.0 / 3.0).abs() < 1e-12);
        assert!(by_file("", &[src.join("missing")]).is_err());
    }
}
