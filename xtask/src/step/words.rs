//! Words behind a subcommand.

use super::Outcome;

/// Which of these options stand behind `cargo xtask COMMAND`; anything else is refused.
pub fn flags<const N: usize>(
    command: &str,
    words: &[String],
    known: [&str; N],
) -> Result<[bool; N], String> {
    if let Some(other) = words.iter().find(|word| !known.contains(&word.as_str())) {
        return Err(format!(
            "`cargo xtask {command}` has no option `{other}`; it has {}",
            known.join(" and ")
        ));
    }
    Ok(known.map(|option| words.iter().any(|word| word == option)))
}

/// Runs a subcommand that takes no words.
pub fn alone(words: &[String], run: fn() -> Outcome) -> Outcome {
    match words {
        [] => run(),
        [word, ..] => Err(format!(
            "`{word}` stands behind a command that stands alone"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_known_or_refused() {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            flags("ci", &words, ["--no-tools", "--full"])
        };
        assert_eq!(read(&[]), Ok([false, false]));
        assert_eq!(read(&["--full"]), Ok([false, true]));
        assert_eq!(read(&["--full", "--no-tools"]), Ok([true, true]));
        assert!(read(&["--fast"]).is_err_and(|e| e.contains("--fast") && e.contains("--full")));
        let told = alone(&["now".to_string()], || Ok(())).expect_err("no words");
        assert!(told.contains("`now`"), "{told}");
    }
}
