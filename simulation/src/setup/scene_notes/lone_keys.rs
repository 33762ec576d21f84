//! Whether a key of one method makes its body another one than that of the other methods.

use pliant_core::scene::{BodyDescription, Method, SceneDescription};

use super::note::{NoteSubject, SceneNote};

/// A note for each key that changes a body in one of several methods of the scene alone.
pub(in crate::setup) fn notes(description: &SceneDescription) -> Vec<SceneNote> {
    let methods = &description.methods;
    let bodies = std::iter::once(&description.body).chain(&description.others);
    let mut found: Vec<(&str, Method)> = Vec::new();
    for key in bodies.flat_map(|body| keys_of_one_method(body, methods)) {
        if !found.contains(&key) {
            found.push(key);
        }
    }
    let is_compared =
        |method: Method| methods.contains(&method) && methods.iter().any(|other| *other != method);
    let told = found.into_iter().filter(|(_, method)| is_compared(*method));
    told.map(|(key, method)| {
        let text = format!(
            "BodiesDiffer: `{key}` changes the body in the {} method alone, so that methods differ by more than their approximations\n  remedy: leave the key out where methods are compared",
            method.name()
        );
        SceneNote::warning(NoteSubject::Scene, text)
    })
    .collect()
}

/// Keys of a body that one method alone follows, and that method. Painted stiffness is none of them where all `methods` have it.
fn keys_of_one_method(body: &BodyDescription, methods: &[Method]) -> Vec<(&'static str, Method)> {
    let (lattice, quasistatic) = (&body.lattice, &body.quasistatic);
    let is_painted = |method: &Method| match method {
        Method::Adaptive => false,
        Method::Lattice => !lattice.stiffness.is_empty(),
        Method::Quasistatic => !quasistatic.stiffness.is_empty(),
    };
    let is_alone = |method: Method| is_painted(&method) && !methods.iter().all(is_painted);
    let keys = [
        (
            "lattice.stiffness",
            Method::Lattice,
            is_alone(Method::Lattice),
        ),
        (
            "lattice.weights",
            Method::Lattice,
            !lattice.weights.is_empty(),
        ),
        ("lattice.bones", Method::Lattice, !lattice.bones.is_empty()),
        (
            "quasistatic.stiffness",
            Method::Quasistatic,
            is_alone(Method::Quasistatic),
        ),
        (
            "quasistatic.fibres",
            Method::Quasistatic,
            quasistatic.fibres.is_some(),
        ),
    ];
    let set = keys.into_iter().filter(|(_, _, is_set)| *is_set);
    set.map(|(key, method, _)| (key, method)).collect()
}

#[cfg(test)]
mod tests {
    use crate::world::testing::setup_of;

    #[test]
    fn keys_that_one_of_several_methods_follows_alone_are_told_once() {
        let bones = "lattice = { bones = [ { name = 'core', sphere = { center = [0.0, 0.0, 0.0], radius = 0.03 } } ] }";
        let soft = "stiffness = [ { select = { lowest = 0.5 }, factor = 0.5 } ]";
        let both = format!("lattice = {{ {soft} }}\nquasistatic = {{ {soft} }}");
        let fibres =
            "quasistatic = { fibres = { direction = [0.0, 1.0, 0.0], young = 4e4, shear = 1e4 } }";
        for (methods, keys, expected) in [
            ("'lattice', 'adaptive'", bones, vec!["`lattice.bones`"]),
            ("'lattice'", bones, vec![]),
            ("'adaptive', 'quasistatic'", bones, vec![]),
            ("'lattice', 'quasistatic'", both.as_str(), vec![]),
            (
                "'lattice', 'quasistatic', 'adaptive'",
                both.as_str(),
                vec!["`lattice.stiffness`", "`quasistatic.stiffness`"],
            ),
            (
                "'lattice', 'quasistatic'",
                fibres,
                vec!["`quasistatic.fibres`"],
            ),
        ] {
            let setup = setup_of(format!(
                "methods = [{methods}]\n[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\n{keys}\n"
            ));
            let notes = setup.notes.iter();
            let told: Vec<_> = notes.filter(|n| n.code() == Some("BodiesDiffer")).collect();
            assert_eq!(told.len(), expected.len(), "{methods} {keys}");
            for (note, key) in told.iter().zip(&expected) {
                assert!(note.is_warning && note.text.contains(key), "{}", note.text);
            }
        }
    }
}
