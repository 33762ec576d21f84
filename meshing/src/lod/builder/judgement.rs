//! How well a mesh shows the body: its measures, and a penalty.

use pliant_core::mesh::quality::tet_quality;
use pliant_core::mesh::{TetMesh, TriangleTree};
use web_time::Instant;

use super::level_builder::{Goal, LevelBuilder};
use crate::error::MeshingError;
use crate::lod::hausdorff::farthest;
use crate::lod::level::Level;
use crate::lod::shape::{Shape, dihedrals_away_from_features};
use crate::tetrahedralise::mesher::TetTarget;
use crate::tetrahedralise::stuffing::fitting::skin_fit::fit_to_skin;
use crate::tetrahedralise::stuffing::stuff::Stuffed;
use crate::tetrahedralise::verify::worst_radius_edge;

/// Largest change of volume that a level may have before something better is tried.
pub(crate) const MAX_VOLUME_CHANGE: f64 = 0.15;
/// Largest ratio of the nodes of a level to its target.
const MAX_NODE_EXCESS: f64 = 2.9;
/// A body is thin when its mean wall (twice the volume over the area) is below this many edge lengths.
const THIN_WALL_EDGES: f64 = 1.2;
/// Up to this many components, each one has to be kept.
pub(crate) const FEW_COMPONENTS: f64 = 24.0;
/// Smallest dihedral angle of a level that can be taken without another try, degrees.
const MIN_DIHEDRAL_DEG: f64 = 3.0;
/// More handles than this beyond those of the input are holes in walls.
const PERFORATION_HANDLES: f64 = 60.0;
/// Distances may be too small by this share of the box diagonal, or by this share of themselves, whichever is larger.
pub(crate) const DISTANCE_SLACK: (f64, f64) = (5e-4, 0.04);

impl LevelBuilder<'_> {
    /// The measures of a mesh that was made elsewhere.
    pub(crate) fn judge_given(&self, mesh: TetMesh) -> Result<Level, MeshingError> {
        self.judge(Stuffed::of(mesh))
    }

    /// The level with its boundary moved to the mean position of the surface, if that keeps its shape. A level with thickened walls stays unchanged.
    pub(crate) fn fit_to_skin(&self, level: Level) -> Result<Level, MeshingError> {
        if level.thickened > 0.0 {
            return Ok(level);
        }
        let start = Instant::now();
        let mesh = fit_to_skin(level.mesh.clone(), &self.solid, self.surface, self.progress)?;
        let mut fitted = self.judge_given(mesh)?;
        fitted.seconds = level.seconds + start.elapsed().as_secs_f64();
        let is_sound = fitted.min_volume > 0.0 && fitted.shape == level.shape;
        Ok(if is_sound { fitted } else { level })
    }

    pub(super) fn judge(&self, made: Stuffed) -> Result<Level, MeshingError> {
        let Stuffed {
            mesh,
            moved,
            matched,
        } = made;
        let quality = tet_quality(&mesh);
        let boundary = mesh.boundary().surface;
        let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
        let min_slack = DISTANCE_SLACK.0 * self.diagonal;
        let slack = |d: f64| min_slack.max(DISTANCE_SLACK.1 * d);
        let skin = self.skin();
        let to_skin = farthest(&boundary, skin, &self.solid.tree, slack, self.progress)?;
        let from_skin = farthest(skin, &boundary, &tree, slack, self.progress)?;
        let worst = if from_skin.distance > to_skin.distance {
            from_skin
        } else {
            to_skin
        };
        Ok(Level {
            min_dihedral_deg: quality.min_dihedral,
            max_dihedral_deg: quality.max_dihedral,
            min_volume: quality.min_volume,
            volume_ratio: mesh.volume() / self.volume,
            hausdorff_rel: worst.distance / self.diagonal,
            farthest_at: worst.at,
            shape: Shape::of(&boundary),
            boundary_edge: boundary.mean_edge(),
            edge_mean: mesh.mean_edge(),
            radius_edge: worst_radius_edge(&mesh),
            away_dihedral_deg: dihedrals_away_from_features(&mesh, &matched.nodes),
            matched: matched.nodes.len(),
            refused: matched.refused,
            thickened: moved,
            seconds: 0.0,
            mesh,
        })
    }

    /// Penalty of an attempt; at most 1 when it can be taken.
    pub(crate) fn penalty(&self, goal: Goal, level: &Level) -> f64 {
        // one of few components is much of the body, one of hundreds is not
        let missing = self.components_of(level).abs_diff(self.components) as f64;
        let missing = missing * (FEW_COMPONENTS / self.components as f64).min(1.0);
        let edge = level.boundary_edge;
        // additional handles are holes where walls are thin, else bridged gaps, which cannot be repaired here; handles that a
        // coarse lattice cannot show are no fault
        let handles = self.extra_handles(level) as f64;
        let wall = 2.0 * self.volume / self.skin().area();
        let handles = if handles <= 0.0 {
            -0.03 * handles
        } else if wall < THIN_WALL_EDGES * edge {
            (0.9 + 0.15 * handles).min(5.0)
        } else {
            // this many handles are holes in walls
            (0.9 + 0.02 * handles).min(1.2)
                + (0.02 * (handles - PERFORATION_HANDLES)).clamp(0.0, 4.0)
        };
        let allowed = (1.0 - MAX_VOLUME_CHANGE).ln().abs();
        // too much volume is better than too little
        let volume = level.volume_ratio.max(1e-6).ln() / allowed;
        let volume = (-volume).max((0.8 * volume).min(9.0));
        // an end of a part is missing, unless the distance is small anyway
        let distance = level.hausdorff_rel * self.diagonal;
        let distance_weight = ((level.hausdorff_rel - 0.02) / 0.03).clamp(0.0, 1.0);
        let lost = 2.0 * distance_weight * (distance / edge - 0.6).clamp(0.0, 2.0);
        let target_nodes = match goal {
            Goal::Tets(TetTarget::Nodes(n)) => n.max(20) as f64,
            _ => f64::INFINITY,
        };
        let excess = (level.mesh.nodes.len() as f64 / target_nodes).ln().max(0.0);
        let oversize = 0.3 * excess + 10.0 * (excess - MAX_NODE_EXCESS.ln()).max(0.0);
        // only meshers that do not bound angles make slivers
        let slivers = (0.5 * (MIN_DIHEDRAL_DEG - level.min_dihedral_deg)).clamp(0.0, 1.4);
        slivers + volume + 3.0 * missing.min(5.0) + handles + lost + oversize
    }
}
