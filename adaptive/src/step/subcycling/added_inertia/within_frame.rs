//! Inertia for elements that are crushed within a frame.

use pliant_core::math::Vec3;

use super::AddedInertia;
use crate::step::time_step::StepControl;

/// How far elements move until they are looked at again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlook<'a> {
    /// of the nodes, m
    pub positions: &'a [Vec3],
    /// of the nodes, which they keep until then, m/s
    pub velocities: &'a [Vec3],
    /// time until then, s
    pub ahead: f64,
}

impl AddedInertia {
    /// The most steps a second that any watched element will need with its present inertia. An element that takes `steps_in_one` steps in a step of the others counts with that part of its own.
    pub fn rate_ahead(
        &self,
        steps: &StepControl,
        outlook: Outlook<'_>,
        steps_in_one: impl Fn(u32) -> f64,
    ) -> f64 {
        let rate = |&t: &u32| self.element_rate_ahead(steps, t, outlook) / steps_in_one(t);
        self.watch.elements().iter().map(rate).fold(0.0, f64::max)
    }

    /// Watches also the neighbours of the watched elements that will need more than `limit` steps a second by that count.
    pub fn watch_neighbours(
        &mut self,
        steps: &StepControl,
        outlook: Outlook<'_>,
        steps_in_one: impl Fn(u32) -> f64,
        limit: f64,
        tets: &[[u32; 4]],
    ) {
        let mut watch = std::mem::take(&mut self.watch);
        watch.spread(tets, outlook.positions.len(), |t| {
            self.element_rate_ahead(steps, t, outlook) > limit * steps_in_one(t)
        });
        self.watch = watch;
    }

    /// Adds inertia to the watched elements that would need more than `limit` steps a second by that count.
    pub fn limit_ahead(
        &mut self,
        steps: &StepControl,
        outlook: Outlook<'_>,
        steps_in_one: impl Fn(u32) -> f64,
        limit: f64,
    ) {
        let usual_limit = self.scaling.max_rate;
        let watch = std::mem::take(&mut self.watch);
        for &t in watch.elements() {
            self.scaling.max_rate = limit * steps_in_one(t);
            if self.element_rate_ahead(steps, t, outlook) <= self.scaling.max_rate {
                continue;
            }
            if self.before_attempt.is_empty() {
                self.before_attempt.extend_from_slice(&self.scaling.corners);
            }
            let t = t as usize;
            let corners = corners_ahead(steps, t, outlook);
            steps.scaled_rate(t, corners, self.corners[t], &mut self.scaling);
        }
        self.watch = watch;
        self.scaling.max_rate = usual_limit;
        self.count_scaled();
    }

    /// Begins an attempt at a frame.
    pub fn begin_attempt(&mut self) {
        self.before_attempt.clear();
    }

    /// Takes back the inertia that was added within an attempt that has failed. Returns whether there was any.
    pub fn undo_attempt(&mut self) -> bool {
        if self.before_attempt.is_empty() {
            return false;
        }
        self.scaling.corners.copy_from_slice(&self.before_attempt);
        self.before_attempt.clear();
        self.count_scaled();
        true
    }

    /// Steps a second that an element will need with its present inertia.
    fn element_rate_ahead(&self, steps: &StepControl, element: u32, outlook: Outlook<'_>) -> f64 {
        let t = element as usize;
        let factor = self.corners[t] / (self.corners[t] + self.scaling.corners[t]);
        steps.rate_of_shape(t, corners_ahead(steps, t, outlook), factor)
    }

    fn count_scaled(&mut self) {
        let scaled = self.scaling.corners.iter().filter(|added| **added > 0.0);
        self.scaling.count = scaled.count() as u32;
    }
}

/// Corners of an element after its nodes have moved on, m.
fn corners_ahead(steps: &StepControl, element: usize, outlook: Outlook<'_>) -> [Vec3; 4] {
    let now = steps.corners(element, outlook.positions);
    let velocities = steps.corners(element, outlook.velocities);
    std::array::from_fn(|k| now[k] + velocities[k] * outlook.ahead)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::Progress;
    use pliant_core::elasticity::ShapeGradients;
    use pliant_core::material::Material;
    use pliant_core::mesh::TetMesh;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    use super::*;
    use crate::bake::bake_single;
    use crate::params::{AdaptiveParams, ElementModel};

    /// A free box of 40 elements that fall at 1 m/s on a floor, where its lowest nodes lie already.
    struct Falling {
        mesh: Arc<TetMesh>,
        steps: StepControl,
        added: AddedInertia,
        velocities: Vec<Vec3>,
    }

    impl Falling {
        fn new() -> Self {
            let mesh = box_tets(Vec3::repeat(0.2), [2, 2, 2], CellStyle::Alternating);
            let skin = Arc::new(mesh.boundary().surface);
            let baked = bake_single(mesh, skin, Material::default(), &[], &Progress::new());
            let level = baked.expect("bakes").levels.remove(0);
            let (material, mesh) = (Material::default(), level.mesh.clone());
            let params = AdaptiveParams::default();
            let steps = StepControl::new(&level, &material, ElementModel::Green, 0.0, &params);
            let corner = |shape: &ShapeGradients| material.density * shape.volume / 4.0;
            let corners = level.shapes.iter().map(corner).collect();
            let lies = |x: &Vec3| x.y < -0.099;
            let touched: Vec<bool> = mesh.nodes.iter().map(lies).collect();
            let speed = |x: &Vec3| Vec3::y() * if lies(x) { 0.0 } else { -1.0 };
            let velocities: Vec<Vec3> = mesh.nodes.iter().map(speed).collect();
            let mut added = AddedInertia::new(corners, level.masses.clone());
            added.begin_attempt();
            let watch = &mut added.watch;
            watch.begin_frame(&mesh.tets, &touched, &velocities, 0.0, (0.1, 0.1));
            Self {
                mesh,
                steps,
                added,
                velocities,
            }
        }

        fn outlook(&self, ahead: f64) -> Outlook<'_> {
            Outlook {
                positions: &self.mesh.nodes,
                velocities: &self.velocities,
                ahead,
            }
        }

        /// [`AddedInertia::rate_ahead`] over the rate at rest, where every element takes so many steps in one.
        fn need(&self, ahead: f64, steps_in_one: f64) -> f64 {
            let outlook = self.outlook(ahead);
            let rate = self
                .added
                .rate_ahead(&self.steps, outlook, |_| steps_in_one);
            rate / self.steps.rest_rate()
        }

        fn limit(&mut self, ahead: f64, share: f64) {
            let limit = share * self.steps.rest_rate();
            let outlook = Outlook {
                positions: &self.mesh.nodes,
                velocities: &self.velocities,
                ahead,
            };
            self.added.limit_ahead(&self.steps, outlook, |_| 1.0, limit);
        }
    }

    #[test]
    fn elements_that_will_be_crushed_get_just_the_inertia_that_keeps_the_rate() {
        let mut body = Falling::new();
        let watched = body.added.watch.elements().len() as u32;
        assert!(watched > 0 && watched < body.mesh.tets.len() as u32);
        assert!(body.need(0.0, 1.0) <= 1.0 + 1e-12);
        // after 0.09 s the lower half of the box is a tenth as high as before
        let need = body.need(0.09, 1.0);
        assert!(need > 1.5, "{need}");
        assert!((body.need(0.09, 2.0) / need - 0.5).abs() < 1e-12);
        body.limit(0.09, 1.2 * need);
        assert_eq!(body.added.count(), 0);
        assert!(!body.added.undo_attempt());
        body.limit(0.09, 1.0);
        let count = body.added.count();
        assert!(count > 0 && count <= watched, "{count} of {watched}");
        let limited = body.need(0.09, 1.0);
        assert!(limited <= 1.0 + 1e-12 && limited > 0.8, "{limited}");
        // the limit of whole frames is as before
        assert_eq!(body.added.max_rate(), f64::INFINITY);
    }

    #[test]
    fn the_neighbours_of_elements_that_will_be_crushed_are_watched() {
        let mut body = Falling::new();
        let watched = body.added.watch.elements().len();
        let limit = 1.2 * body.steps.rest_rate();
        for (ahead, is_more) in [(0.01, false), (0.09, true)] {
            let outlook = Outlook {
                positions: &body.mesh.nodes,
                velocities: &body.velocities,
                ahead,
            };
            let (steps, tets) = (&body.steps, &body.mesh.tets);
            let added = &mut body.added;
            added.watch_neighbours(steps, outlook, |_| 1.0, limit, tets);
            assert_eq!(added.watch.elements().len() > watched, is_more, "{ahead}");
        }
    }

    #[test]
    fn a_failed_attempt_leaves_the_inertia_of_the_beginning_of_the_frame() {
        let mut body = Falling::new();
        body.limit(0.08, 1.0);
        let mut saved = Vec::new();
        body.added.save(&mut saved);
        body.added.begin_attempt();
        body.limit(0.09, 0.7);
        body.limit(0.09, 0.5);
        let mut changed = Vec::new();
        body.added.save(&mut changed);
        assert!(saved != changed);
        assert!(body.added.undo_attempt());
        let mut undone = Vec::new();
        body.added.save(&mut undone);
        assert_eq!(undone, saved);
        assert!(!body.added.undo_attempt());
    }
}
