//! Small bodies and helpers that the tests share.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint, Friction,
};
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::material::Material;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, TetMesh};
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, StepError};
use pliant_core::scene::Selection;
pub use pliant_fuzzing::on_threads;
use pliant_quasistatic::asset::inside::NamedPoint;
use pliant_quasistatic::haptics::{
    HapticParams, HapticSurface, PointFriction, ServoLoop, ServoParams, StiffnessMode,
};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{
    BakeError, GreensAsset, Precision, QuasistaticModel, QuasistaticParams, bake,
};

use crate::direct_solution::DirectSolution;

/// A box held at its bottom; the skin is the boundary itself or a grid of its own.
pub fn held_box(size: Vec3, cells: [usize; 3], skin_cells: Option<[usize; 3]>) -> BodyGeometry {
    let skin = box_surface(size, skin_cells.unwrap_or(cells), CellStyle::Kuhn);
    let skin = Arc::new(skin);
    BodyGeometry {
        greens_level: Some(Arc::new(box_tets(size, cells, CellStyle::Kuhn))),
        ..BodyGeometry::new(skin, Material::isotropic(1e5, 0.3))
            .held_at("foot", Selection::Lowest(0.01))
    }
}

pub fn params(precision: Precision) -> QuasistaticParams {
    QuasistaticParams {
        precision,
        ..QuasistaticParams::default()
    }
}

/// Columns of `generator`, in double precision.
pub fn from_generator(generator: Generator) -> QuasistaticParams {
    QuasistaticParams {
        generator,
        ..params(Precision::Double)
    }
}

/// The same body, also held above `height`, m.
pub fn with_top(mut geometry: BodyGeometry, height: f64) -> BodyGeometry {
    let top = Selection::HalfSpace {
        point: [0.0, height, 0.0],
        normal: [0.0, 1.0, 0.0],
    };
    let top = SupportRegion::new("top", top, &geometry.skin);
    geometry.supports.push(top);
    geometry
}

/// The error of a bake that is refused. Its text has to end with a remedy.
pub fn refused(geometry: &BodyGeometry, params: &QuasistaticParams) -> BakeError {
    let error = bake::bake(geometry, params, &Progress::new()).expect_err("refused");
    assert!(error.to_string().contains("\n  remedy: "), "{error}");
    error
}

pub fn bake_body(geometry: &BodyGeometry, params: &QuasistaticParams) -> GreensAsset {
    bake::bake(geometry, params, &Progress::new()).expect("a held body can be baked")
}

pub fn model_with(geometry: &BodyGeometry, params: &QuasistaticParams) -> QuasistaticModel {
    QuasistaticModel::new(Arc::new(bake_body(geometry, params)), params)
}

pub fn baked(geometry: &BodyGeometry, precision: Precision) -> Arc<GreensAsset> {
    Arc::new(bake_body(geometry, &params(precision)))
}

pub fn model(geometry: &BodyGeometry, precision: Precision) -> QuasistaticModel {
    model_with(geometry, &params(precision))
}

/// A point inside without a load.
pub fn point(name: &str, x: Vec3) -> NamedPoint {
    NamedPoint {
        name: name.to_string(),
        point: x,
        load: Vec3::zeros(),
    }
}

/// A point with a load on it.
pub fn loaded_core() -> NamedPoint {
    NamedPoint {
        load: Vec3::x(),
        ..point("core", Vec3::new(0.02, 0.01, -0.03))
    }
}

/// A cone-shaped mask of `radius` (m) and a device of `rigid_stiffness` (N/m).
pub fn haptic_params(radius: f64, rigid_stiffness: f64) -> HapticParams {
    HapticParams {
        mask_radius: radius,
        rigid_stiffness,
        mode: StiffnessMode::Interpolated,
        young: None,
    }
}

/// A servo loop at rest, with this friction.
pub fn servo(surface: &Arc<HapticSurface>, friction: PointFriction) -> ServoLoop {
    let params = ServoParams {
        friction,
        ..ServoParams::default()
    };
    ServoLoop::new(surface.clone(), params).expect("valid")
}

/// Sets a parameter of the model.
pub fn set(model: &mut QuasistaticModel, name: &str, value: f64) {
    let value = ParameterValue::Number(value);
    model.set_parameter(name, value).expect("in range");
}

/// A counter of the last frame.
pub fn counter(model: &QuasistaticModel, name: &str) -> f64 {
    let found = model.stats().counter(name);
    found.expect("a counter of this model")
}

/// Two vectors differ by less than `share` of the length of the second.
#[track_caller]
pub fn assert_near(found: Vec3, expected: Vec3, share: f64) {
    let difference = (found - expected).norm();
    assert!(difference < share * expected.norm(), "{found} {expected}");
}

/// Columns are reciprocal, and a force does positive work where it acts.
pub fn assert_reciprocal(asset: &GreensAsset) {
    let n = asset.nodes();
    let own = (0..n).map(|i| asset.matrix.block(i, i).norm());
    let largest = own.fold(0.0, f64::max);
    for i in 0..n {
        let own = asset.matrix.block(i, i);
        assert!((own + own.transpose()).symmetric_eigenvalues().min() > 0.0);
        for j in 0..i {
            let difference = asset.matrix.block(i, j) - asset.matrix.block(j, i).transpose();
            assert!(difference.norm() < 1e-12 * largest, "{i} {j}");
        }
    }
}

/// Supports carry every force on every free node within `tolerance`.
pub fn assert_supported(asset: &GreensAsset, tolerance: f64) {
    for node in 0..asset.nodes() {
        let carried: Mat3 = asset.supports.iter().map(|s| s.reactions[node]).sum();
        assert!((carried + Mat3::identity()).norm() < tolerance, "{node}");
    }
}

/// Displacements and forces of a frame equal those of a direct solution within `tolerance` of the largest. Returns the largest displacement, m.
pub fn assert_solved(
    (model, boundary): (&QuasistaticModel, &BoundaryConditions),
    direct: &DirectSolution,
    node_of_vertex: &[u32],
    foot: &[u32],
    tolerance: f64,
) -> f64 {
    let scale = longest(&direct.displacements).max(1e-4);
    for (vertex, &node) in node_of_vertex.iter().enumerate() {
        let error = model.displacement(vertex) - direct.displacements[node as usize];
        assert!(error.norm() < tolerance * scale, "vertex {vertex}");
    }
    let force_scale = longest(&direct.reactions).max(1.0);
    for (c, reaction) in boundary.displacements().iter().zip(model.reactions()) {
        let expected = direct.reactions[node_of_vertex[c.vertex as usize] as usize];
        let error = reaction - expected;
        assert!(
            error.norm() < tolerance * force_scale,
            "vertex {}",
            c.vertex
        );
    }
    let on_foot: Vec3 = foot.iter().map(|&n| direct.reactions[n as usize]).sum();
    let error = model.support_reactions()[0] - on_foot;
    assert!(error.norm() < tolerance * force_scale, "support");
    scale
}

/// The mesh with a copy of itself, moved by `shift`.
pub fn with_loose_part(mesh: &TetMesh, shift: Vec3) -> TetMesh {
    let count = mesh.nodes.len() as u32;
    let (mut nodes, mut tets) = (mesh.nodes.clone(), mesh.tets.clone());
    nodes.extend(mesh.nodes.iter().map(|x| x + shift));
    tets.extend(mesh.tets.iter().map(|t| t.map(|v| v + count)));
    TetMesh { nodes, tets }
}

/// Stiffness of a patch, N/m: unit cube, E = 100 kPa, ν = 0.3, patch of half the edge; converged spectral elements.
pub const NORMAL: f64 = 65632.1;
pub const LATERAL: f64 = 15647.2;

/// That patch, moved by `displacement`, m.
pub fn bonded_patch(skin: &SurfaceMesh, displacement: Vec3) -> BoundaryConditions {
    let patch = (0..skin.vertex_count() as u32).filter(|&v| {
        let x = skin.positions[v as usize];
        x.y > 0.499 && x.x.abs() < 0.2501 && x.z.abs() < 0.2501
    });
    let held = patch.map(|v| hold(v, skin.positions[v as usize] + displacement, None));
    constrained(held)
}

/// Stiffness of the patch along `direction`, N/m.
pub fn patch_stiffness(model: &mut QuasistaticModel, direction: Vec3) -> f64 {
    let boundary = bonded_patch(model.surface(), direction * 1e-3);
    advance(model, &boundary).expect("regular");
    model.reactions().iter().sum::<Vec3>().dot(&direction) / 1e-3
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
        expected_force: Vec3::zeros(),
    }
}

/// Keeps a vertex on the side of `target` that `normal` points to.
pub fn push(vertex: u32, target: Vec3, normal: Vec3) -> DisplacementConstraint {
    DisplacementConstraint {
        kind: ConstraintKind::Unilateral,
        ..hold(vertex, target, Some(normal))
    }
}

/// Boundary conditions with these constraints alone.
pub fn constrained(
    constraints: impl IntoIterator<Item = DisplacementConstraint>,
) -> BoundaryConditions {
    let mut boundary = BoundaryConditions::default();
    boundary.set_displacements(constraints).expect("distinct");
    boundary
}

/// Vertices of a skin above `height`, m.
pub fn above(skin: &SurfaceMesh, height: f64) -> Vec<u32> {
    let vertices = 0..skin.vertex_count() as u32;
    let is_above = |v: &u32| skin.positions[*v as usize].y > height;
    vertices.filter(is_above).collect()
}

/// The length of the longest of some vectors.
pub fn longest<'a>(vectors: impl IntoIterator<Item = &'a Vec3>) -> f64 {
    let lengths = vectors.into_iter().map(|x| x.norm());
    lengths.fold(0.0, f64::max)
}

/// The bits of the positions of a frame.
pub fn bits(frame: &SurfaceFrame) -> Vec<[u32; 3]> {
    let positions = frame.positions.iter();
    positions.map(|x| x.map(f32::to_bits)).collect()
}

/// A linear congruential generator of pseudo-random numbers.
pub struct RandomNumbers(pub u64);

impl RandomNumbers {
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
