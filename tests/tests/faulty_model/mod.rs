//! Models with a deliberate fault, one for each law. A law that accepts its faulty model would test nothing.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::{BoundaryConditions, ConstraintKind};
use pliant_core::inspect::{Capabilities, Inspect, ModelStats};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
};
use pliant_tests::conformance::{LAWS, Promises};

use super::mass_spring_model::MassSpring;

/// The fault of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Tools pass through the body.
    NoContact,
    /// Support reactions are a tenth too large.
    OverstatedSupport,
    /// Reactions are smaller while a tool is pressed in than while it is withdrawn.
    GainsEnergy,
    /// Forces depend on the vertex that they act on, as if compliances were not symmetric.
    AsymmetricCompliance,
    /// Tangential forces exceed Coulomb's cone.
    ExceedsFrictionCone,
    /// Tools push only.
    NoAdhesion,
    /// Displacements along the world's x are a tenth too large.
    AxisDependent,
    /// A part of the state is missing in snapshots.
    IncompleteSnapshot,
    /// The result depends on earlier models of this process.
    NotRepeatable,
}

/// A correct model with a fault.
struct FaultyModel {
    model: MassSpring,
    fault: Fault,
    frames: u32,
    reactions: Vec<Vec3>,
    supports: Vec<Vec3>,
}

static INSTANCES: AtomicU64 = AtomicU64::new(0);

impl FaultyModel {
    fn new(body: &BodyGeometry, fault: Fault) -> Self {
        Self {
            model: MassSpring::new(body),
            reactions: Vec::new(),
            supports: vec![Vec3::zeros(); body.supports.len()],
            frames: match fault {
                Fault::NotRepeatable => INSTANCES.fetch_add(1, Ordering::Relaxed) as u32,
                _ => 0,
            },
            fault,
        }
    }

    /// Changes the reactions of a frame.
    fn apply_fault(&mut self, boundary: &BoundaryConditions) {
        self.reactions.clear();
        self.reactions.extend_from_slice(self.model.reactions());
        self.reactions
            .resize(boundary.displacements().len(), Vec3::zeros());
        self.supports
            .copy_from_slice(self.model.support_reactions());
        let releasing = self.frames > 40;
        for (c, f) in boundary.displacements().iter().zip(&mut self.reactions) {
            match self.fault {
                Fault::GainsEnergy => *f *= if releasing { 1.5 } else { 0.5 },
                Fault::AsymmetricCompliance => *f *= 1.0 + 0.002 * f64::from(c.vertex),
                Fault::ExceedsFrictionCone => f.x += 0.5 * f.y.abs(),
                _ => {}
            }
        }
        if self.fault == Fault::OverstatedSupport {
            self.supports.iter_mut().for_each(|f| *f *= 1.1);
        }
    }
}

impl DeformableModel for FaultyModel {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        self.model.surface()
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let mut boundary = request.boundary.clone();
        let remaining_kind = match self.fault {
            Fault::NoContact => Some(ConstraintKind::Bilateral),
            Fault::NoAdhesion => Some(ConstraintKind::Unilateral),
            _ => None,
        };
        if let Some(kind) = remaining_kind {
            let remaining: Vec<_> = boundary
                .displacements()
                .iter()
                .copied()
                .filter(|c| c.kind == kind)
                .collect();
            boundary
                .set_displacements(remaining)
                .expect("a part of what was accepted");
        }
        self.frames += 1;
        let report = self
            .model
            .advance(FrameRequest::new(request.duration, &boundary).within(request.budget))?;
        self.apply_fault(request.boundary);
        Ok(report)
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        self.model.write_surface(out);
        let rest = &self.model.surface().positions;
        for (now, rest) in out.positions.iter_mut().zip(rest) {
            match self.fault {
                Fault::AxisDependent => now[0] += 0.1 * (now[0] - rest.x as f32),
                Fault::IncompleteSnapshot | Fault::NotRepeatable => {
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
        self.model.reset();
    }

    fn snapshot(&self) -> StateSnapshot {
        self.model.snapshot()
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        self.model.restore(snapshot)
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }
}

impl Inspect for FaultyModel {
    fn kind(&self) -> &'static str {
        "wrong"
    }

    fn capabilities(&self) -> Capabilities {
        self.model.capabilities()
    }

    fn stats(&self) -> ModelStats {
        self.model.stats()
    }
}

#[test]
fn each_law_refuses_a_model_that_breaks_it() {
    let faults = [
        ("non_penetration", Fault::NoContact),
        ("action_is_reaction", Fault::OverstatedSupport),
        ("energy", Fault::GainsEnergy),
        ("reciprocity", Fault::AsymmetricCompliance),
        ("friction_cone", Fault::ExceedsFrictionCone),
        ("adhesion", Fault::NoAdhesion),
        ("rigid_invariance", Fault::AxisDependent),
        ("snapshots", Fault::IncompleteSnapshot),
        ("same_bits", Fault::NotRepeatable),
    ];
    for (name, law) in LAWS {
        let fault = faults
            .iter()
            .find(|f| f.0 == name)
            .expect("a fault for each law")
            .1;
        let make = |body: &BodyGeometry| -> Box<dyn DeformableModel> {
            Box::new(FaultyModel::new(body, fault))
        };
        let verdict = law(&make, &Promises::default());
        let reason = verdict.expect_err(&format!("{name} passes a model with {fault:?}"));
        println!("{name}: {reason}");
    }
}
