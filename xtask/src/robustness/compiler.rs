//! The compiler, test programs built by cargo, and the LLVM tools that read their profiles.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::step::output;
use crate::tools::find;

/// Properties of the installed compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// Target triple of this machine, for example `x86_64-unknown-linux-gnu`.
    pub host: String,
    /// Major version of its LLVM.
    llvm: u32,
    /// Folder of its libraries for this machine, below `lib/rustlib`.
    pub libraries: PathBuf,
}

impl Compiler {
    /// Asks the compiler.
    pub fn query() -> Result<Self, String> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let run_rustc = |words: &[&str]| {
            let output = Command::new(&rustc).args(words).output();
            let output = output.map_err(|e| format!("rustc: {e}"))?;
            Ok::<_, String>(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let versions = run_rustc(&["-vV"])?;
        let (host, llvm) = read_versions(&versions)
            .ok_or_else(|| format!("rustc names no host and no LLVM: {versions}"))?;
        let sysroot = run_rustc(&["--print", "sysroot"])?;
        Ok(Self {
            libraries: Path::new(sysroot.trim()).join("lib/rustlib").join(&host),
            host,
            llvm,
        })
    }
}

fn read_versions(text: &str) -> Option<(String, u32)> {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let llvm = value("LLVM version: ")?.split('.').next()?;
    Some((value("host: ")?.to_string(), llvm.parse().ok()?))
}

/// The tools that read profiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlvmTools {
    /// `llvm-profdata`
    pub profdata: PathBuf,
    /// `llvm-cov`
    pub cov: PathBuf,
}

/// Number of LLVM versions above that of the compiler to search for.
const NEWER_VERSIONS: u32 = 4;
/// The oldest LLVM version whose tools read the profiles: LLVM 22 writes the format of LLVM 19.
const MIN_LLVM_VERSION: u32 = 19;

impl LlvmTools {
    /// The tools of the toolchain, or the newest of the system, with or without a version in their names.
    pub fn find(compiler: &Compiler) -> Result<Self, String> {
        Self::find_from(MIN_LLVM_VERSION, compiler)
    }

    fn find_from(oldest: u32, compiler: &Compiler) -> Result<Self, String> {
        let find_tool = |name: &str| {
            let numbered = (oldest..=compiler.llvm + NEWER_VERSIONS).rev();
            let found = numbered
                .map(|n| format!("{name}-{n}"))
                .chain([name.to_string()])
                .filter_map(|name| find(&name));
            std::iter::once(compiler.libraries.join("bin").join(name))
                .chain(found)
                .find(|tool| is_new_enough(tool, oldest))
                .ok_or_else(|| {
                    let version = compiler.llvm;
                    format!("no `{name}` of LLVM {oldest} or newer: `rustup component add llvm-tools` installs it, or a package `llvm-{version}` of the system")
                })
        };
        Ok(Self {
            profdata: find_tool("llvm-profdata")?,
            cov: find_tool("llvm-cov")?,
        })
    }
}

fn is_new_enough(tool: &Path, min_version: u32) -> bool {
    let output = Command::new(tool).arg("--version").output();
    output
        .is_ok_and(|o| major(&String::from_utf8_lossy(&o.stdout)).is_some_and(|v| v >= min_version))
}

/// The major version in the output of an LLVM tool.
fn major(text: &str) -> Option<u32> {
    let (_, version) = text.split_once("LLVM version ")?;
    version.split('.').next()?.parse().ok()
}

/// The test programs that a cargo command with `--no-run --message-format json` builds.
pub fn programs(mut command: Command) -> Result<Vec<PathBuf>, String> {
    let messages = output("the tests cannot be built", &mut command)?;
    let found = programs_in(&String::from_utf8_lossy(&messages));
    match found.is_empty() {
        true => Err("cargo built no test".into()),
        false => Ok(found),
    }
}

fn programs_in(messages: &str) -> Vec<PathBuf> {
    let messages = messages.lines().map(serde_json::from_str::<Value>);
    messages
        .filter_map(|message| message.ok()?["executable"].as_str().map(PathBuf::from))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let versions =
            "rustc 1.95.0\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\nLLVM version: 22.1.2\n";
        let host = "x86_64-unknown-linux-gnu".to_string();
        assert_eq!(read_versions(versions), Some((host, 22)));
        assert_eq!(read_versions("host: a\n"), None);
        let debian = "Debian LLVM version 14.0.6\n  Optimized build.";
        assert_eq!(major(debian), Some(14));
        let rust = "LLVM (http://llvm.org/):\n  LLVM version 22.1.2-rust-1.95.0-stable";
        assert_eq!(major(rust), Some(22));
        assert_eq!(major("cov 1.0"), None);
    }

    #[test]
    fn programs_are_those_that_cargo_names() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null}\nno JSON\n{\"executable\":\"/t/a-1\"}\n{\"reason\":\"build-finished\"}\n";
        assert_eq!(programs_in(messages), [PathBuf::from("/t/a-1")]);
    }

    #[test]
    fn tools_that_are_missing_are_named_with_the_package() {
        let compiler = Compiler {
            llvm: 100_000,
            ..Compiler::query().expect("a compiler")
        };
        let wrong = LlvmTools::find_from(100_000, &compiler).expect_err("no such version");
        assert!(
            wrong.contains("llvm-100000") && wrong.contains("llvm-tools"),
            "{wrong}"
        );
    }
}
