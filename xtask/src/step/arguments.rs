//! Arguments of a subcommand.

use super::Outcome;

/// Which of these options are among the arguments of `cargo xtask COMMAND`. Anything else is an error.
pub fn flags<const N: usize>(
    command: &str,
    arguments: &[String],
    known: [&str; N],
) -> Result<[bool; N], String> {
    if let Some(other) = arguments
        .iter()
        .find(|word| !known.contains(&word.as_str()))
    {
        return Err(format!(
            "`cargo xtask {command}` has no option `{other}`; it has {}",
            known.join(" and ")
        ));
    }
    Ok(known.map(|option| arguments.iter().any(|word| word == option)))
}

/// Runs a subcommand that takes no arguments.
pub fn no_arguments(arguments: &[String], run: fn() -> Outcome) -> Outcome {
    match arguments {
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
        let read = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            flags("ci", &arguments, ["--no-tools", "--full"])
        };
        assert_eq!(read(&[]), Ok([false, false]));
        assert_eq!(read(&["--full"]), Ok([false, true]));
        assert_eq!(read(&["--full", "--no-tools"]), Ok([true, true]));
        assert!(read(&["--fast"]).is_err_and(|e| e.contains("--fast") && e.contains("--full")));
        let error = no_arguments(&["now".to_string()], || Ok(())).expect_err("no words");
        assert!(error.contains("`now`"), "{error}");
    }
}
