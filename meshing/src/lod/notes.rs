//! Notes for the user about a level, a sentence each.

use pliant_core::math::numbers::counted;

use super::builder::judgement::MAX_VOLUME_CHANGE;
use super::builder::level_builder::LevelBuilder;
use super::level::Level;
use super::resolution_sequence::{ResolutionSequenceSpec, Shortfall};
use crate::tetrahedralise::mesher::TetTarget;
use crate::tetrahedralise::tetgen::mesher::MAX_RADIUS_EDGE;

/// Tolerance of node counts, as a share: the first from 100 nodes up, the second below.
const NODE_COUNT_TOLERANCE: (f64, f64) = (0.15, 0.30);

/// Walls moved outwards are reported when the volume changed by more than this share.
const REPORTED_VOLUME_CHANGE: f64 = 0.05;

/// Sentences about level `k`: a missed target with its reason, thickened walls, volume, topology.
pub(super) fn level_notes(
    k: usize,
    level: &Level,
    target: Option<TetTarget>,
    builder: &LevelBuilder<'_>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let nodes = level.mesh.nodes.len();
    if let Some(TetTarget::Nodes(wanted)) = target {
        let share = if wanted < 100 {
            NODE_COUNT_TOLERANCE.1
        } else {
            NODE_COUNT_TOLERANCE.0
        };
        if (nodes as f64 / wanted as f64 - 1.0).abs() > share {
            let reason = if nodes > wanted {
                "the next coarser lattice has far fewer, or would lose walls, ends or parts of the body"
            } else {
                "the next finer lattice has many more"
            };
            notes.push(format!(
                "level {k}: {nodes} nodes where {wanted} were asked for: {reason}"
            ));
        }
    }
    if level.thickened > 0.0 && (level.volume_ratio - 1.0).abs() > REPORTED_VOLUME_CHANGE {
        notes.push(format!(
            "level {k}: walls were moved outwards by {:.0} % of an edge while meshing, so that none is lost",
            100.0 * level.thickened / level.edge_mean
        ));
    }
    if (level.volume_ratio - 1.0).abs() > MAX_VOLUME_CHANGE {
        notes.push(format!(
            "level {k} has {:.0} % of the body's volume: parts of the body are thinner than its elements; ask for more nodes",
            level.volume_ratio * 100.0
        ));
    }
    if level.radius_edge > MAX_RADIUS_EDGE && !builder.mesher.is_stuffing() {
        notes.push(format!(
            "level {k}: radius-edge ratio up to {:.1}, angles from {:.1} to {:.1} degrees where the surface forces them; the mesher `stuffing` bounds its angles",
            level.radius_edge, level.min_dihedral_deg, level.max_dihedral_deg
        ));
    }
    let components = builder.components_of(level);
    if components != builder.components {
        notes.push(format!(
            "level {k} (LevelTopologyMismatch): {} where the body has {}",
            counted(components, "component"),
            builder.components
        ));
    }
    if let Some((count, at)) = builder.lost_parts(level) {
        notes.push(format!(
            "level {k}: {count} of the body's {} parts are missing or cut short, one near ({:.4}, {:.4}, {:.4}): they are smaller or thinner than its elements",
            builder.solid.border.parts,
            at.x,
            at.y,
            at.z
        ));
    }
    let handles = builder.extra_handles(level);
    if handles != 0 {
        let what = if handles > 0 {
            "gaps narrower than its elements are bridged, or walls thinner than them have holes"
        } else {
            "holes narrower than its elements are closed"
        };
        notes.push(format!(
            "level {k} (LevelTopologyMismatch): genus {} where the body has {}: {what}",
            level.shape.genus, builder.shape.genus
        ));
    }
    notes
}

/// Why the finest level is not within the tolerance.
pub(super) fn shortfall_note(
    reason: Shortfall,
    finest: &Level,
    spec: &ResolutionSequenceSpec,
) -> String {
    let at = finest.farthest_at;
    let why = match reason {
        Shortfall::Nodes => format!("more than {} nodes would be needed", spec.most_nodes),
        Shortfall::Work => {
            "a finer one would cost more work than the levels of a body may; ask for it with --nodes".into()
        }
        Shortfall::Stalled => {
            "finer levels come no closer: what lies there has no thickness, or is inside the body"
                .into()
        }
    };
    format!(
        "the finest level is {:.2} % of the diagonal away from the input near ({:.4}, {:.4}, {:.4}), not the {:.2} % wanted: {why}",
        finest.hausdorff_rel * 100.0,
        at.x,
        at.y,
        at.z,
        spec.tolerance * 100.0
    )
}

/// Removes levels below the finest for which `fits` is false: parts of the body are too thin for a coarse level. Adds a note for each.
pub fn remove_unsuitable_levels(
    levels: &mut Vec<Level>,
    fits: impl Fn(&Level) -> bool,
    notes: &mut Vec<String>,
) {
    let finest = levels.len().saturating_sub(1);
    let mut k = 0;
    levels.retain(|level| {
        k += 1;
        let stays = k > finest || fits(level);
        if !stays {
            notes.push(format!(
                "a level of {} nodes would have {:.0} % of the body's volume, as parts are thinner than its elements: left out",
                level.mesh.nodes.len(),
                100.0 * level.volume_ratio
            ));
        }
        stays
    });
}
