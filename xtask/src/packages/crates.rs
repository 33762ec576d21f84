//! `cargo xtask package`: every crate of ours as a registry would get it.

use crate::step::{Outcome, cargo, step};

/// Publishes to nowhere. Crates find each other in what is packed, not in the registry.
const PUBLISH: &str = "publish --workspace --dry-run --locked --allow-dirty";

/// Packs all crates that are published, and asks the registry whether it would take them; with `--build` each is also compiled from what was packed.
pub fn run(words: &[String]) -> Outcome {
    let builds = builds(words)?;
    let mut command = cargo(PUBLISH);
    if !builds {
        command.arg("--no-verify");
    }
    step("crates as a registry gets them", &mut command)
}

fn builds(words: &[String]) -> Result<bool, String> {
    match words {
        [] => Ok(false),
        [word] if word == "--build" => Ok(true),
        _ => Err("`cargo xtask package` has --build alone".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_or_refused() {
        let read =
            |words: &[&str]| builds(&words.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(read(&[]), Ok(false));
        assert_eq!(read(&["--build"]), Ok(true));
        assert!(read(&["--upload"]).is_err());
    }
}
