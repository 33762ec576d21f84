//! Commands that a result names.

use std::path::Path;

use pliant_simulation::advice::Advice;
use pliant_simulation::setup::Setup;

use crate::args::Advise;

/// The command that makes the same advice again.
pub(super) fn again(args: &Advise) -> String {
    let mut words = vec![
        "pliant advise".to_string(),
        quoted(&args.source.to_string_lossy()),
        format!("--budget-ms {}", args.budget_ms.trim()),
        format!("--error {}", quoted(args.error.trim())),
    ];
    if !args.methods.is_empty() {
        words.push(format!("--methods {}", args.methods.join(",")));
    }
    words.extend(args.duration.map(|d| format!("--duration {d}")));
    words.extend(args.import.words());
    words.join(" ")
}

/// The command that runs the advised scene.
pub(super) fn run_command(scene: &Path, advice: &Advice) -> String {
    let scene = quoted(&scene.to_string_lossy());
    format!(
        "pliant run {scene} --method {}",
        advice.advised().method.name()
    )
}

/// The command that tells cost and error of the advised scene once more.
pub(super) fn same_figures(scene: &Path, advice: &Advice, setup: &Setup) -> String {
    let scene = quoted(&scene.to_string_lossy());
    let method = advice.advised().method.name();
    // shortest decimal of a whole number of frames
    let duration = advice.frames as f64 * setup.frame_duration();
    let duration = (duration * 1e6).round() / 1e6;
    format!("pliant compare {scene} --methods {method} --duration {duration} --reference")
}

/// In quotes where a shell would take it apart.
fn quoted(word: &str) -> String {
    match word.contains(char::is_whitespace) {
        true => format!("\"{word}\""),
        false => word.to_string(),
    }
}
