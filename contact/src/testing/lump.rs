//! A small model for tests of contact: all skin vertices are nodes and one region (meshless deformations by shape matching, Müller et al. 2005).

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::Pose;
use pliant_core::inspect::{Capabilities, Inspect, ModelStats};
use pliant_core::math::polar::nearest_rotation;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SkinEmbedding, SkinPart, SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
    SteppedModel,
};

/// Steps a frame.
const STEPS: u32 = 16;

const ALPHA: f64 = 0.5;

/// Share of the motion that is not rigid that a step damps.
const DAMPING: f64 = 0.3;

/// A soft body of one region.
pub(crate) struct Lump {
    skin: Arc<SurfaceMesh>,
    embedding: SkinEmbedding,
    inverse: Vec<f64>,
    pub x: Vec<Vec3>,
    pub v: Vec<Vec3>,
    saved: (Vec<Vec3>, Vec<Vec3>),
    gravity: Vec3,
    step: f64,
    spacing: f64,
    /// steps a frame
    pub steps: u32,
    /// value of [`SteppedModel::spread_within_step`], at any stride
    pub spread: f64,
    /// whether contact acts on it `steps` times a frame, no matter how many steps the group takes
    pub has_own_contact_steps: bool,
    /// least number of steps with which a frame succeeds
    pub needed: u32,
    taken: u32,
    failed: Option<u32>,
}

impl Lump {
    /// A body of nodes of 1 kg.
    pub fn new(skin: &Arc<SurfaceMesh>, spacing: f64) -> Self {
        let count = skin.vertex_count();
        let rows = (0..count as u32).map(|v| (vec![(v, 1.0)], 0.0));
        Self {
            embedding: SkinEmbedding::from_rows(rows),
            inverse: vec![1.0; count],
            x: skin.positions.clone(),
            v: vec![Vec3::zeros(); count],
            saved: Default::default(),
            gravity: Vec3::zeros(),
            step: 0.0,
            skin: Arc::clone(skin),
            spacing,
            steps: STEPS,
            spread: 0.0,
            has_own_contact_steps: false,
            needed: 0,
            taken: 0,
            failed: None,
        }
    }

    pub fn center(&self) -> Vec3 {
        self.x.iter().sum::<Vec3>() / self.x.len() as f64
    }

    /// velocities towards those of the rigid motion with the same momenta
    fn damp(&mut self) {
        let (c, n) = (self.center(), self.x.len() as f64);
        let mean = self.v.iter().sum::<Vec3>() / n;
        let (mut angular_momentum, mut inertia) = (Vec3::zeros(), Mat3::zeros());
        for (x, v) in self.x.iter().zip(&self.v) {
            let r = x - c;
            angular_momentum += r.cross(v);
            inertia += Mat3::identity() * r.norm_squared() - r * r.transpose();
        }
        let angular_velocity = inertia
            .try_inverse()
            .map_or(Vec3::zeros(), |i| i * angular_momentum);
        for (x, v) in self.x.iter().zip(&mut self.v) {
            let rigid = mean + angular_velocity.cross(&(x - c));
            *v += (rigid - *v) * DAMPING;
        }
    }
}

impl SteppedModel for Lump {
    fn embedding(&self) -> &SkinEmbedding {
        &self.embedding
    }
    fn inverse_masses(&self) -> &[f64] {
        &self.inverse
    }
    fn node_positions(&self) -> &[Vec3] {
        &self.x
    }
    fn node_velocities(&self) -> &[Vec3] {
        &self.v
    }
    fn nodes_mut(&mut self) -> (&[Vec3], &mut [Vec3]) {
        (&self.x, &mut self.v)
    }
    fn contact_spacing(&self) -> f64 {
        self.spacing
    }
    fn write_skin(&self, out: SkinPart<'_>) {
        out.set(&self.skin, |v| self.x[v]);
    }
    fn spread_within_step(&self, _stride: u32) -> f64 {
        self.spread
    }
    fn contact_steps(&self) -> Option<u32> {
        self.has_own_contact_steps.then_some(self.steps)
    }
    fn exclusion_distance(&self) -> f64 {
        3.0 * self.spacing
    }
    fn shift(&mut self, change: &dyn Fn(&Vec3) -> Vec3) {
        self.x.iter_mut().for_each(|x| *x += change(x));
    }
    fn place(&mut self, pose: &Pose) {
        self.x = self
            .skin
            .positions
            .iter()
            .map(|x| pose.to_world(x))
            .collect();
        self.stop();
    }
    fn stop(&mut self) {
        self.v.fill(Vec3::zeros());
    }
    fn undo(&mut self) {
        (self.x, self.v) = self.saved.clone();
    }
    fn least_steps(&self, _duration: f64) -> u32 {
        self.steps
    }
    fn begin(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        steps: u32,
    ) -> Result<(), StepError> {
        self.saved = (self.x.clone(), self.v.clone());
        self.gravity = boundary.gravity;
        self.step = duration / f64::from(steps);
        (self.taken, self.failed) = (steps, None);
        Ok(())
    }
    fn kick(&mut self, step: u32) {
        if self.taken < self.needed && step > 2 {
            self.failed.get_or_insert(step);
            self.v.fill(Vec3::repeat(f64::NAN));
            return;
        }
        self.damp();
        let rest = &self.skin.positions;
        let rest_center = rest.iter().sum::<Vec3>() / rest.len() as f64;
        let center = self.center();
        let mut a = Mat3::zeros();
        for (x, x0) in self.x.iter().zip(rest) {
            a += (x - center) * (x0 - rest_center).transpose();
        }
        let turned = nearest_rotation(&a);
        let h = self.step;
        for ((x, v), x0) in self.x.iter().zip(&mut self.v).zip(rest) {
            let goal = turned * (x0 - rest_center) + center;
            *v += (goal - x) * (ALPHA / h) + self.gravity * h;
        }
    }
    fn drift(&mut self) {
        for (x, v) in self.x.iter_mut().zip(&self.v) {
            *x += v * self.step;
        }
    }
    fn end(&mut self) -> Result<(), StepError> {
        let finite = self.x.iter().flatten().all(|c| c.is_finite());
        if finite {
            return Ok(());
        }
        Err(StepError::Diverged {
            method: "lump",
            time: 0.0,
            cause: "a number is not finite".to_string(),
        })
    }
    fn failed_step(&self) -> Option<u32> {
        self.failed
    }
}

impl DeformableModel for Lump {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.skin
    }
    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        self.begin(request.duration, request.boundary, self.steps)?;
        for k in 0..self.steps {
            self.kick(k);
            self.drift();
        }
        Ok(FrameReport::default())
    }
    fn write_surface(&self, out: &mut SurfaceFrame) {
        self.write_skin(out.room_for(self.x.len()));
    }
    fn reactions(&self) -> &[Vec3] {
        &[]
    }
    fn support_reactions(&self) -> &[Vec3] {
        &[]
    }
    fn reset(&mut self) {
        self.place(&Pose::at(Vec3::zeros()));
    }
    fn snapshot(&self) -> StateSnapshot {
        let values = self.x.iter().chain(&self.v).flatten().copied().collect();
        StateSnapshot {
            kind: "lump",
            values,
        }
    }
    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        let mut numbers = snapshot.values.chunks_exact(3);
        for a in self.x.iter_mut().chain(&mut self.v) {
            *a = Vec3::from_column_slice(numbers.next().ok_or(SnapshotMismatch)?);
        }
        Ok(())
    }
}

impl Inspect for Lump {
    fn kind(&self) -> &'static str {
        "lump"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }
    fn stats(&self) -> ModelStats {
        ModelStats::default()
    }
}
