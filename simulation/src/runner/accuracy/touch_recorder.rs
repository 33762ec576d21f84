//! Records the forces while the hand touches the body, until they can be compared with a reference.

use pliant_core::math::Vec3;

use super::script_forces::compare_forces;
use crate::reference::{Accuracy, Reference, Span};
use crate::runner::pane::MethodPane;
use crate::runner::snapshot::PaneState;
use crate::runner::timeline::Timeline;
use crate::setup::Setup;
use crate::world::{Interaction, World};

/// A touch ends when the hand has exerted no force for so long, s.
const RELEASE_TIME: f64 = 0.5;
/// A touch is compared when the hand has held still for so long, s.
const HOLD_TIME: f64 = 0.75;
/// Distance over the diagonal of the body within which a hand counts as still.
const MOTION_TOLERANCE: f64 = 1e-3;
/// Smallest force of a touch, over Young's modulus times the square of the diagonal: a hand that holds the skin where it is moves nothing.
const FORCE_THRESHOLD: f64 = 1e-6;
/// Shortest touch that is compared, s.
const MIN_TOUCH_TIME: f64 = 0.15;
/// Longest touch, s. Later frames are not compared until the hand has been away.
const MAX_TOUCH_TIME: f64 = 10.0;
/// Time before the touch at which its reference starts at rest, s. With gravity the body sags first.
const LEAD_TIME: f64 = 0.25;
const LEAD_TIME_WITH_GRAVITY: f64 = 1.5;
/// Longest such time, s. Earlier contacts of other tools are not repeated.
const MAX_LEAD_TIME: f64 = 4.0;

/// The motion of a hand on the body, and the forces in each pane.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::runner) struct Touch {
    /// The frames, from one in which the body is about at rest.
    pub span: Span,
    /// `forces[pane][curve][frame of the span]`, N, with the curves of a reference of the span; NaN before the first contact. Empty for a pane that cannot be judged.
    pub forces: Vec<Vec<Vec<f64>>>,
}

impl Touch {
    /// Pane `k` compared with the reference of the span; `None` where it did not run in all frames that count.
    pub fn accuracy(&self, k: usize, reference: &Reference) -> Option<Accuracy> {
        compare_forces(self.forces.get(k)?, reference)
    }
}

/// Records the forces while the hand touches the body.
#[derive(Debug, Default)]
pub(in crate::runner) struct TouchRecorder {
    /// the frame that is expected next
    next: u64,
    /// first and last frame of the latest interval in which nothing touched the body or pulled at it
    without_contact: Option<(u64, u64)>,
    /// whether the hand is known to have exerted no force in the last frame
    hand_is_free: bool,
    open: Option<OpenTouch>,
}

/// A touch that goes on.
#[derive(Debug)]
struct OpenTouch {
    /// the frame before which the reference is at rest
    first: u64,
    /// the frame of the first force of the hand
    first_contact: u64,
    /// `forces[pane][curve][frame - first]`, N
    forces: Vec<Vec<Vec<f64>>>,
    /// frames with a force of the hand that are not compared yet
    uncompared_frames: u64,
    /// the last frame with a force of the hand
    last_felt: u64,
    /// position of the hand when it moved last, and the frame of that motion
    anchor: Vec3,
    last_moved: u64,
    /// whether the touch was returned for comparison as it is now
    is_reported: bool,
}

impl TouchRecorder {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Records frame `now`, which was computed with this `hand`.
    pub fn record(&mut self, now: u64, hand: &Interaction, panes: &[MethodPane], setup: &Setup) {
        if now != self.next {
            self.clear();
        }
        self.next = now + 1;
        let worlds = panes.iter().map(running);
        let is_felt = worlds.clone().flatten().any(|w| feels(w, hand, setup));
        let is_touched = worlds.flatten().any(|w| curves(w, setup).any(|f| f > 0.0));
        // the live hand, or the recorded one of the scene
        let mut repeated = setup.hand.iter().flat_map(|motion| motion.pulls_in(now));
        let is_pulled = hand.pull.is_some() || repeated.next().is_some();
        let without_contact = self.without_contact;
        if !is_touched && !is_pulled {
            let first = without_contact.filter(|(_, last)| last + 1 == now);
            self.without_contact = Some((first.map_or(now, |(first, _)| first), now));
        }
        let place = place(hand);
        // what a hand did that held the body before the recording is not known
        let was_free = std::mem::replace(&mut self.hand_is_free, !is_felt);
        if self.open.is_none() && was_free && is_felt {
            self.open = Some(OpenTouch {
                first: reference_start(now, without_contact, setup),
                first_contact: now,
                forces: vec![Vec::new(); panes.len()],
                uncompared_frames: 0,
                last_felt: now,
                anchor: place.unwrap_or_default(),
                last_moved: now,
                is_reported: false,
            });
        }
        let Some(open) = &mut self.open else {
            return;
        };
        if now - open.first >= frames(MAX_TOUCH_TIME, setup) {
            // what follows is another touch only after the hand has been away
            if is_felt {
                open.last_felt = now;
            }
            return;
        }
        if let Some(place) = place
            && (place - open.anchor).norm() > MOTION_TOLERANCE * setup.diagonal
        {
            (open.anchor, open.last_moved) = (place, now);
            open.is_reported &= !is_felt;
        }
        if is_felt {
            open.last_felt = now;
            open.uncompared_frames += u64::from(!open.is_reported);
        }
        open.record_forces(now, panes, setup);
    }

    /// The touch that is to be compared now, if there is one: the hand has been away for a while, or holds still. `timeline` knows what the hand did.
    pub fn take_due(&mut self, timeline: &Timeline, setup: &Setup) -> Option<Touch> {
        let open = self.open.as_mut()?;
        let now = self.next;
        let is_away = now - open.last_felt > frames(RELEASE_TIME, setup);
        let is_still = now - open.last_moved > frames(HOLD_TIME, setup);
        let is_full = now - open.first >= frames(MAX_TOUCH_TIME, setup);
        let is_due = !open.is_reported && (is_away || is_still || is_full);
        let touch = (is_due && open.uncompared_frames >= frames(MIN_TOUCH_TIME, setup))
            .then(|| open.touch(timeline));
        if is_due {
            (open.is_reported, open.uncompared_frames) = (true, 0);
        }
        if is_away {
            self.open = None;
        }
        touch.flatten()
    }
}

impl OpenTouch {
    /// Records the forces of each pane in frame `now`.
    fn record_forces(&mut self, now: u64, panes: &[MethodPane], setup: &Setup) {
        let at = (now - self.first) as usize;
        for (seen, pane) in self.forces.iter_mut().zip(panes) {
            let Some(world) = running(pane) else {
                continue;
            };
            for (k, force) in curves(world, setup).enumerate() {
                if seen.len() <= k {
                    seen.push(Vec::new());
                }
                seen[k].resize(at, f64::NAN);
                seen[k].push(force);
            }
        }
    }

    /// The touch up to its last force; `None` where the timeline no longer has its start.
    fn touch(&self, timeline: &Timeline) -> Option<Touch> {
        let interactions = timeline.interactions();
        let span = interactions.filter(|(frame, _)| (self.first..=self.last_felt).contains(frame));
        let hand: Vec<(u64, Interaction)> =
            span.map(|(frame, hand)| (frame, hand.clone())).collect();
        if hand.first().is_none_or(|(frame, _)| *frame != self.first) {
            return None;
        }
        let hand = hand.into_iter().map(|(_, hand)| hand);
        let lead = (self.first_contact - self.first) as usize;
        // what came after the longest touch is not compared
        let recorded = self
            .forces
            .iter()
            .flatten()
            .map(Vec::len)
            .max()
            .unwrap_or(0);
        Some(Touch {
            span: Span::of_hand(self.first, lead, hand.take(recorded).collect()),
            forces: self.forces.clone(),
        })
    }
}

/// The frame before which the reference of a touch that begins in frame `now` is at rest: shortly before the touch, or earlier where something else touched the body then.
fn reference_start(now: u64, without_contact: Option<(u64, u64)>, setup: &Setup) -> u64 {
    let lead = match setup.description.gravity == Vec3::zeros() {
        true => LEAD_TIME,
        false => LEAD_TIME_WITH_GRAVITY,
    };
    let (first, last) = without_contact.unwrap_or((0, 0));
    let before = (last + 1).saturating_sub(frames(lead, setup)).max(first);
    before.max(now.saturating_sub(frames(MAX_LEAD_TIME, setup)))
}

/// The world of a pane that runs.
fn running(pane: &MethodPane) -> Option<&World> {
    pane.world
        .as_ref()
        .filter(|_| pane.state == PaneState::Ready)
}

/// Norms of the forces of a frame, N: one a tool, one a grab of the scene, and that of what the hand holds.
fn curves(world: &World, setup: &Setup) -> impl Iterator<Item = f64> {
    let count = setup.tools.len() + setup.grabs.len() + 1;
    let forces = world.output().force_norms();
    forces.chain(std::iter::repeat(0.0)).take(count)
}

/// Whether the hand exerts a force on the body of a method.
fn feels(world: &World, hand: &Interaction, setup: &Setup) -> bool {
    let leads = |k: usize| {
        let tool = setup.tools.get(k);
        hand.tool_position.is_some() && tool.is_some_and(|tool| tool.follows_pointer)
    };
    let held = setup.tools.len() + setup.grabs.len();
    let min_force =
        FORCE_THRESHOLD * setup.geometry.material.elastic.young * setup.diagonal.powi(2);
    let mut curves = curves(world, setup).enumerate();
    curves.any(|(k, force)| force > min_force && (k == held || leads(k)))
}

/// Position of the hand, m: that of its tool, or the displacement of what it holds.
fn place(hand: &Interaction) -> Option<Vec3> {
    let held = hand.grab.as_ref().map(|grab| grab.displacement);
    held.or(hand.tool_position)
}

fn frames(seconds: f64, setup: &Setup) -> u64 {
    setup.frames(seconds) as u64
}
