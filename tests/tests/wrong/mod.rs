//! Models that are wrong on purpose, one for each law: a law that they pass would judge nothing.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::{BoundaryConditions, ConstraintKind};
use pliant_core::inspect::{
    Capabilities, Inspect, ModelStats, ParameterError, ParameterInfo, ParameterValue,
    QuantityBuffer, QuantityInfo, UnknownQuantity,
};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
};
use pliant_tests::conformance::{LAWS, Promises};

use super::mass_spring_model::MassSpring;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Tools go through.
    IgnoresContact,
    /// Supports tell a tenth more than they carry.
    SupportsTooMuch,
    /// Tools feel less on the way in than on the way out.
    GivesEnergyAway,
    /// Forces depend on which vertex they act on, as if compliances were not symmetric.
    NotSymmetric,
    /// Contacts stick like glue.
    LeavesTheCone,
    /// Nothing sticks.
    OnlyPushes,
    /// Displacements along the world's x are a tenth too large.
    KnowsAxes,
    /// Something of the state is missing in the snapshot.
    ForgetsInSnapshots,
    /// Something depends on what happened before in this process.
    NeverTheSame,
}

/// A good model with a fault.
struct Wrong {
    good: MassSpring,
    fault: Fault,
    frames: u32,
    reactions: Vec<Vec3>,
    supports: Vec<Vec3>,
}

static MADE: AtomicU64 = AtomicU64::new(0);

impl Wrong {
    fn new(body: &BodyGeometry, fault: Fault) -> Self {
        Self {
            good: MassSpring::new(body),
            reactions: Vec::new(),
            supports: vec![Vec3::zeros(); body.supports.len()],
            frames: match fault {
                Fault::NeverTheSame => MADE.fetch_add(1, Ordering::Relaxed) as u32,
                _ => 0,
            },
            fault,
        }
    }

    /// Changes the reactions of a frame.
    fn spoil(&mut self, boundary: &BoundaryConditions) {
        self.reactions.clear();
        self.reactions.extend_from_slice(self.good.reactions());
        self.reactions
            .resize(boundary.displacements().len(), Vec3::zeros());
        self.supports.copy_from_slice(self.good.support_reactions());
        let late = self.frames > 40;
        for (c, f) in boundary.displacements().iter().zip(&mut self.reactions) {
            match self.fault {
                Fault::GivesEnergyAway => *f *= if late { 1.5 } else { 0.5 },
                Fault::NotSymmetric => *f *= 1.0 + 0.002 * f64::from(c.vertex),
                Fault::LeavesTheCone => f.x += 0.5 * f.y.abs(),
                _ => {}
            }
        }
        if self.fault == Fault::SupportsTooMuch {
            self.supports.iter_mut().for_each(|f| *f *= 1.1);
        }
    }
}

impl DeformableModel for Wrong {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        self.good.surface()
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let mut boundary = request.boundary.clone();
        let kept = match self.fault {
            Fault::IgnoresContact => Some(ConstraintKind::Bilateral),
            Fault::OnlyPushes => Some(ConstraintKind::Unilateral),
            _ => None,
        };
        if let Some(kind) = kept {
            let kept: Vec<_> = boundary
                .displacements()
                .iter()
                .copied()
                .filter(|c| c.kind == kind)
                .collect();
            boundary
                .set_displacements(kept)
                .expect("a part of what was accepted");
        }
        self.frames += 1;
        let report = self
            .good
            .advance(FrameRequest::new(request.duration, &boundary).within(request.budget))?;
        self.spoil(request.boundary);
        Ok(report)
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        self.good.write_surface(out);
        let rest = &self.good.surface().positions;
        for (now, rest) in out.positions.iter_mut().zip(rest) {
            match self.fault {
                Fault::KnowsAxes => now[0] += 0.1 * (now[0] - rest.x as f32),
                Fault::ForgetsInSnapshots | Fault::NeverTheSame => {
                    now[1] += 1e-6 * self.frames as f32
                }
                _ => {}
            }
        }
    }

    fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.supports
    }

    fn reset(&mut self) {
        self.good.reset();
    }

    fn snapshot(&self) -> StateSnapshot {
        self.good.snapshot()
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        self.good.restore(snapshot)
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }
}

impl Inspect for Wrong {
    fn kind(&self) -> &'static str {
        "wrong"
    }

    fn capabilities(&self) -> Capabilities {
        self.good.capabilities()
    }

    fn parameters(&self) -> &[ParameterInfo] {
        &[]
    }

    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        self.good.parameter(name)
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        self.good.set_parameter(name, value)
    }

    fn quantities(&self) -> &[QuantityInfo] {
        &[]
    }

    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        self.good.sample_quantity(name, out)
    }

    fn stats(&self) -> ModelStats {
        self.good.stats()
    }
}

#[test]
fn each_law_refuses_a_model_that_breaks_it() {
    let faults = [
        ("non_penetration", Fault::IgnoresContact),
        ("action_is_reaction", Fault::SupportsTooMuch),
        ("energy", Fault::GivesEnergyAway),
        ("reciprocity", Fault::NotSymmetric),
        ("friction_cone", Fault::LeavesTheCone),
        ("adhesion", Fault::OnlyPushes),
        ("rigid_invariance", Fault::KnowsAxes),
        ("snapshots", Fault::ForgetsInSnapshots),
        ("same_bits", Fault::NeverTheSame),
    ];
    for (name, law) in LAWS {
        let fault = faults
            .iter()
            .find(|f| f.0 == name)
            .expect("a fault for each law")
            .1;
        let make =
            |body: &BodyGeometry| -> Box<dyn DeformableModel> { Box::new(Wrong::new(body, fault)) };
        let verdict = law(&make, &Promises::default());
        let wrong = verdict.expect_err(&format!("{name} passes a model with {fault:?}"));
        println!("{name}: {wrong}");
    }
}
