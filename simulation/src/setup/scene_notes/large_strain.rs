//! Whether a scene expects strains that are too large for a linear method.

use pliant_core::scene::{Method, SceneDescription};

use super::note::{NoteSubject, SceneNote};

/// Strain up to which linear and nonlinear methods are compared without a remark.
const LINEAR_STRAIN_LIMIT: f64 = 0.05;

/// The note of a scene on strains that are too large for `method`. `None` where they are small, and for a method that is not linear in this scene.
pub(in crate::setup) fn large_strain_note(
    description: &SceneDescription,
    method: Method,
) -> Option<SceneNote> {
    if description.strain_hint < LINEAR_STRAIN_LIMIT {
        return None;
    }
    let linear = match method {
        Method::Quasistatic => "the quasistatic method is linear".to_string(),
        Method::Adaptive => {
            let bodies = std::iter::once(&description.body).chain(&description.others);
            let mut laws = bodies.map(|body| body.material.law);
            let law = laws.find(|law| law.is_linear())?;
            format!(
                "the adaptive method is linear with the law `{}`",
                law.name()
            )
        }
        Method::Lattice => return None,
    };
    let text = format!(
        "strains of {:.0} % are expected (strain_hint), but {linear}: read its forces and curves with that in mind",
        description.strain_hint * 100.0
    );
    Some(SceneNote::new(NoteSubject::Method(method), text))
}

#[cfg(test)]
mod tests {
    use pliant_core::scene::Method;

    use crate::world::testing::setup_of;

    fn about_strain<'n>(notes: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
        notes.filter(|n| n.contains("strain_hint")).collect()
    }

    #[test]
    fn large_strains_are_told_with_linear_methods_alone() {
        for (strain, law, expected) in [
            (0.25, "green", [false, true, false]),
            (0.25, "cauchy", [true, true, false]),
            (0.25, "simplified", [true, true, false]),
            (0.25, "stable_neo_hookean", [false, true, false]),
            (0.04, "cauchy", [false, false, false]),
        ] {
            let setup = setup_of(format!(
                "strain_hint = {strain}\n[[body]]\nname = 'pad'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.2], edge = 0.05 }}\n\
                 material = {{ law = '{law}' }}\n"
            ));
            for (method, expected) in Method::ALL.into_iter().zip(expected) {
                let told = about_strain(setup.note_texts_of(method));
                assert_eq!(told.len(), usize::from(expected), "{law} {method:?}");
                let name = format!("the {} method is linear", method.name());
                assert!(told.iter().all(|note| note.contains(&name)), "{told:?}");
            }
            let all = expected.into_iter().filter(|expected| *expected);
            assert_eq!(about_strain(setup.note_texts()).len(), all.count(), "{law}");
        }
    }
}
