//! Contacts that may carry force in a frame: pairs of bodies, then points of them.

use rayon::prelude::*;

use pliant_core::contact::Tool;
use pliant_core::math::bounds::Aabb;
use pliant_core::model::SteppedModel;

use crate::detection::{DetectionBody, HeldPoints, PairParameters, near_distance, with_scratch};
use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> BodyGroup<M> {
    /// Contacts that may carry force within `duration` seconds.
    pub(crate) fn find(&mut self, duration: f64) {
        let moved = |k: usize| self.tools.get(k).is_some_and(|t| t.begin != t.end);
        let any_moved = (0..self.tools.len()).any(moved);
        self.sweep.pairs.clear();
        if self.all_asleep() && !any_moved {
            self.found.iter_mut().for_each(|f| f.clear());
            self.counts.pairs = 0;
            return;
        }
        let Self {
            found,
            deformed,
            shapes,
            sleep,
            sweep,
            boxes,
            tools,
            contacts,
            solver,
            models,
            boundaries,
            ..
        } = self;
        if contacts.iter().any(|c| c.with_others) {
            let bodies = deformed.iter().zip(shapes.iter()).zip(contacts.iter());
            boxes.clear();
            boxes.extend(bodies.map(|((deformed, shape), contact)| {
                if !contact.with_others {
                    return Aabb::empty();
                }
                let near = near_distance(shape.spacing, deformed.max_speed, duration);
                deformed.bounds.inflated(near)
            }));
            sweep.run(boxes, |b| !sleep[b].asleep);
        }
        let (deformed, shapes, sleep, sweep, tools) =
            (&*deformed, &*shapes, &*sleep, &*sweep, &*tools);
        let (contacts, models, boundaries) = (&*contacts, &*models, &*boundaries);
        let last_contacts = &solver.cached[..];
        let body = |k: usize| DetectionBody {
            index: k as u32,
            shape: &shapes[k],
            deformed: &deformed[k],
        };
        let parameters = |a: usize, b: usize| PairParameters {
            // the geometric mean; of two equal numbers it is exactly that number
            friction: (contacts[a].friction * contacts[b].friction).sqrt(),
            duration,
            cached: &solver.cached,
        };
        found.par_iter_mut().enumerate().for_each(|(a, found)| {
            found.clear();
            let own = body(a);
            if models[a].is_released() {
                return;
            }
            if contacts[a].with_itself && !sleep[a].asleep {
                found.within(own, &parameters(a, a));
            }
            with_scratch(|scratch| {
                let partners = sweep.partners(a as u32).iter().map(|p| p.1 as usize);
                for b in partners.filter(|b| !models[*b].is_released()) {
                    found.between(own, body(b), &parameters(a, b), scratch);
                }
            });
            let is_solid = |(_, tool): &(usize, &Tool)| !tool.shape.is_blade();
            for (t, tool) in tools.iter().enumerate().filter(is_solid) {
                if !sleep[a].asleep || tool.begin != tool.end {
                    let held = HeldPoints::of(tool, &boundaries[a]);
                    let tool = (t as u32, tool);
                    found.against_tool(own, tool, (&held, last_contacts), duration);
                }
            }
        });
        self.counts.pairs = self.sweep.pairs.len();
    }
}
