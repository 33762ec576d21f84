//! The telling moments of a comparison: the frames that a picture of each method should show.

use pliant_core::contact::tool::Tool;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;

use super::recorder::Recorder;
use crate::error::Fault;
use crate::setup::Setup;

/// Root mean square distance of two skins that is round-off, over the diagonal.
const NEGLIGIBLE_DISTANCE: f64 = 1e-6;

/// What a moment tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MomentKind {
    /// The first frame in which a tool acts on the body of a method. A tool that does so from the first frame on has none.
    FirstContact,
    /// The frame with the largest force of one tool or grab, of all methods.
    LargestForce,
    /// The frame in which two methods are farthest apart (root mean square).
    LargestDisagreement,
}

pliant_core::named!(MomentKind {
    FirstContact => "first_contact",
    LargestForce => "largest_force",
    LargestDisagreement => "largest_disagreement",
});

/// A telling moment, the same for all methods.
#[derive(Debug, Clone)]
pub struct Moment {
    /// What it tells.
    pub kind: MomentKind,
    /// The frame, from 0.
    pub frame: usize,
    /// Tools in it.
    pub tools: Vec<Tool>,
    /// The skin of each method that can run; one that has stopped stays at its last good frame.
    pub skins: Vec<(Method, SurfaceFrame)>,
}

/// Each method with its run, or why it cannot run.
pub(super) type Runs = [(Method, Result<Recorder, Fault>)];

/// Looks for the moments while the methods run.
pub(super) struct MomentSearch {
    found: [Option<Moment>; MomentKind::ALL.len()],
    /// the largest size of each kind so far
    largest: [f64; MomentKind::ALL.len()],
}

impl MomentSearch {
    /// Before the first frame.
    pub(super) fn new(setup: &Setup) -> Self {
        Self {
            found: [const { None }; MomentKind::ALL.len()],
            largest: [0.0, 0.0, NEGLIGIBLE_DISTANCE * setup.diagonal],
        }
    }

    /// Keeps the `frame` that all methods have just computed where it tells more than the frames before it. `apart` is the distance (m) of the two methods that are farthest apart.
    pub(super) fn add(&mut self, frame: usize, runs: &Runs, apart: f64) {
        let running = runs.iter().filter_map(|(method, run)| {
            let run = run.as_ref().ok()?;
            Some((*method, run))
        });
        let (mut is_touched, mut force) = (false, 0.0);
        // the forces of a method that has stopped are those of an earlier frame
        for (_, run) in running.clone().filter(|(_, run)| !run.has_stopped()) {
            let out = run.world().output();
            is_touched |= out.wrenches.iter().any(|w| w.force.norm() > 0.0);
            force = out.force_norms().fold(force, f64::max);
        }
        let contact = if is_touched { 1.0 } else { 0.0 };
        for (kind, size) in MomentKind::ALL.into_iter().zip([contact, force, apart]) {
            let largest = &mut self.largest[kind as usize];
            if size > *largest {
                *largest = size;
                let tools = running.clone().next().map(|(_, run)| run.world().tools());
                let skins = running.clone();
                let skins = skins.map(|(method, run)| (method, run.world().frame().clone()));
                self.found[kind as usize] = Some(Moment {
                    kind,
                    frame,
                    tools: tools.unwrap_or_default().to_vec(),
                    skins: skins.collect(),
                });
            }
        }
    }

    /// The moments of the run in the order of [`MomentKind::ALL`].
    pub(super) fn finish(self) -> Vec<Moment> {
        let is_told = |m: &Moment| m.kind != MomentKind::FirstContact || m.frame > 0;
        self.found.into_iter().flatten().filter(is_told).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::Progress;

    use super::*;
    use crate::cache::AssetCache;
    use crate::compare::{CompareOptions, compare};
    use crate::world::testing::{BALL, pad, setup_of};

    const LATTICE: &str = "lattice = { cell = 0.025, half_width = 1, calibrate = false }";

    #[test]
    fn moments_are_the_frames_that_the_curves_say() {
        let setup = Arc::new(setup_of(pad("gravity = [0.0, 0.0, 0.0]", LATTICE) + BALL));
        let cache = AssetCache::disabled();
        let compared = |keep_frames: bool| {
            let options = CompareOptions {
                methods: Some(vec![Method::Quasistatic, Method::Lattice]),
                // the ball is held in it before
                duration: Some(2.0),
                keep_frames,
                ..CompareOptions::new(&cache)
            };
            compare(Arc::clone(&setup), &options, &Progress::new()).expect("compared")
        };
        assert!(compared(false).moments.is_empty());
        let comparison = compared(true);
        let at = |kind: MomentKind| {
            let moment = comparison.moments.iter().find(|m| m.kind == kind);
            moment.map(|m| m.frame)
        };
        let runs: Vec<&[f64]> = comparison
            .runs()
            .map(|(_, run)| run.force_curves[0].1.as_slice())
            .collect();
        let force = |frame: usize| runs.iter().map(|curve| curve[frame]).fold(0.0, f64::max);
        let frames = 0..runs[0].len();
        let first = frames.clone().find(|frame| force(*frame) > 0.0);
        assert!(first.is_some(), "the ball is felt");
        assert_eq!(
            at(MomentKind::FirstContact),
            first.filter(|frame| *frame > 0)
        );
        let most = frames.clone().map(force).fold(0.0, f64::max);
        let most = frames.clone().find(|frame| force(*frame) == most);
        assert_eq!(at(MomentKind::LargestForce), most);
        assert_eq!(
            at(MomentKind::LargestDisagreement),
            Some(comparison.pairs[0].frame)
        );
        for moment in &comparison.moments {
            let methods: Vec<Method> = moment.skins.iter().map(|(method, _)| *method).collect();
            assert_eq!(methods, [Method::Quasistatic, Method::Lattice]);
            assert_eq!(moment.tools.len(), setup.tools.len());
        }
    }
}
