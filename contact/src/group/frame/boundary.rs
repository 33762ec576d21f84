//! Constraints and loads of the group are distributed to the bodies that they belong to.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
use pliant_core::model::{StepError, SteppedModel};

use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> BodyGroup<M> {
    /// Distributes constraints and loads to the bodies that they belong to, and wakes these.
    pub(crate) fn distribute_boundary(
        &mut self,
        boundary: &BoundaryConditions,
    ) -> Result<(), StepError> {
        let (constraints, loads) = (boundary.displacements(), boundary.loads());
        let end = self.starts.last().copied().unwrap_or(0);
        let constrained = constraints.iter().map(|c| c.vertex);
        if let Some(v) = constrained
            .chain(loads.iter().map(|l| l.vertex))
            .find(|v| *v >= end)
        {
            return Err(self.refuse(format!("skin vertex {v} of {end} was named")));
        }
        if boundary.gravity != self.gravity {
            self.gravity = boundary.gravity;
            self.wake_all();
        }
        for b in 0..self.models.len() {
            let (from, to) = (self.starts[b], self.starts[b + 1]);
            let part = &constraints[constraints.partition_point(|c| c.vertex < from)..];
            let part = &part[..part.partition_point(|c| c.vertex < to)];
            let own = &mut self.boundaries[b];
            own.gravity = boundary.gravity;
            let local = part.iter().map(|c| DisplacementConstraint {
                vertex: c.vertex - from,
                ..*c
            });
            let refused = own.set_displacements(local).err();
            let own_loads = loads.iter().filter(|l| (from..to).contains(&l.vertex));
            own.set_loads(own_loads.map(|l| NodalLoad {
                vertex: l.vertex - from,
                force: l.force,
            }));
            let driven = !part.is_empty() || !own.loads().is_empty();
            if driven {
                self.sleep[b].wake();
            }
            self.sleep[b].driven = driven && !self.sleep[b].frozen;
            if let Some(error) = refused {
                return Err(self.refuse(error.to_string()));
            }
        }
        Ok(())
    }

    /// The error for boundary conditions that do not fit.
    fn refuse(&self, cause: String) -> StepError {
        StepError::Diverged {
            method: self.models.first().map_or("group", |m| m.kind()),
            time: 0.0,
            cause,
        }
    }
}
