//! Small bodies and frames that the tests share.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint, Friction,
};
use pliant_core::material::{Material, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, StepError};
use pliant_core::scene::Selection;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticModel, QuasistaticParams, bake};

/// A box held at its bottom; the skin is the boundary itself or a grid of its own.
pub fn held_box(size: Vec3, cells: [usize; 3], skin_cells: Option<[usize; 3]>) -> BodyGeometry {
    let skin = box_surface(size, skin_cells.unwrap_or(cells), CellStyle::Kuhn);
    let skin = Arc::new(skin);
    BodyGeometry {
        material: Material {
            elastic: YoungPoisson {
                young: 1e5,
                poisson: 0.3,
            },
            ..Material::default()
        },
        supports: vec![SupportRegion::new("foot", Selection::Lowest(0.01), &skin)],
        levels: Vec::new(),
        greens_level: Some(Arc::new(box_tets(size, cells, CellStyle::Kuhn))),
        voxels: None,
        skin,
    }
}

pub fn params(precision: Precision) -> QuasistaticParams {
    QuasistaticParams {
        precision,
        ..QuasistaticParams::default()
    }
}

pub fn baked(geometry: &BodyGeometry, precision: Precision) -> Arc<GreensAsset> {
    let asset = bake::bake(geometry, &params(precision), &Progress::new());
    Arc::new(asset.expect("a held box can be baked"))
}

pub fn model(geometry: &BodyGeometry, precision: Precision) -> QuasistaticModel {
    QuasistaticModel::new(baked(geometry, precision), &params(precision))
}

pub fn advance(
    model: &mut QuasistaticModel,
    boundary: &BoundaryConditions,
) -> Result<FrameReport, StepError> {
    model.advance(FrameRequest::new(1.0 / 60.0, boundary))
}

/// Holds a vertex at `target`, or only its component along `along`.
pub fn hold(vertex: u32, target: Vec3, along: Option<Vec3>) -> DisplacementConstraint {
    DisplacementConstraint {
        vertex,
        target,
        velocity: Vec3::zeros(),
        directions: match along {
            Some(n) => ConstrainedDirections::Along(n),
            None => ConstrainedDirections::All,
        },
        kind: ConstraintKind::Bilateral,
        friction: Friction::None,
    }
}

/// Keeps a vertex on the side of `target` that `normal` points to.
pub fn push(vertex: u32, target: Vec3, normal: Vec3) -> DisplacementConstraint {
    DisplacementConstraint {
        kind: ConstraintKind::Unilateral,
        ..hold(vertex, target, Some(normal))
    }
}

/// A small generator of repeatable numbers.
pub struct Numbers(pub u64);

impl Numbers {
    /// Between -1 and 1.
    pub fn signed(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, scale: f64) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed()) * scale
    }

    pub fn below(&mut self, count: usize) -> usize {
        (((self.signed() + 1.0) / 2.0) * count as f64) as usize % count
    }

    pub fn unit(&mut self) -> Vec3 {
        (self.vector(1.0) + Vec3::new(0.01, 0.02, 0.03)).normalize()
    }
}

/// A model whose columns come from boundary elements.
pub fn boundary_model(geometry: &BodyGeometry) -> QuasistaticModel {
    let params = QuasistaticParams {
        generator: Generator::BemLinear,
        ..params(Precision::Double)
    };
    let asset = bake::bake(geometry, &params, &Progress::new()).expect("a held box can be baked");
    QuasistaticModel::new(Arc::new(asset), &params)
}
