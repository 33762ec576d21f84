//! The notes on a scene that concern one method.

use pliant_core::scene::Method;

use crate::setup::{Setup, large_strain_note};

/// The notes on a scene without those that other methods are linear.
pub(super) fn scene_notes_of(setup: &Setup, method: Method) -> Vec<String> {
    let others = Method::ALL.into_iter().filter(|other| *other != method);
    let of_others = others.filter_map(|other| large_strain_note(&setup.description, other));
    let of_others: Vec<String> = of_others.collect();
    let notes = setup.notes.iter();
    notes
        .filter(|note| !of_others.contains(note))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use pliant_core::scene::Method;

    use super::scene_notes_of;
    use crate::world::testing::{built, setup_of};

    /// A pad whose author expects this strain.
    fn pad(strain: f64, law: &str) -> String {
        format!(
            "strain_hint = {strain}\n[[body]]\nname = 'pad'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.2], edge = 0.05 }}\n\
             material = {{ law = '{law}' }}\nlattice = {{ cell = 0.05 }}\n"
        )
    }

    #[test]
    fn large_strains_are_told_with_linear_methods_alone() {
        let about_strain = |notes: Vec<String>| -> Vec<String> {
            let told = notes.into_iter().filter(|n| n.contains("strain_hint"));
            told.collect()
        };
        for (strain, law, expected) in [
            (0.25, "green", [false, true, false]),
            (0.25, "cauchy", [true, true, false]),
            (0.25, "simplified", [true, true, false]),
            (0.25, "stable_neo_hookean", [false, true, false]),
            (0.04, "cauchy", [false, false, false]),
        ] {
            let setup = setup_of(pad(strain, law));
            for (method, expected) in Method::ALL.into_iter().zip(expected) {
                let told = about_strain(scene_notes_of(&setup, method));
                let count = usize::from(expected);
                assert_eq!(told.len(), count, "{law} {method:?} {told:?}");
                let name = format!("the {} method is linear", method.name());
                assert!(told.iter().all(|note| note.contains(&name)), "{told:?}");
            }
        }
        let setup = setup_of(pad(0.25, "green"));
        assert_eq!(about_strain(setup.notes.clone()).len(), 1);
        let lattice = built(&setup, Method::Lattice).expect("a body").notes;
        assert!(about_strain(lattice).is_empty());
    }
}
