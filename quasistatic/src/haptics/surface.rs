//! The model of a body for a servo loop: stiffness and normals at each point of the skin, and the neighbours of each triangle.

use std::sync::Arc;

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, SurfacePoint};
use rayon::prelude::*;

use crate::asset::GreensAsset;
use crate::capacitance::nodal::NodalForces;
use crate::haptics::contact_force::ContactMode;
use crate::haptics::detail::{DetailReport, DetailSlopes, interpolated_normal, tilt};
use crate::haptics::error::HapticError;
use crate::haptics::geodesic_step::triangle_neighbours;
use crate::haptics::mask::PressureMasks;
use crate::haptics::stiffness::{
    masked_compliance, masked_forces, symmetric_stiffness, triangle_compliance,
};

/// How stiffness follows from the corners of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StiffnessMode {
    /// `K(x) = Σ φ_k K_k` (James and Pai): cheap, continuous, a few percent too stiff between vertices.
    #[default]
    Interpolated,
    /// `K(x) = (Σ φ_k φ_l Z_kl)⁻¹`: consistent with the displacement of the drawn surface; stores nine blocks a triangle.
    Consistent,
}

/// Parameters of a haptic surface. There is no default: radius and stiffness are those of the tool and of the device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HapticParams {
    /// Radius of the masks, m: the size of a fingertip or tool, in metres and not in edges.
    pub mask_radius: f64,
    /// Largest stiffness that the device renders, N/m; also the stiffness of supports.
    pub rigid_stiffness: f64,
    /// How stiffness follows from the corners.
    pub mode: StiffnessMode,
    /// Young's modulus, Pa; the baked one if `None`.
    pub young: Option<f64>,
}

/// Figures of the construction of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SurfaceReport {
    /// Stiffnesses that were not positive definite and were repaired.
    pub repaired: usize,
    /// Vertices whose mask the mesh does not resolve.
    pub unresolved: usize,
    /// Largest antisymmetric part of a stiffness, as a share of it, before it was removed.
    pub asymmetry: f64,
    /// Vertices stiffer than the device can render.
    pub limited: usize,
    /// Most vertices in a mask.
    pub largest_mask: usize,
}

/// Stiffness, normals and neighbours of a body at rest; constant, shared with the servo thread.
#[derive(Debug, Clone)]
pub struct HapticSurface {
    asset: Arc<GreensAsset>,
    masks: PressureMasks,
    /// `K^H` of each vertex, N/m: at most the stiffness of the device, and equal to it on supports
    vertex_stiffnesses: Vec<Mat3>,
    /// compliances between corners of each triangle, m/N; empty unless consistent
    compliances: Vec<[[Mat3; 3]; 3]>,
    normals: Vec<Vec3>,
    pub(crate) triangle_neighbours: Vec<[u32; 3]>,
    /// slopes of a finer surface that is felt
    detail: Option<DetailSlopes>,
    rigid: f64,
    report: SurfaceReport,
}

impl HapticSurface {
    /// Computes the stiffness of every vertex: `vertices × mask` blocks, seconds for some thousand vertices. The same bits for any number
    /// of threads.
    ///
    /// # Errors
    /// [`HapticError`] for parameters without meaning.
    pub fn new(asset: Arc<GreensAsset>, params: &HapticParams) -> Result<Self, HapticError> {
        let skin = asset.skin.clone();
        let diagonal = skin.bounds().diagonal();
        let radius = params.mask_radius;
        if !(radius > 0.0 && radius < diagonal) {
            return Err(HapticError::MaskRadius { radius, diagonal });
        }
        let rigid = params.rigid_stiffness;
        if !(rigid > 0.0 && rigid.is_finite()) {
            return Err(HapticError::RigidStiffness { stiffness: rigid });
        }
        let missing = asset.matrix.missing().len();
        if missing > 0 {
            return Err(HapticError::MissingColumns { count: missing });
        }
        let mobility: Vec<f64> = (0..skin.vertex_count())
            .map(|v| asset.rows.row(v).1.iter().sum())
            .collect();
        if mobility.iter().all(|m| *m <= 0.0) {
            return Err(HapticError::NothingToTouch);
        }
        let masks = PressureMasks::new(&skin, &mobility, radius);
        let baked = asset.material.elastic.young;
        let scale = params.young.map_or(1.0, |young| young / baked);
        let stiffnesses: Vec<_> = (0..skin.vertex_count())
            .into_par_iter()
            .map_init(Vec::new, |forces, v| {
                masked_forces(&masks, &asset.rows, v, forces);
                let at = asset.rows.row(v);
                let block = |i: usize, j: usize| asset.matrix.block(i, j);
                symmetric_stiffness(&masked_compliance(at, forces, block))
            })
            .collect();
        let mut report = SurfaceReport {
            unresolved: masks.unresolved,
            largest_mask: masks.largest(),
            ..SurfaceReport::default()
        };
        let mut vertex_stiffnesses = Vec::with_capacity(stiffnesses.len());
        for found in stiffnesses {
            let Some(found) = found else {
                vertex_stiffnesses.push(Mat3::identity() * rigid);
                continue;
            };
            let stiffness = found.stiffness * scale;
            let share = device_share(&stiffness, rigid);
            report.repaired += usize::from(found.repaired);
            report.asymmetry = report.asymmetry.max(found.asymmetry);
            report.limited += usize::from(share < 1.0);
            vertex_stiffnesses.push(stiffness * share);
        }
        let compliances = match params.mode {
            StiffnessMode::Interpolated => Vec::new(),
            StiffnessMode::Consistent => (0..skin.triangles.len())
                .into_par_iter()
                .map(|t| triangle_compliance(&asset, &masks, t).map(|row| row.map(|z| z / scale)))
                .collect(),
        };
        Ok(Self {
            normals: skin.vertex_normals(),
            triangle_neighbours: triangle_neighbours(&skin.triangles),
            asset,
            masks,
            vertex_stiffnesses,
            compliances,
            detail: None,
            rigid,
            report,
        })
    }

    /// The same surface with the normals of `detail`, a finer surface of the body at rest (m). A tip feels its slopes, but touches the skin.
    ///
    /// Cost: a search for each of the samples, as many as the edges of `detail` ask for, at most 4 million.
    ///
    /// # Errors
    /// [`HapticError::DetailApart`].
    pub fn with_detail(mut self, detail: &SurfaceMesh) -> Result<Self, HapticError> {
        self.detail = Some(DetailSlopes::new(&self.asset.skin, detail)?);
        Ok(self)
    }

    /// Figures of the finer surface that is felt.
    pub fn detail(&self) -> Option<&DetailReport> {
        self.detail.as_ref().map(DetailSlopes::report)
    }

    /// The skin at rest.
    pub fn skin(&self) -> &SurfaceMesh {
        &self.asset.skin
    }

    /// The Green's functions of the body.
    pub fn asset(&self) -> &Arc<GreensAsset> {
        &self.asset
    }

    /// The masks.
    pub fn masks(&self) -> &PressureMasks {
        &self.masks
    }

    /// Figures of the construction.
    pub fn report(&self) -> &SurfaceReport {
        &self.report
    }

    /// `K^H` of a vertex, N/m: symmetric and positive definite, at most the stiffness of the device, and equal to it on supports.
    pub fn vertex_stiffness(&self, vertex: usize) -> &Mat3 {
        &self.vertex_stiffnesses[vertex]
    }

    /// `K^H(x)`, N/m: continuous over the whole skin. No allocation; some 50 ns interpolated, 150 ns consistent.
    pub fn stiffness(&self, at: &SurfacePoint) -> Mat3 {
        match self.compliances.get(at.triangle as usize) {
            None => self.interpolated(at),
            Some(blocks) => {
                let stiffness = self.consistent(blocks, at);
                stiffness * device_share(&stiffness, self.rigid)
            }
        }
    }

    /// Unit normal at a point, interpolated from the vertices.
    pub fn normal(&self, at: &SurfacePoint) -> Vec3 {
        interpolated_normal(&self.asset.skin, &self.normals, at)
    }

    /// Unit normal that a tip feels at a point: that of the finer surface, and that of the skin without one. Continuous over the skin.
    pub fn felt_normal(&self, at: &SurfacePoint) -> Vec3 {
        let normal = self.normal(at);
        match self.felt_slope(at, &normal) {
            Some(slope) => (normal + slope).normalize(),
            None => normal,
        }
    }

    /// Force (N, on the body) and stiffness (N/m) of a contact with the skin, as they are felt with the finer surface: turned with the normal, and longer by so much that a force without
    /// friction keeps its component along the normal of the skin. The same bits where the detail has no slope.
    pub(crate) fn felt_force(
        &self,
        at: &SurfacePoint,
        (force, stiffness): (Vec3, Mat3),
        mode: ContactMode,
    ) -> (Vec3, Mat3) {
        let normal = self.normal(at);
        let (Some(detail), Some(slope)) = (&self.detail, self.felt_slope(at, &normal)) else {
            return (force, stiffness);
        };
        let tilt = tilt(&normal, &slope);
        let mut felt_stiffness = tilt * stiffness;
        if mode == ContactMode::Slip {
            // the anchor follows the tip over the slopes
            let corners = self.asset.skin.corners(at.triangle as usize);
            felt_stiffness += detail.gradient(at, &corners) * force.dot(&normal);
        }
        (tilt * force, felt_stiffness)
    }

    /// Slope of the finer surface at a point, perpendicular to `normal`; `None` where there is none.
    fn felt_slope(&self, at: &SurfacePoint, normal: &Vec3) -> Option<Vec3> {
        let slope = self.detail.as_ref()?.slope(at);
        (slope != Vec3::zeros()).then(|| slope - normal * slope.dot(normal))
    }

    /// Adds the nodal forces of a contact force (N, on the body) at a point: three masked forces. Returns the share of corners on a support.
    pub fn spread(&self, at: &SurfacePoint, force: Vec3, out: &mut NodalForces) -> Vec3 {
        let corners = self.asset.skin.triangles[at.triangle as usize];
        let mut support_force = Vec3::zeros();
        for (&v, weight) in corners.iter().zip(at.weights) {
            let (vertices, shares) = self.masks.row(v as usize);
            if vertices.is_empty() {
                support_force += force * weight;
            }
            for (&vertex, &share) in vertices.iter().zip(shares) {
                out.add(&self.asset.rows, vertex, force * weight * share);
            }
        }
        support_force
    }

    fn interpolated(&self, at: &SurfacePoint) -> Mat3 {
        let corners = self.asset.skin.triangles[at.triangle as usize];
        let [a, b, c] = corners.map(|v| self.vertex_stiffnesses[v as usize]);
        let [x, y, z] = at.weights;
        a * x + b * y + c * z
    }

    fn consistent(&self, blocks: &[[Mat3; 3]; 3], at: &SurfacePoint) -> Mat3 {
        let mut compliance = Mat3::zeros();
        for (row, a) in blocks.iter().zip(at.weights) {
            for (block, b) in row.iter().zip(at.weights) {
                compliance += block * (a * b);
            }
        }
        match compliance.try_inverse() {
            Some(inverse) => (inverse + inverse.transpose()) * 0.5,
            None => Mat3::identity() * self.rigid,
        }
    }
}

/// `η = min(1, ‖K^R‖/‖K‖)` in the Frobenius norm, `K^R = rigid · I`.
fn device_share(stiffness: &Mat3, rigid: f64) -> f64 {
    let limit = 3.0_f64.sqrt() * rigid;
    let norm = stiffness.norm();
    if norm > limit { limit / norm } else { 1.0 }
}
