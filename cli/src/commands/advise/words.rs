//! An advice as text.

use pliant_simulation::advice::{Advice, Outcome, TriedCandidate};

use crate::failure::one_line;
use crate::report::metrics::cache_suffix;
use crate::report::outcome_text;
use crate::session::Session;

/// The comment above the advised scene.
pub(super) fn heading(advice: &Advice, command: &str, run: &str) -> Vec<String> {
    let mut lines = vec![format!(
        "Advised by Pliant {}: {command}",
        env!("CARGO_PKG_VERSION")
    )];
    lines.extend(advice.reason.iter().map(|sentence| one_line(sentence)));
    lines.push(run.to_string());
    // a line break in a name must not end the comment
    lines
        .iter()
        .map(|line| line.replace(['\n', '\r'], " "))
        .collect()
}

/// Prints the table, the advice, and the sentences of what `confirmed` it.
pub(super) fn print(session: &Session, advice: &Advice, confirmed: &[String]) {
    let out = &session.output;
    let mark = |k: usize| match k == advice.choice.index() {
        true => ">",
        false if advice.front.contains(&k) => "*",
        false if advice.tried[k].chance.is_some() => "~",
        false => " ",
    };
    let labels = advice.tried.iter().map(|one| one.candidate.label());
    let width = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    out.line(format!(
        "  {:<12} {:<width$} {:>9} {:>8} {:>9} {:>7}  {:>7}",
        "method", "settings", "median ms", "p99 ms", "force", "skin", "bake s"
    ));
    for (k, one) in advice.tried.iter().enumerate() {
        let (method, label) = (one.candidate.method.name(), one.candidate.label());
        let mark = mark(k);
        match &one.outcome {
            Outcome::Measured(f) => {
                let force = f
                    .force_error
                    .map_or("-".to_string(), |e| format!("{:+.1} %", e * 100.0));
                let beyond = if advice.is_skin_too_far_off(f.skin) {
                    "!"
                } else {
                    " "
                };
                out.line(format!(
                    "{mark} {method:<12} {label:<width$} {:>9.2} {:>8.2} {force:>9} {:>6.2}%{beyond} {:>7.1}{}",
                    f.median_ms,
                    f.p99_ms,
                    f.skin * 100.0,
                    f.bake_s,
                    cache_suffix(f.from_cache)
                ));
            }
            _ => out.line(format!(
                "{mark} {method:<12} {label:<width$} {}",
                outcome_text(one)
            )),
        }
    }
    out.line("> advised, * on the Pareto front: no other candidate is cheaper and nearer to the reference");
    if advice.tried.iter().any(|one| one.chance.is_some()) {
        out.line("~ agrees by chance: a finer candidate of its kind is farther off");
    }
    let mut measured = advice.tried.iter().filter_map(TriedCandidate::figures);
    if measured.any(|f| advice.is_skin_too_far_off(f.skin)) {
        out.line("! the skin error exceeds its limit: twice the limit counts like twice the wanted error");
    }
    for sentence in advice.reason.iter().chain(confirmed) {
        out.line(sentence);
    }
}
