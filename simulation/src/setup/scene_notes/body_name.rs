//! Notes of one of several bodies.

use pliant_core::diagnostics::is_code;

/// A note with the name of its body in front of the sentence. Its code stays at the beginning, where scripts look for it.
pub(crate) fn with_body_name(name: &str, note: &str) -> String {
    match note.split_once(": ") {
        Some((code, sentence)) if is_code(code) => format!("{code}: {name}: {sentence}"),
        _ => format!("{name}: {note}"),
    }
}

#[cfg(test)]
mod tests {
    use super::with_body_name;
    use crate::world::testing::setup_of;

    #[test]
    fn the_name_comes_before_the_sentence_and_behind_the_code() {
        for (note, named) in [
            (
                "repair: one hole was closed",
                "bear: repair: one hole was closed",
            ),
            (
                "LevelVolumeMismatch: level 0 is small",
                "LevelVolumeMismatch: bear: level 0 is small",
            ),
            ("all is well", "bear: all is well"),
        ] {
            assert_eq!(with_body_name("bear", note), named);
        }
    }

    #[test]
    fn notes_on_a_body_name_it_where_there_are_several() {
        let body = |name: &str, keys: &str| {
            format!(
                "[[body]]\nname = '{name}'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\nadaptive = {{ models = ['green'] }}\n{keys}\n"
            )
        };
        let heads = |text: String| {
            let setup = setup_of(text);
            let notes = setup.notes.iter().filter_map(|note| {
                let (head, _) = note.split_once("adaptive.models")?;
                Some(head.to_string())
            });
            notes.collect::<Vec<_>>()
        };
        assert_eq!(heads(body("a", "")), [""]);
        assert_eq!(heads(body("a", "count = 2")), ["a: "]);
        let apart = "layout = { grid = [1, 1, 1], origin = [0.0, 1.0, 0.0] }";
        assert_eq!(heads(body("a", "") + &body("b", apart)), ["a: ", "b: "]);
        // what concerns the scene is said once
        let nu0 = "compare = { material = 'nu0' }\n".to_string();
        let setup = setup_of(nu0 + &body("a", "") + &body("b", apart));
        let about_poisson = |note: &&String| note.contains("Poisson");
        let told: Vec<&String> = setup.notes.iter().filter(about_poisson).collect();
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("compare.material"), "{told:?}");
    }
}
