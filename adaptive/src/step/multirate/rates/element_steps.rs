//! How often each element fires.

use pliant_core::model::degradation_levels::DegradationLevel;

use crate::cut::Forest;
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ElementModel, Scheme, StepRule};
use crate::step::multirate::rates::inertia::Inertia;
use crate::step::multirate::rates::node_pushes::{Pushes, Workspace};
use crate::step::multirate::rates::selective_mass_scaling::SelectiveMassScaling;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET};
use crate::step::time_step::courant::courant_rates;
use crate::step::time_step::element_bounds::squared_frequencies;
use crate::step::time_step::rate::rate_for;
use crate::step::time_step::stiffening::Stiffening;

/// Step levels of the evaluated elements of a cut: an element of level `i` fires `2^i` times in each of some equal parts of a frame.
///
/// What an element needs by itself follows from its bound `ω_e`, its stretch and the damping, as for a single level. Its level rises at once and falls by one only
/// after 30 quiet frames: rates that change every frame pump energy. Elements at an interface are raised further where they would be too slow for the
/// light nodes that they push through ghosts.
#[derive(Debug, Clone)]
pub struct ElementSteps {
    pub(crate) law: Stiffening,
    pub(crate) damping_time: f64,
    pub(crate) safety: f64,
    /// squares of the element bounds at rest, (rad/s)²
    pub(crate) rest: Vec<f64>,
    /// steps a second of each element by the Courant rule; empty for the bound
    pub(crate) courant: Vec<f64>,
    pub(crate) inertia: Inertia,
    /// what each element needs by itself, with memory
    pub(crate) own: Vec<u8>,
    pub(crate) quiet: Vec<u8>,
    /// steps a second that each element needs now
    pub(crate) rates: Vec<f64>,
    /// squares of its elastic and its viscous bound at the last look, (rad/s)²
    pub(crate) squares: Vec<[f64; 2]>,
    /// what is used
    pub(crate) levels: Vec<u8>,
    /// the same before it was settled last
    pub(crate) settled: Vec<u8>,
    /// levels by which every element is faster than it needs
    pub(crate) lift: u8,
    /// nodes that a tool held at the last look
    pub(crate) quick: Vec<u32>,
    /// fastest step level of the elements that push these, as they need it by themselves, when levels were settled last
    pub(crate) held_level: u8,
    /// step level at which contact with faster bodies acts on these nodes, 0 for none
    pub(crate) partner_level: u8,
    pub(crate) duration: f64,
    pub(crate) parts: u32,
    pub(crate) near_inverted: u32,
    /// whether an element needs more steps than there are
    pub(crate) is_beyond: bool,
    /// whether the last look found a torn element
    pub(crate) is_torn: bool,
    pub(crate) selective_scaling: SelectiveMassScaling,
    /// whether viscous forces act
    pub(crate) is_damped: bool,
    /// whether elements whose inertia changes forget the level that they had
    pub(crate) is_anew: bool,
    pub(crate) pushes: Pushes,
    pub(crate) workspace: Workspace,
    /// whether frames are halved only, and never cut into parts: co-stepped bodies meet at the same times then
    pub(crate) is_halved: bool,
}

impl ElementSteps {
    /// Steps of the elements of all `levels`, whose bounds are those with `inertia`.
    pub(crate) fn new(
        forest: &Forest,
        levels: &[Level],
        inertia: Inertia,
        model: ElementModel,
        damping_time: f64,
        params: &AdaptiveParams,
    ) -> Self {
        let material = &forest.asset().material;
        let lame = material.lame();
        let (mut rest, mut courant) = (Vec::new(), Vec::new());
        for level in levels {
            if params.step_rule == StepRule::Courant {
                courant.extend(courant_rates(level, material));
            }
            rest.extend(squared_frequencies(level, model, &lame));
        }
        let count = rest.len();
        let rate = |&square: &f64| rate_for(damping_time, params.safety, square, square);
        let is_scaled =
            forest.is_supported() && courant.is_empty() && params.scheme == Scheme::ElementImpulses;
        Self {
            selective_scaling: SelectiveMassScaling::new(rest.iter().map(rate), is_scaled),
            law: Stiffening::new(model, lame, params.recover),
            damping_time,
            safety: params.safety,
            rest,
            courant,
            inertia,
            own: vec![UNSET; count],
            quiet: vec![0; count],
            rates: vec![0.0; count],
            squares: vec![[0.0; 2]; count],
            is_damped: true,
            is_anew: false,
            levels: vec![UNSET; count],
            settled: Vec::new(),
            lift: 0,
            quick: Vec::new(),
            held_level: 0,
            partner_level: 0,
            duration: 0.0,
            parts: 1,
            near_inverted: 0,
            is_beyond: false,
            is_torn: false,
            pushes: Pushes::default(),
            workspace: Workspace {
                load: vec![0.0; forest.node_count()],
                total: vec![0.0; forest.node_count()],
                fastest: vec![0.0; forest.node_count()],
                finest: vec![0; forest.node_count()],
                row_of: Vec::new(),
            },
            is_halved: false,
        }
    }

    /// Step level of an evaluated element.
    pub fn level(&self, tet: u32) -> u8 {
        self.levels[tet as usize].min(DEEPEST)
    }

    /// Equal parts into which frames are cut.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// Steps a second that an element needs at rest, evaluated or not.
    pub fn rest_rate(&self, tet: u32) -> f64 {
        if let Some(rate) = self.courant.get(tet as usize) {
            return *rate;
        }
        let square = self.rest[tet as usize];
        rate_for(self.damping_time, self.safety, square, square)
    }

    /// Lets every element fire `2^lift` times as often as it needs, from the next time that levels are settled.
    pub(crate) fn set_lift(&mut self, lift: u8) {
        self.lift = lift;
    }

    /// Contact with faster bodies acts at step level `level` from the next time that levels are settled. Returns whether that is new.
    pub(crate) fn follow_partners(&mut self, level: u8) -> bool {
        std::mem::replace(&mut self.partner_level, level) != level
    }

    /// Follows elements at `share` of the full rate from the next look on, with inertia for what needs more.
    pub(crate) fn follow(&mut self, share: f64) {
        self.is_anew |= self.selective_scaling.follow(share);
    }

    /// Whether viscous forces count from the next look on. Returns whether that is new.
    pub(crate) fn set_damped(&mut self, is_damped: bool) -> bool {
        let is_new = is_damped != self.is_damped;
        if is_new {
            self.is_damped = is_damped;
            self.own.fill(UNSET);
        }
        is_new
    }

    /// As after a look on that level of degradation.
    pub(crate) fn resume(&mut self, degradation_level: &DegradationLevel) {
        self.selective_scaling.follow(degradation_level.rate);
        (self.is_damped, self.is_anew) = (degradation_level.is_damped, false);
    }

    /// Whether viscous forces act.
    pub(crate) fn is_damped(&self) -> bool {
        self.is_damped
    }

    /// Whether the last look found elements that selective mass scaling acts on.
    pub(crate) fn has_selective_scaling(&self) -> bool {
        self.selective_scaling.count > 0
    }

    /// Elements that the last look found pressed below a fifth of their volume.
    pub fn near_inverted(&self) -> u32 {
        self.near_inverted
    }

    /// Whether the last look found an element that needs more steps than there are.
    pub(crate) fn is_beyond(&self) -> bool {
        self.is_beyond
    }

    /// Whether the last look found an element that is torn to several times its length.
    pub(crate) fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// Lets frames be halved only from the next look on.
    pub(crate) fn only_halve(&mut self, is_halved: bool) {
        self.is_halved = is_halved;
        if is_halved && self.parts > 1 {
            (self.parts, self.duration) = (1, 0.0);
        }
    }

    /// Whether frames are halved only.
    pub(crate) fn is_halved(&self) -> bool {
        self.is_halved
    }

    /// Raises all levels by `by` for one frame that went wrong; the next look takes that back.
    pub fn raise_all(&mut self, by: u8) {
        for level in self.levels.iter_mut().filter(|l| **l != UNSET) {
            *level = (*level + by).min(DEEPEST);
        }
    }

    /// Square of the bound of an element at rest, (rad/s)².
    pub(crate) fn rest_square(&self, tet: u32) -> f64 {
        self.rest[tet as usize]
    }

    /// `(ω_e Δt_e / 2c)²` with damping counted in: at most 1 for an element by itself, and more where selective mass scaling makes its corners heavier.
    pub(crate) fn share(&self, tet: u32) -> f64 {
        let t = tet as usize;
        let steps = f64::from(self.parts << self.levels[t].min(DEEPEST));
        let inertia = self.inertia.corner[t] + self.inertia.heavier[t];
        let added = self
            .selective_scaling
            .corners
            .get(t)
            .copied()
            .unwrap_or(0.0);
        (self.rates[t] * self.duration / steps).powi(2) * (1.0 + added / inertia)
    }
}
