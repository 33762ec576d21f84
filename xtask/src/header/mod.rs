//! `cargo xtask header`: writes `ffi/include/pliant.h` from the exported items of the crate `ffi`, in the order of its modules. A test compares the file with the sources.
//!
//! No external tool is needed: the crate has few kinds of arguments, each with one form in C, and `syn` is a dependency anyway.

mod collect;
mod print;
mod types;

use std::path::PathBuf;

use crate::step::files::write;
use crate::step::{Outcome, root};

/// Writes the header.
pub fn run() -> Outcome {
    let file = file();
    write(&file, text()?)?;
    println!("{}", file.display());
    Ok(())
}

fn file() -> PathBuf {
    root().join("ffi/include/pliant.h")
}

/// The header for the present sources.
fn text() -> Result<String, String> {
    let exported = collect::collect(&root().join("ffi/src/lib.rs"))?;
    Ok(print::header(&exported))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_matches_the_sources() {
        let committed = std::fs::read_to_string(file()).expect("ffi/include/pliant.h");
        let generated = text().expect("the sources can be read");
        let lines = committed.lines().zip(generated.lines()).enumerate();
        for (k, (old, new)) in lines {
            assert_eq!(old, new, "line {}: run `cargo xtask header`", k + 1);
        }
        assert!(committed == generated, "run `cargo xtask header`");
    }

    #[test]
    fn every_exported_function_is_in_the_header() {
        let generated = text().expect("the sources can be read");
        let mut functions = 0;
        let folder = root().join("ffi/src/border");
        for entry in std::fs::read_dir(folder).expect("the folder") {
            let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a file");
            let exported = text
                .split("#[unsafe(no_mangle)]\npub extern \"C\" fn ")
                .skip(1);
            for function in exported {
                let name = function.split('(').next().expect("a name");
                assert!(generated.contains(&format!("{name}(")), "{name}");
                functions += 1;
            }
        }
        assert!(functions > 50, "{functions} functions are exported");
    }
}
