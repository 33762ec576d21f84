//! Small bodies for the tests.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, ElementModel, LevelChoice, LodHierarchy};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{Damping, LameParameters, Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest};
use pliant_core::scene::Selection;

/// A frame of the tests, s.
pub const FRAME: f64 = 1.0 / 60.0;

/// The material of the oscillating cube: λ = 5e5 Pa, μ = 4e5 Pa, 1000 kg/m³.
pub fn cube_material(zeta: f64) -> Material {
    Material {
        elastic: LameParameters {
            lambda: 5e5,
            mu: 4e5,
        }
        .into(),
        density: 1000.0,
        damping: Damping::Ratio(zeta),
        law: MaterialLaw::Green,
    }
}

/// A box with levels of the given cells, held where `support` says.
pub fn block(
    size: Vec3,
    levels: &[[usize; 3]],
    material: Material,
    support: Option<Selection>,
) -> BodyGeometry {
    let finest = levels.last().copied().expect("a level");
    let skin = Arc::new(box_surface(size, finest, CellStyle::Alternating));
    let body = BodyGeometry {
        levels: levels
            .iter()
            .map(|&cells| Arc::new(box_tets(size, cells, CellStyle::Alternating)))
            .collect(),
        ..BodyGeometry::new(skin, material)
    };
    match support {
        Some(support) => body.held_at("foot", support),
        None => body,
    }
}

/// A baked hierarchy.
pub fn baked(geometry: &BodyGeometry) -> Arc<LodHierarchy> {
    Arc::new(LodHierarchy::bake(geometry, &Progress::new()).expect("bakes"))
}

/// A model of level `level` under an element model.
pub fn body(asset: &Arc<LodHierarchy>, level: usize, model: ElementModel) -> AdaptiveModel {
    let params = AdaptiveParams {
        model: Some(model),
        level: LevelChoice::Index(level),
        ..AdaptiveParams::default()
    };
    AdaptiveModel::new(asset.clone(), params).expect("fits")
}

/// One frame without a force tap.
pub fn frame(body: &mut AdaptiveModel, boundary: &BoundaryConditions) -> FrameReport {
    body.advance(FrameRequest::new(FRAME, boundary))
        .expect("advances")
}

/// A smooth deformation that bends, twists and stretches by some per cent.
pub fn bent(x: &Vec3) -> Vec3 {
    Vec3::new(
        x.x * 1.05 + 0.08 * (2.0 * x.y).sin(),
        x.y * 0.94 + 0.05 * x.x * x.z,
        x.z + 0.06 * (1.5 * x.x + 0.4).cos(),
    )
}
