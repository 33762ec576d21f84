//! How often each element fires.

use pliant_core::model::degradation_levels::DegradationLevel;

use crate::cut::Forest;
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ElementModel, Scheme, StepRule};
use crate::step::multirate::rates::element_coupling::{ElementCoupling, NodeWorkspace};
use crate::step::multirate::rates::inertia::Inertia;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET};
use crate::step::selective_mass_scaling::SelectiveMassScaling;
use crate::step::time_step::courant::courant_rates;
use crate::step::time_step::element_bounds::{squared_frequencies, squared_spring_frequencies};
use crate::step::time_step::rate::rate_for;
use crate::step::time_step::stiffening::Stiffening;

/// Step levels of the evaluated elements of a cut: an element of level `i` fires `2^i` times in each of some equal parts of a frame.
///
/// The rate that an element needs by itself follows from its bound `ω_e`, its stretch and the damping, as for a single level. Its level rises at once, and falls by one only
/// after 30 frames that need fewer steps: rates that change every frame pump energy into the body. Elements at an interface are raised further where they would be too slow for
/// the light nodes on which they act through ghosts.
#[derive(Debug, Clone)]
pub struct ElementSteps {
    pub(crate) law: Stiffening,
    pub(crate) damping_time: f64,
    pub(crate) safety: f64,
    /// squares of the element bounds at rest, (rad/s)²
    pub(crate) rest_squares: Vec<f64>,
    /// steps a second of each element by the Courant rule; empty for the bound
    pub(crate) courant: Vec<f64>,
    pub(crate) inertia: Inertia,
    /// step level that each element needs by itself, and the number of frames that needed a lower one
    pub(crate) own_levels: Vec<u8>,
    pub(crate) frames_below: Vec<u8>,
    /// steps a second that each element needs now
    pub(crate) rates: Vec<f64>,
    /// squares of its elastic and its viscous bound at the last scan, (rad/s)²
    pub(crate) squares: Vec<[f64; 2]>,
    /// step level of each element
    pub(crate) levels: Vec<u8>,
    /// the same before the last coupling
    pub(crate) previous_levels: Vec<u8>,
    /// levels that are added to the level that every element needs, from the next coupling on
    pub(crate) extra_levels: u8,
    /// nodes in contact at the last scan
    pub(crate) contact_nodes: Vec<u32>,
    /// highest step level that the elements at contact nodes need, at the last coupling
    pub(crate) held_level: u8,
    /// step level at which contact with faster bodies acts on contact nodes, 0 for none
    pub(crate) partner_level: u8,
    pub(crate) duration: f64,
    pub(crate) parts: u32,
    /// number of elements that the last scan found below a fifth of their volume
    pub(crate) near_inverted: u32,
    /// whether the last scan found an element that needs more steps than the deepest level has
    pub(crate) exceeds_deepest: bool,
    /// whether the last scan found a torn element
    pub(crate) is_torn: bool,
    pub(crate) selective_scaling: SelectiveMassScaling,
    /// whether viscous forces act
    pub(crate) is_damped: bool,
    /// whether the next scan resets the levels of elements whose added inertia changes
    pub(crate) resets_rescaled: bool,
    pub(crate) coupling: ElementCoupling,
    pub(crate) workspace: NodeWorkspace,
    /// whether frames are only halved, and never divided into parts, so that co-stepped bodies meet at the same times
    pub(crate) halves_only: bool,
    /// whether the level that an element needs by itself never falls
    pub(crate) never_falls: bool,
}

impl ElementSteps {
    /// Steps of the elements of all `levels`, whose bounds include `inertia`.
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
        let (mut rest_squares, mut courant) = (Vec::new(), Vec::new());
        for level in levels {
            if params.step_rule == StepRule::Courant {
                courant.extend(courant_rates(level, material));
            }
            rest_squares.extend(match model {
                ElementModel::Spring => squared_spring_frequencies(level, material.elastic.young),
                _ => squared_frequencies(level, model, &lame),
            });
        }
        let count = rest_squares.len();
        let rate = |&square: &f64| rate_for(damping_time, params.safety, square, square);
        let is_scaled =
            forest.is_supported() && courant.is_empty() && params.scheme == Scheme::ElementImpulses;
        Self {
            selective_scaling: SelectiveMassScaling::new(rest_squares.iter().map(rate), is_scaled),
            law: Stiffening::new(model, lame, params.recover),
            damping_time,
            safety: params.safety,
            rest_squares,
            courant,
            inertia,
            own_levels: vec![UNSET; count],
            frames_below: vec![0; count],
            rates: vec![0.0; count],
            squares: vec![[0.0; 2]; count],
            is_damped: true,
            resets_rescaled: false,
            levels: vec![UNSET; count],
            previous_levels: Vec::new(),
            extra_levels: 0,
            contact_nodes: Vec::new(),
            held_level: 0,
            partner_level: 0,
            duration: 0.0,
            parts: 1,
            near_inverted: 0,
            exceeds_deepest: false,
            is_torn: false,
            coupling: ElementCoupling::default(),
            workspace: NodeWorkspace {
                load: vec![0.0; forest.node_count()],
                total: vec![0.0; forest.node_count()],
                fastest: vec![0.0; forest.node_count()],
                finest: vec![0; forest.node_count()],
                row_of: Vec::new(),
            },
            halves_only: false,
            never_falls: false,
        }
    }

    /// Step level of an evaluated element.
    pub fn level(&self, tet: u32) -> u8 {
        self.levels[tet as usize].min(DEEPEST)
    }

    /// Number of equal parts of a frame.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// Steps a second that an element needs at rest, evaluated or not.
    pub fn rest_rate(&self, tet: u32) -> f64 {
        if let Some(rate) = self.courant.get(tet as usize) {
            return *rate;
        }
        let square = self.rest_squares[tet as usize];
        rate_for(self.damping_time, self.safety, square, square)
    }

    /// Sets the step level at which contact with faster bodies acts, for the next coupling. Returns whether that is a change.
    pub(crate) fn set_partner_level(&mut self, level: u8) -> bool {
        std::mem::replace(&mut self.partner_level, level) != level
    }

    /// Limits rates to `share` of the full rate from the next scan on; elements that need more get added inertia.
    pub(crate) fn set_rate_share(&mut self, share: f64) {
        self.resets_rescaled |= self.selective_scaling.set_rate_share(share);
    }

    /// Sets whether viscous forces act from the next scan on. Returns whether that is a change.
    pub(crate) fn set_damped(&mut self, is_damped: bool) -> bool {
        let is_new = is_damped != self.is_damped;
        if is_new {
            self.is_damped = is_damped;
            self.own_levels.fill(UNSET);
        }
        is_new
    }

    /// Sets the state that a scan at this level of degradation leaves.
    pub(crate) fn resume(&mut self, degradation_level: &DegradationLevel) {
        self.selective_scaling
            .set_rate_share(degradation_level.rate);
        (self.is_damped, self.resets_rescaled) = (degradation_level.is_damped, false);
    }

    /// Sets whether frames are only halved, and not divided into parts, from the next scan on.
    pub(crate) fn set_halves_only(&mut self, halves_only: bool) {
        self.halves_only = halves_only;
        if halves_only && self.parts > 1 {
            (self.parts, self.duration) = (1, 0.0);
        }
    }

    /// Lets steps only become shorter from the next scan on, and frames only be halved: each change of a step costs energy, which a study of energy should not see.
    pub(crate) fn only_shorten(&mut self) {
        self.never_falls = true;
        self.set_halves_only(true);
    }

    /// Raises all levels by `by` to repeat a frame that failed; the next scan resets that.
    pub fn raise_all(&mut self, by: u8) {
        for level in self.levels.iter_mut().filter(|l| **l != UNSET) {
            *level = (*level + by).min(DEEPEST);
        }
    }

    /// `(ω_e Δt_e / 2c)²`, including damping: at most 1 for an element by itself, and more where selective mass scaling makes its corners heavier.
    pub(crate) fn stability_ratio(&self, tet: u32) -> f64 {
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
