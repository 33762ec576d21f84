//! Which levels a reference is computed on.

use pliant_core::scene::SceneDescription;

use crate::setup::Setup;

/// Nodes of the finest level of a reference where the scene asks for no finer one.
pub const REFERENCE_NODES: usize = 12_000;
/// Most nodes of a level of a reference: its run would take many minutes otherwise.
pub const MOST_REFERENCE_NODES: usize = 40_000;
/// Nodes of the level on which local stiffness is fitted to quadratic elements; finer levels are extrapolated from it.
const FITTED_NODES: usize = 3_000;
/// Nodes of a level over those of the next coarser one: edges are 1.6 times as long there.
const RATIO: f64 = 4.0;

/// Node counts of the levels of a reference, coarse to fine, at least two. The last two are run.
pub fn reference_nodes(setup: &Setup) -> Vec<usize> {
    let wanted = finest_wanted(setup).clamp(REFERENCE_NODES, MOST_REFERENCE_NODES);
    let mut nodes = vec![wanted];
    loop {
        let coarser = (nodes[0] as f64 / RATIO).round() as usize;
        nodes.insert(0, coarser);
        // the coarsest level is one that quadratic elements can be solved on
        if coarser <= FITTED_NODES {
            return nodes;
        }
    }
}

/// About as many nodes as the finest level of the scene has.
fn finest_wanted(setup: &Setup) -> usize {
    let adaptive = &setup.description.body.adaptive;
    let given = adaptive.nodes.iter().copied().max().unwrap_or(0);
    let edge = adaptive.target_edges.iter().copied();
    let of_edges = match edge.reduce(f64::min) {
        Some(edge) => {
            // a node for each cube of the edge, and those of the surface once more
            let volume = setup.geometry.skin.volume().abs();
            let area: f64 = setup.areas.iter().sum();
            (volume / edge.powi(3) + 0.5 * area / edge.powi(2)) as usize
        }
        None => 0,
    };
    given.max(of_edges)
}

/// The scene as the reference sees it: levels with so many nodes, one of them moving, and no limit of computing time.
pub(in crate::reference) fn reference_description(
    setup: &Setup,
    nodes: &[usize],
) -> SceneDescription {
    let mut description = setup.description.clone();
    let adaptive = &mut description.body.adaptive;
    adaptive.cut = Some(false);
    adaptive.budget_ms = Some(UNLIMITED_MS);
    adaptive.nodes = nodes.to_vec();
    adaptive.target_edges = Vec::new();
    // what concerns a cut alone would only make another reference of the same body
    adaptive.gamma_max = None;
    adaptive.interface = String::new();
    adaptive.filter = String::new();
    adaptive.uncalibrated = false;
    description
}

/// A budget that no level reaches, ms.
const UNLIMITED_MS: f64 = 1e9;
