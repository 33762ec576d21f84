//! Records what is felt while the hand touches the body, until there is something to compare.

use pliant_core::math::Vec3;

use super::script_forces::judged;
use crate::reference::{Accuracy, Reference, Span};
use crate::runner::pane::MethodPane;
use crate::runner::snapshot::PaneState;
use crate::runner::timeline::Timeline;
use crate::setup::Setup;
use crate::world::{Interaction, World};

/// A touch is over when the hand has not been felt for so long, s.
const AWAY: f64 = 0.5;
/// A hand that has not moved for so long (s) waits for an answer.
const STILL: f64 = 0.75;
/// Way over the diagonal of the body within which a hand has not moved.
const UNMOVED: f64 = 1e-3;
/// A force is felt from this share of Young's modulus times the square of the diagonal on: a hand that holds the skin where it is moves nothing.
const FELT: f64 = 1e-6;
/// What was felt for less than this is no touch, s.
const SHORTEST: f64 = 0.15;
/// Longest touch, s. What the hand does after that is not compared, until it has been away.
const LONGEST: f64 = 10.0;
/// A reference begins at rest so long before the touch, s. With gravity the body sags first.
const LEAD: f64 = 0.25;
const LEAD_WITH_GRAVITY: f64 = 1.5;
/// It begins no longer before it than this, s: what something else does to the body for so long is not repeated.
const LONGEST_LEAD: f64 = 4.0;

/// What a hand did to the body, and what each method felt of it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::runner) struct Touch {
    /// The frames, from one in which the body is about at rest.
    pub span: Span,
    /// `forces[pane][curve][frame of the span]`, N, with the curves of a reference of the span; NaN before the hand was felt. Empty for a pane that cannot be judged.
    pub forces: Vec<Vec<Vec<f64>>>,
}

impl Touch {
    /// Pane `k` compared with the reference of the span; `None` where it did not run in all frames that count.
    pub fn judge(&self, k: usize, reference: &Reference) -> Option<Accuracy> {
        judged(self.forces.get(k)?, reference)
    }
}

/// Records what is felt while the hand touches the body.
#[derive(Debug, Default)]
pub(in crate::runner) struct TouchRecorder {
    /// the frame that is expected next
    next: u64,
    /// the first and the last of the last frames in a row in which nothing touched the body or pulled at it
    quiet: Option<(u64, u64)>,
    /// whether the hand is known not to have been felt in the last frame
    is_free: bool,
    open: Option<OpenTouch>,
}

/// A touch that goes on.
#[derive(Debug)]
struct OpenTouch {
    /// the frame before which the reference is at rest
    first: u64,
    /// the frame in which the hand was first felt
    begun: u64,
    /// `forces[pane][curve][frame - first]`, N
    forces: Vec<Vec<Vec<f64>>>,
    /// frames in which the hand was felt that are not compared yet
    news: u64,
    /// the last frame in which it was felt
    last_felt: u64,
    /// where the hand was when it moved last, and in which frame that was
    anchor: Vec3,
    moved: u64,
    /// whether it was handed out as it is now
    is_told: bool,
}

impl TouchRecorder {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes in frame `now`, which was computed with this `hand`.
    pub fn record(&mut self, now: u64, hand: &Interaction, panes: &[MethodPane], setup: &Setup) {
        if now != self.next {
            self.clear();
        }
        self.next = now + 1;
        let worlds = panes.iter().map(running);
        let is_felt = worlds.clone().flatten().any(|w| feels(w, hand, setup));
        let is_touched = worlds.flatten().any(|w| curves(w, setup).any(|f| f > 0.0));
        // the hand of now, or that of a scene which repeats one
        let mut repeated = setup.hand.iter().flat_map(|motion| motion.pulls_in(now));
        let is_pulled = hand.pull.is_some() || repeated.next().is_some();
        let quiet = self.quiet;
        if !is_touched && !is_pulled {
            let first = quiet.filter(|(_, last)| last + 1 == now);
            self.quiet = Some((first.map_or(now, |(first, _)| first), now));
        }
        let place = place(hand);
        // a hand that held the body before anything was recorded did something that is not known
        let was_free = std::mem::replace(&mut self.is_free, !is_felt);
        if self.open.is_none() && was_free && is_felt {
            self.open = Some(OpenTouch {
                first: beginning(now, quiet, setup),
                begun: now,
                forces: vec![Vec::new(); panes.len()],
                news: 0,
                last_felt: now,
                anchor: place.unwrap_or_default(),
                moved: now,
                is_told: false,
            });
        }
        let Some(open) = &mut self.open else {
            return;
        };
        if now - open.first >= frames(LONGEST, setup) {
            // what follows is another touch only after the hand has been away
            if is_felt {
                open.last_felt = now;
            }
            return;
        }
        if let Some(place) = place
            && (place - open.anchor).norm() > UNMOVED * setup.diagonal
        {
            (open.anchor, open.moved) = (place, now);
            open.is_told &= !is_felt;
        }
        if is_felt {
            open.last_felt = now;
            open.news += u64::from(!open.is_told);
        }
        open.take_in(now, panes, setup);
    }

    /// The touch that is to be compared now, if there is one: the hand has been away for a while, or holds still. `timeline` knows what the hand did.
    pub fn take_due(&mut self, timeline: &Timeline, setup: &Setup) -> Option<Touch> {
        let open = self.open.as_mut()?;
        let now = self.next;
        let is_away = now - open.last_felt > frames(AWAY, setup);
        let is_still = now - open.moved > frames(STILL, setup);
        let is_full = now - open.first >= frames(LONGEST, setup);
        let is_due = !open.is_told && (is_away || is_still || is_full);
        let touch = (is_due && open.news >= frames(SHORTEST, setup)).then(|| open.touch(timeline));
        if is_due {
            (open.is_told, open.news) = (true, 0);
        }
        if is_away {
            self.open = None;
        }
        touch.flatten()
    }
}

impl OpenTouch {
    /// Takes over what each pane felt in frame `now`.
    fn take_in(&mut self, now: u64, panes: &[MethodPane], setup: &Setup) {
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

    /// What was recorded up to when the hand was last felt; `None` where the timeline has forgotten its beginning.
    fn touch(&self, timeline: &Timeline) -> Option<Touch> {
        let known = timeline.interactions();
        let span = known.filter(|(frame, _)| (self.first..=self.last_felt).contains(frame));
        let hand: Vec<(u64, Interaction)> =
            span.map(|(frame, hand)| (frame, hand.clone())).collect();
        if hand.first().is_none_or(|(frame, _)| *frame != self.first) {
            return None;
        }
        let hand = hand.into_iter().map(|(_, hand)| hand);
        let lead = (self.begun - self.first) as usize;
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

/// The frame before which the reference of a touch is at rest that begins in frame `now`: shortly before it, or where something else touched the body then, before that.
fn beginning(now: u64, quiet: Option<(u64, u64)>, setup: &Setup) -> u64 {
    let lead = match setup.description.gravity == Vec3::zeros() {
        true => LEAD,
        false => LEAD_WITH_GRAVITY,
    };
    let (first, last) = quiet.unwrap_or((0, 0));
    let before = (last + 1).saturating_sub(frames(lead, setup)).max(first);
    before.max(now.saturating_sub(frames(LONGEST_LEAD, setup)))
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
    let felt = world.output().force_norms();
    felt.chain(std::iter::repeat(0.0)).take(count)
}

/// Whether a method feels the hand.
fn feels(world: &World, hand: &Interaction, setup: &Setup) -> bool {
    let leads = |k: usize| {
        let tool = setup.tools.get(k);
        hand.tool_position.is_some() && tool.is_some_and(|tool| tool.follows_pointer)
    };
    let held = setup.tools.len() + setup.grabs.len();
    let least = FELT * setup.geometry.material.elastic.young * setup.diagonal.powi(2);
    let mut curves = curves(world, setup).enumerate();
    curves.any(|(k, force)| force > least && (k == held || leads(k)))
}

/// Where the hand is, m: its tool, or what it holds moved from rest.
fn place(hand: &Interaction) -> Option<Vec3> {
    let held = hand.grab.as_ref().map(|grab| grab.displacement);
    held.or(hand.tool_position)
}

fn frames(seconds: f64, setup: &Setup) -> u64 {
    setup.frames(seconds) as u64
}
