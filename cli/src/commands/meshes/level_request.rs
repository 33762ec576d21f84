//! The levels that `pliant mesh` builds, and their key in the cache.

use pliant_core::asset::{AssetKey, KeyHasher, Progress};
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_meshing::error::MeshingError;
use pliant_meshing::lod::{
    ResolutionSequence, ResolutionSequenceSpec, build_given, build_resolution_sequence,
    build_targets, targets_below,
};
use pliant_meshing::tetrahedralise::{TetMesher, TetTarget};
use pliant_simulation::geometry::MESHING_VERSION;

use crate::args::Mesh;
use crate::failure::Failure;

/// Name of these assets in the cache.
pub(super) const KIND: &str = "levels";

/// The requested levels.
pub(super) enum LevelRequest {
    Targets(Vec<TetTarget>),
    ResolutionSequence(ResolutionSequenceSpec),
}

impl LevelRequest {
    /// Reads the options.
    pub(super) fn from_args(args: &Mesh) -> Result<Self, Failure> {
        if args.nodes.iter().any(|n| *n < 4) {
            return Err(Failure::bad_input(
                "BadNodes",
                "a level needs at least 4 nodes",
                "give larger numbers to --nodes",
            ));
        }
        if args.edge.iter().any(|e| !(e.is_finite() && *e > 0.0)) {
            return Err(Failure::bad_input(
                "BadEdge",
                "an edge length must be a positive number of metres",
                "give other numbers to --edge",
            ));
        }
        if !args.nodes.is_sorted_by(|a, b| a < b) {
            return Err(Failure::bad_input(
                "BadNodes",
                "node counts must rise from level to level",
                "give --nodes from coarse to fine",
            ));
        }
        if !args.edge.is_sorted_by(|a, b| a > b) {
            return Err(Failure::bad_input(
                "BadEdge",
                "edge lengths must fall from level to level",
                "give --edge from coarse to fine",
            ));
        }
        if let Some(levels) = args.levels
            && !args.nodes.is_empty()
            && args.nodes.len() != usize::from(levels)
        {
            return Err(Failure::bad_input(
                "Usage",
                format!(
                    "--levels {levels} and {} numbers in --nodes contradict each other",
                    args.nodes.len()
                ),
                "leave one of them out",
            ));
        }
        let nodes = args.nodes.iter().copied().map(TetTarget::Nodes);
        let edges = args.edge.iter().copied().map(TetTarget::Edge);
        let targets: Vec<TetTarget> = nodes.chain(edges).collect();
        Ok(if targets.is_empty() {
            Self::ResolutionSequence(ResolutionSequenceSpec {
                levels: args.levels.map(usize::from),
                ..ResolutionSequenceSpec::default()
            })
        } else {
            Self::Targets(targets)
        })
    }

    /// The request as text for the cache key. The text has older names than the types, so that cached sequences stay valid.
    fn key_text(&self) -> String {
        match self {
            Self::Targets(targets) => format!("Targets({targets:?})"),
            Self::ResolutionSequence(ResolutionSequenceSpec {
                levels,
                tolerance,
                most_nodes,
            }) => format!(
                "Ladder(LadderSpec {{ levels: {levels:?}, tolerance: {tolerance:?}, most_nodes: {most_nodes:?} }})"
            ),
        }
    }

    /// The cache key of the levels, from everything that they depend on.
    pub(super) fn key(
        &self,
        surface: &SurfaceMesh,
        tets: Option<&TetMesh>,
        mesher: &str,
    ) -> AssetKey {
        let mut key = KeyHasher::new(KIND, MESHING_VERSION);
        key.bytes("program", env!("CARGO_PKG_VERSION").as_bytes());
        key.bytes(
            "request",
            format!("{} {mesher}", self.key_text()).as_bytes(),
        );
        key.positions("positions", &surface.positions);
        key.indices("triangles", surface.triangles.iter().flatten().copied());
        if let Some(tets) = tets {
            key.positions("nodes", &tets.nodes);
            key.indices("tetrahedra", tets.tets.iter().flatten().copied());
        }
        key.finish()
    }

    /// Builds the levels, from the tetrahedra of a file where there are some.
    pub(super) fn build(
        &self,
        surface: &SurfaceMesh,
        tets: Option<&TetMesh>,
        mesher: &dyn TetMesher,
        progress: &Progress,
    ) -> Result<ResolutionSequence, MeshingError> {
        match (self, tets) {
            (Self::Targets(targets), Some(tets)) => {
                build_given(tets, surface, targets, mesher, progress)
            }
            (Self::ResolutionSequence(spec), Some(tets)) => {
                let coarser = spec.levels.map(|n| n.saturating_sub(1));
                let targets = targets_below(surface, tets.nodes.len(), coarser);
                build_given(tets, surface, &targets, mesher, progress)
            }
            (Self::Targets(targets), None) => build_targets(surface, targets, mesher, progress),
            (Self::ResolutionSequence(spec), None) => {
                build_resolution_sequence(surface, spec, mesher, progress)
            }
        }
    }
}
