//! Whether the weight of a body alone bends it beyond what linear strains describe.

use pliant_core::math::numbers::decimal;
use pliant_quasistatic::GreensAsset;

use crate::setup::Setup;

/// Largest displacement by weight alone, over the diagonal of the body, above which there is a note.
const MAX_SAG: f64 = 0.1;

/// A note on a body whose weight alone moves it by more than a tenth of its diagonal.
pub(in crate::build) fn sag_note(setup: &Setup, asset: &GreensAsset) -> Option<String> {
    let (baked, wanted) = (&asset.material, &setup.geometry.material);
    if baked.density <= 0.0 {
        return None;
    }
    // displacements grow with the density and shrink with Young's modulus
    let scale = wanted.density / baked.density * baked.elastic.young / wanted.elastic.young;
    let gravity = setup.description.gravity * scale;
    let responses = asset.gravity.iter();
    let sag = responses
        .map(|response| (response * gravity).norm())
        .fold(0.0, f64::max);
    (sag > MAX_SAG * setup.diagonal).then(|| {
        format!(
            "SagTooLarge: the weight of `{}` alone moves it by up to {} m, {:.0} % of its diagonal, but the quasistatic method is linear: its shape and forces are wrong\n  remedy: weaker gravity, a stiffer or lighter material, a larger support, or the adaptive or lattice method",
            setup.description.body.name,
            decimal(sag),
            100.0 * sag / setup.diagonal
        )
    })
}

#[cfg(test)]
mod tests {
    use pliant_core::scene::Method;

    use crate::world::testing::{built, pad, setup_of};

    #[test]
    fn a_body_that_its_weight_alone_bends_far_is_told_by_its_name() {
        // a pad of height H sags by about ρ g H² / 2E: 2.5 mm on earth, and a tenth of its diagonal is 30 mm
        let notes = |gravity: f64| -> Vec<String> {
            let text = pad(&format!("gravity = [0.0, {gravity:?}, 0.0]"), "");
            let notes = built(&setup_of(text), Method::Quasistatic)
                .expect("a body")
                .notes;
            let about_sag = notes.into_iter().filter(|n| n.starts_with("SagTooLarge"));
            about_sag.collect()
        };
        assert!(notes(-9.81).is_empty());
        assert!(notes(-50.0).is_empty());
        let found = notes(-1000.0);
        assert_eq!(found.len(), 1);
        for words in [
            "the weight of `pad` alone",
            "the quasistatic method is linear",
            "\n  remedy: weaker gravity",
        ] {
            assert!(found[0].contains(words), "{found:?}");
        }
    }
}
