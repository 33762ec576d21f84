//! Command lines that a result contains.

use std::path::Path;

use pliant_simulation::advice::Advice;
use pliant_simulation::setup::Setup;

use crate::args::Advise;
use crate::session::{Session, quoted};

/// The command that repeats the advice.
pub(super) fn repeat_command(args: &Advise, session: &Session) -> String {
    let mut words = vec![
        "pliant advise".to_string(),
        quoted(&args.source.to_string_lossy()),
        format!("--budget-ms {}", args.budget_ms.trim()),
        format!("--error {}", quoted(args.error.trim())),
        format!("--skin-error {}", quoted(args.skin_error.trim())),
    ];
    if !args.methods.is_empty() {
        words.push(format!("--methods {}", args.methods.join(",")));
    }
    words.extend(args.duration.map(|d| format!("--duration {d}")));
    words.extend(args.import.words());
    words.extend(session.repeat_options());
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

/// The command that measures cost and error of the advised scene again.
pub(super) fn compare_command(scene: &Path, advice: &Advice, setup: &Setup) -> String {
    let scene = quoted(&scene.to_string_lossy());
    let method = advice.advised().method.name();
    // shortest decimal of a whole number of frames
    let duration = advice.frames as f64 * setup.frame_duration();
    let duration = (duration * 1e6).round() / 1e6;
    format!("pliant compare {scene} --methods {method} --duration {duration} --reference")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_with_special_characters_of_a_shell_are_quoted() {
        assert_eq!(quoted("out/a-b_1.obj"), "out/a-b_1.obj");
        assert_eq!(quoted("my mesh.obj"), "'my mesh.obj'");
        assert_eq!(quoted("$HOME; it's"), r"'$HOME; it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
