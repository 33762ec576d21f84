//! What a bake of Green's functions gives.

use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::bake::StageTimes;

/// Baked Green's functions and what their bake took.
pub struct BakedGreens {
    /// The Green's functions.
    pub asset: GreensAsset,
    /// Wall time of the stages of the bake; zero for a file.
    pub times: StageTimes,
    /// Number of boundary vertices, the held ones included.
    pub boundary_vertices: usize,
}

impl BakedGreens {
    /// Green's functions from a file, which took no time.
    pub(super) fn of_file(asset: GreensAsset) -> Self {
        Self {
            boundary_vertices: asset.skin.vertex_count(),
            times: StageTimes::default(),
            asset,
        }
    }
}
