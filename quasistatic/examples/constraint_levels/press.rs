//! A rabbit whose columns are wavelets, and a tool that presses it frame by frame.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::boundary::{BoundaryConditions, Friction};
use pliant_core::contact::{ContactTracker, Pose, Tool, ToolShape, TouchedBody};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, StepError, WorkBudget};
use pliant_quasistatic::bake::{BakeControl, bake_on_surface};
use pliant_quasistatic::benchmark::rabbit::SubdividedRabbit;
use pliant_quasistatic::greens::wavelets::WaveletSpec;
use pliant_quasistatic::params::{ConstraintLevel, Generator};
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticModel, QuasistaticParams};

/// Length of a frame, s.
pub const FRAME: f64 = 1.0 / 60.0;

/// The rabbit with so many levels above the coarsest, and its dense columns.
pub fn baked_rabbit(levels: usize, precision: Precision) -> (SubdividedRabbit, GreensAsset) {
    let body = SubdividedRabbit::new(levels).expect("a small hierarchy");
    let params = QuasistaticParams {
        generator: Generator::BemLinear,
        precision,
        ..QuasistaticParams::default()
    };
    let (geometry, skin) = (&body.geometry, &body.geometry.skin);
    let progress = Progress::new();
    let baked = bake_on_surface(geometry, skin, &params, &BakeControl::new(&progress));
    let (asset, _) = baked.expect("a held body");
    (body, asset)
}

/// The same body, compressed at epsilon 0.05 with the near field of scenes.
pub fn rabbit(levels: usize) -> Arc<GreensAsset> {
    let (body, asset) = baked_rabbit(levels, Precision::default());
    let spec = WaveletSpec {
        near_field: Some(2.2),
        ..WaveletSpec::default()
    };
    let compressed = asset.compressed(&body.boundary(), &spec, &Progress::new());
    Arc::new(compressed.expect("compressed").0)
}

/// A body under one tool.
pub struct Press {
    /// The body.
    pub model: QuasistaticModel,
    /// Its skin after the last frame.
    pub frame: SurfaceFrame,
    /// What the last frame asked for.
    pub boundary: BoundaryConditions,
    /// Time of its solution, s.
    pub seconds: f64,
    tracker: ContactTracker,
    held: Vec<bool>,
    last: Option<Vec3>,
    shape: ToolShape,
    friction: Friction,
}

impl Press {
    /// A body at rest and a tool that is nowhere yet.
    pub fn new(asset: &Arc<GreensAsset>, level: ConstraintLevel, shape: ToolShape) -> Self {
        let params = QuasistaticParams {
            constraint_level: level,
            max_contacts: 2000,
            ..QuasistaticParams::default()
        };
        let model = QuasistaticModel::new(Arc::clone(asset), &params);
        let mut frame = SurfaceFrame::default();
        model.write_surface(&mut frame);
        let vertices = 0..asset.skin.vertex_count();
        let held = vertices.map(|v| asset.rows.row(v).0.is_empty()).collect();
        Self {
            model,
            frame,
            boundary: BoundaryConditions::default(),
            seconds: 0.0,
            tracker: ContactTracker::default(),
            held,
            last: None,
            shape,
            friction: Friction::None,
        }
    }

    /// The same tool with Coulomb friction.
    pub fn with_friction(mut self, coefficient: f64) -> Self {
        self.friction = Friction::coulomb(coefficient);
        self
    }

    /// Moves the tool to `place` (m) in one frame.
    pub fn step(&mut self, place: Vec3, budget: WorkBudget) -> Result<FrameReport, StepError> {
        self.update_contact(place);
        let start = Instant::now();
        let report = self
            .model
            .advance(FrameRequest::new(FRAME, &self.boundary).within(budget))?;
        self.seconds = start.elapsed().as_secs_f64();
        self.model.write_surface(&mut self.frame);
        self.tracker.record_reactions(self.model.reactions());
        Ok(report)
    }

    /// Finds what the tool touches on its way to `place`, m.
    fn update_contact(&mut self, place: Vec3) {
        let skin = Arc::clone(&self.model.asset().skin);
        let diagonal = skin.bounds().diagonal();
        let body = TouchedBody {
            skin: &skin,
            frame: &self.frame,
            held: &self.held,
            diagonal,
            margin: TouchedBody::usual_margin(diagonal, false),
            has_inertia: false,
        };
        let tool = Tool {
            name: "tool".into(),
            shape: self.shape.clone(),
            friction: self.friction,
            adhesion: None,
            begin: Pose::at(self.last.unwrap_or(place)),
            end: Pose::at(place),
        };
        self.last = Some(place);
        let (constraints, _) = self.tracker.update(&body, &[tool], &[], FRAME);
        self.boundary
            .set_displacements(constraints.iter().copied())
            .expect("each vertex once");
    }

    /// Force on the body, N.
    pub fn force(&self) -> Vec3 {
        self.model.reactions().iter().sum()
    }

    /// Depth of touched vertices in the tool: the largest and the root of the mean square over those that push, m.
    pub fn penetration(&self) -> (f64, f64) {
        let (mut largest, mut sum_of_squares, mut count) = (0.0_f64, 0.0, 0);
        let reactions = self.model.reactions();
        for (constraint, reaction) in self.boundary.displacements().iter().zip(reactions) {
            let skin = &self.model.asset().skin;
            let v = constraint.vertex as usize;
            let position = skin.positions[v] + self.model.displacement(v);
            let depth = constraint.violation(&position);
            largest = largest.max(depth);
            if reaction.norm() > 0.0 {
                sum_of_squares += depth * depth;
                count += 1;
            }
        }
        (largest, (sum_of_squares / f64::from(count.max(1))).sqrt())
    }
}
