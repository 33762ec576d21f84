//! Bodies whose file has tetrahedra: these are the finest level as they are, coarser ones are made from their boundary.

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::builder::level_builder::{Goal, LevelBuilder};
use super::level::Level;
use super::notes::level_notes;
use super::resolution_sequence::{ResolutionSequence, coarsest_nodes};
use super::shape::significant_components;
use crate::error::MeshingError;
use crate::tetrahedralise::fits_together::fits_together;
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};

/// Ratio of the nodes of a level to those of the next coarser one, where the number of levels is not given: edges nearly halve.
const NODE_RATIO: f64 = 6.6;
/// A level has at most this share of the nodes of the next finer one.
const MAX_NODE_SHARE: f64 = 0.6;
/// Least number of levels below the given one where their number is not given, if they fit.
const MIN_LEVELS: usize = 2;

/// Targets for the levels below tetrahedra with `nodes` nodes: from about 60 nodes on (more for several components) in equal ratios; `count`
/// of them, as many as even steps need where there is none, fewer where no more fit.
pub fn targets_below(surface: &SurfaceMesh, nodes: usize, count: Option<usize>) -> Vec<TetTarget> {
    let coarsest = coarsest_nodes(significant_components(surface)) as f64;
    let span = nodes as f64 / coarsest;
    let steps = |ratio: f64| (span.ln() / ratio.ln()).max(0.0);
    let requested = count.unwrap_or_else(|| MIN_LEVELS.max(steps(NODE_RATIO).round() as usize));
    let count = requested.min(steps(1.0 / MAX_NODE_SHARE) as usize);
    let step = |k: usize| coarsest * span.powf(k as f64 / count as f64);
    (0..count)
        .map(|k| TetTarget::Nodes(step(k).round() as usize))
        .collect()
}

/// Levels for `targets` as [`crate::lod::build_targets`] makes them of `surface`, then `given` as the finest, bit for bit. `surface` is the boundary of
/// `given`, repaired, in the same unit and axes. Targets that would not be coarser than `given` make no level.
///
/// # Errors
/// Those of [`crate::lod::build_targets`]; [`MeshingError::NotALevel`] where the tetrahedra do not fit together.
pub fn build_given(
    given: &TetMesh,
    surface: &SurfaceMesh,
    targets: &[TetTarget],
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<ResolutionSequence, MeshingError> {
    fits_together(given)?;
    let builder = LevelBuilder::new(surface, mesher, progress)?;
    let max_nodes = MAX_NODE_SHARE * given.nodes.len() as f64;
    let edge = given.mean_edge();
    let mut sequence = ResolutionSequence {
        levels: Vec::new(),
        input: builder.shape,
        notes: Vec::new(),
    };
    for (k, &target) in targets.iter().enumerate() {
        progress.stage(&format!("tetrahedra, level {} of {}", k + 1, targets.len()));
        progress.check()?;
        let is_coarser = match target {
            TetTarget::Nodes(nodes) => nodes as f64 <= max_nodes,
            TetTarget::Edge(length) => length > edge,
        };
        let nodes = |level: &Level| level.mesh.nodes.len();
        let coarser_nodes = sequence.levels.last().map_or(0, nodes);
        let level = is_coarser.then(|| builder.build(Goal::Tets(target)));
        let fits = |l: &Level| (coarser_nodes + 1..given.nodes.len()).contains(&nodes(l));
        if let Some(level) = level.transpose()?.filter(fits) {
            let k = sequence.levels.len();
            sequence
                .notes
                .extend(level_notes(k, &level, Some(target), &builder));
            sequence.levels.push(level);
        } else {
            sequence.notes.push(format!(
                "target {} of {} gives nothing between the level before and the tetrahedra of the file: left out",
                k + 1,
                targets.len()
            ));
        }
        progress.set_fraction(1.0);
    }
    let finest = builder.judge_given(given.clone())?;
    let k = sequence.levels.len();
    sequence
        .notes
        .extend(level_notes(k, &finest, None, &builder));
    sequence.notes.push(format!(
        "level {k} is the {} tetrahedra of the file as they are",
        given.tets.len()
    ));
    sequence.levels.push(finest);
    Ok(sequence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetrahedralise::fits_together::Unusable;
    use crate::tetrahedralise::stuffing::mesher::Stuffing;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn the_given_tetrahedra_are_the_finest_level_bit_for_bit() {
        let given = box_tets(Vec3::new(1.0, 0.6, 0.4), [10, 6, 4], CellStyle::Alternating);
        let surface = given.boundary().surface;
        let targets = targets_below(&surface, given.nodes.len(), None);
        assert_eq!(targets.len(), 2);
        let sequence =
            build_given(&given, &surface, &targets, &Stuffing, &Progress::new()).expect("levels");
        let levels = sequence.levels;
        assert_eq!(levels.len(), 3);
        let finest = &levels[2];
        assert_eq!(finest.mesh, given);
        assert!(finest.hausdorff_rel < 1e-6, "{}", finest.hausdorff_rel);
        assert!((finest.volume_ratio - 1.0).abs() < 1e-12);
        let nodes: Vec<usize> = levels.iter().map(|l| l.mesh.nodes.len()).collect();
        assert!(nodes.is_sorted_by(|a, b| a < b), "{nodes:?}");
    }

    #[test]
    fn targets_that_are_too_fine_make_no_level() {
        let given = box_tets(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Alternating);
        let surface = given.boundary().surface;
        assert_eq!(targets_below(&surface, given.nodes.len(), Some(3)), []);
        let targets = [TetTarget::Nodes(20), TetTarget::Edge(0.1)];
        let sequence = build_given(&given, &surface, &targets, &Stuffing, &Progress::new())
            .expect("one level");
        assert_eq!(sequence.levels.len(), 1);
        assert_eq!(sequence.notes.len(), 3, "{:?}", sequence.notes);
    }

    #[test]
    fn tetrahedra_that_overlap_or_share_a_face_by_three_are_refused() {
        let mut mesh = box_tets(Vec3::repeat(1.0), [1, 1, 1], CellStyle::Kuhn);
        assert_eq!(fits_together(&mesh), Ok(()));
        mesh.nodes.push(Vec3::new(0.1, 0.2, -0.3));
        let [a, b, c, _] = mesh.tets[0];
        mesh.tets.push([a, b, c, 8]);
        assert!(matches!(
            fits_together(&mesh),
            Err(Unusable::Folded { .. } | Unusable::FacesShared { .. })
        ));
        let surface = mesh.boundary().surface;
        let error =
            build_given(&mesh, &surface, &[], &Stuffing, &Progress::new()).expect_err("refused");
        assert!(matches!(error, MeshingError::NotALevel(_)));
    }
}
