//! Which levels a reference is computed on.

use pliant_core::scene::{AdaptiveDescription, SceneDescription};

use crate::reference::kind::ReferenceKind;
use crate::setup::Setup;

/// Nodes of the finest level of a reference where the scene asks for no finer one.
const REFERENCE_NODES: usize = 12_000;
/// Most nodes of a level of a reference: its run would take many minutes otherwise.
const MAX_REFERENCE_NODES: usize = 40_000;
/// Most nodes of a level of a linear reference, whose stiffness is factorised: the factor of a compact body with more would be too large.
const MAX_LINEAR_NODES: usize = 16_000;
/// Nodes of the level on which local stiffness is fitted to quadratic elements; finer levels are extrapolated from it.
const FITTED_NODES: usize = 3_000;
/// Nodes of a level over those of the next coarser one: edges are 1.6 times as long there.
const LEVEL_RATIO: f64 = 4.0;

/// Node counts of the levels of a reference, coarse to fine, at least two. The last two are run.
pub fn reference_nodes(kind: ReferenceKind, setup: &Setup) -> Vec<usize> {
    let most = match kind {
        ReferenceKind::Dynamic | ReferenceKind::Static => MAX_REFERENCE_NODES,
        ReferenceKind::Linear => MAX_LINEAR_NODES,
    };
    let finest = requested_nodes(setup).clamp(REFERENCE_NODES, most);
    let mut nodes = vec![finest];
    loop {
        let coarser = (nodes[0] as f64 / LEVEL_RATIO).round() as usize;
        nodes.insert(0, coarser);
        // the coarsest level is one that quadratic elements can be solved on
        if coarser <= FITTED_NODES {
            return nodes;
        }
    }
}

/// About as many nodes as the finest level of the scene has.
fn requested_nodes(setup: &Setup) -> usize {
    let adaptive = &setup.description.body.adaptive;
    let given = adaptive.nodes.iter().copied().max().unwrap_or(0);
    let edge = adaptive.target_edges.iter().copied();
    let from_edges = match edge.reduce(f64::min) {
        Some(edge) => {
            // a node for each cube of the edge, and those of the surface once more
            let volume = setup.geometry.skin.volume().abs();
            let area: f64 = setup.areas.iter().sum();
            (volume / edge.powi(3) + 0.5 * area / edge.powi(2)) as usize
        }
        None => 0,
    };
    given.max(from_edges)
}

/// The scene as the reference sees it: levels with so many nodes, one of them moving, and no limit of computing time. What else the scene sets of the adaptive method (variants of steps,
/// forces and interfaces, precision) would only make another reference of the same body, so that all of it has its default.
pub(in crate::reference) fn reference_description(
    setup: &Setup,
    nodes: &[usize],
) -> SceneDescription {
    let mut description = setup.description.clone();
    description.body.adaptive = AdaptiveDescription {
        cut: Some(false),
        budget_ms: Some(UNLIMITED_MS),
        nodes: nodes.to_vec(),
        ..AdaptiveDescription::default()
    };
    description
}

/// A budget that no level reaches, ms.
const UNLIMITED_MS: f64 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::adaptive_params;
    use crate::world::testing::{pad, setup_of};

    #[test]
    fn a_reference_is_as_fine_as_the_scene_and_a_linear_one_can_be_factorised() {
        let fine = setup_of(pad("", "adaptive = { nodes = [500, 35000] }"));
        let finest = |kind| reference_nodes(kind, &fine).pop();
        assert_eq!(finest(ReferenceKind::Dynamic), Some(35_000));
        assert_eq!(finest(ReferenceKind::Static), Some(35_000));
        assert_eq!(finest(ReferenceKind::Linear), Some(16_000));
        let coarse = setup_of(pad("", "adaptive = { nodes = [500] }"));
        assert_eq!(
            reference_nodes(ReferenceKind::Linear, &coarse),
            [3000, 12_000]
        );
    }

    #[test]
    fn a_reference_does_not_depend_on_what_the_scene_sets_of_the_adaptive_method() {
        let of_reference = |adaptive: &str| {
            let mut setup = setup_of(pad("", &format!("adaptive = {{ {adaptive} }}")));
            setup.description = reference_description(&setup, &[100, 400]);
            adaptive_params(&setup)
        };
        let plain = of_reference("");
        for keys in [
            "target_edges = [0.05], budget_ms = 1.0",
            "dt_rule = \"courant\", precision = \"f64\"",
            "resolution = \"cut\", scheme = \"node-jump\", gamma_max = 0.01",
            "resolution = \"cut\", interface = \"paper\", allow_unstable = true",
            "resolution = \"level\", filter = \"paper\", calibrate = false",
            "friction = 0.9",
        ] {
            assert_eq!(
                format!("{:?}", of_reference(keys)),
                format!("{plain:?}"),
                "{keys}"
            );
        }
    }
}
