//! Parses the goal from the command line.

use pliant_simulation::advice::{AdviceError, Goal};

use crate::failure::Failure;

/// The goal of `--budget-ms`, `--error` and `--skin-error`.
pub(super) fn parse_goal(budget_ms: &str, error: &str, skin_error: &str) -> Result<Goal, Failure> {
    let budget = budget_ms.trim().parse().map_err(|_| {
        Failure::bad_input(
            "BadBudget",
            format!("`{budget_ms}` is not a number of milliseconds"),
            "write --budget-ms 4",
        )
    })?;
    let error = share(error).ok_or_else(|| {
        Failure::bad_input(
            "BadError",
            format!("`{error}` is not a relative error"),
            "write --error 2% or --error 0.02",
        )
    })?;
    let skin_error = share(skin_error).ok_or_else(|| {
        Failure::bad_input(
            "BadSkinError",
            format!("`{skin_error}` is not a share of the diagonal"),
            "write --skin-error 1% or --skin-error 0.01",
        )
    })?;
    let goal = Goal::new(budget, error).and_then(|goal| goal.with_skin_error(skin_error));
    goal.map_err(|e| AdviceError::from(e).into())
}

/// "2%" and "0.02" are the same.
fn share(text: &str) -> Option<f64> {
    let text = text.trim();
    match text.strip_suffix('%') {
        Some(percent) => Some(percent.trim().parse::<f64>().ok()? / 100.0),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_and_a_share_are_the_same_goal() {
        let percent = parse_goal("4", "2%", "1%").expect("a goal");
        assert_eq!(percent, parse_goal(" 4.0", "0.02", "0.01").expect("a goal"));
        assert_eq!(parse_goal("4", "2 %", "1 %").expect("a goal"), percent);
        // what is the default here is the default everywhere
        assert_eq!(percent, Goal::new(4.0, 0.02).expect("a goal"));
    }

    #[test]
    fn an_invalid_goal_is_refused_in_one_line() {
        let refused = |budget: &str, error: &str| {
            let failure = parse_goal(budget, error, "1%").expect_err("refused");
            (failure.code.clone(), failure.message, failure.hint)
        };
        let no_goal = |error: &str, percent: &str| {
            let (code, message, hint) = refused("4", error);
            assert_eq!(code, "BadError");
            assert_eq!(message, format!("an error of {percent} % is not possible"));
            assert_eq!(hint, "give a share above 0 and below 1, such as 2% or 0.02");
        };
        no_goal("0", "0");
        no_goal("-2%", "-2");
        no_goal("-7%", "-7");
        no_goal("200%", "200");
        no_goal("2", "200");
        no_goal("nan", "NaN");
        let (code, message, _) = refused("4", "two");
        assert_eq!(
            (code.as_str(), message.as_str()),
            ("BadError", "`two` is not a relative error")
        );
        let (code, message, hint) = refused("0", "2%");
        assert_eq!(code, "BadBudget");
        assert_eq!(message, "a budget of 0 ms is not possible");
        assert_eq!(hint, "give milliseconds above 0 and up to 1000000");
        assert_eq!(
            refused("4ms", "2%").1,
            "`4ms` is not a number of milliseconds"
        );
        assert_eq!(refused("inf", "2%").0, "BadBudget");
        assert_eq!(refused("nan", "2%").1, "a budget of NaN ms is not possible");
    }

    #[test]
    fn an_invalid_limit_of_the_skin_is_refused_in_one_line() {
        for (given, told) in [
            ("0", "a skin error of 0 % is not possible"),
            ("-2%", "a skin error of -2 % is not possible"),
            ("nan", "a skin error of NaN % is not possible"),
            ("1", "a skin error of 100 % is not possible"),
            ("thin", "`thin` is not a share of the diagonal"),
        ] {
            let failure = parse_goal("4", "2%", given).expect_err("refused");
            assert_eq!(
                (failure.code.as_str(), failure.message.as_str()),
                ("BadSkinError", told)
            );
        }
    }
}
