//! One contact as the solver sees it, and its impulse in a step.

use pliant_core::math::Vec3;

/// Velocity (m/s) and inverse mass (1/kg) of a node that some row acts on. The inverse mass leaves out the share of an impulse that moves the body
/// rigidly.
pub(crate) type Slot = [f64; 4];

/// Stands for no slot, and for no body.
pub(crate) const NONE: u32 = u32::MAX;

/// Share of a penetration that is corrected within [`StepRule::correction_time`].
pub(crate) const CORRECTION: f64 = 0.2;

/// Most corrections of this share in a frame. With more steps each corrects less: the speed of the correction belongs to the frame, and would grow without bound with
/// ever shorter steps.
const MAX_CORRECTIONS_PER_FRAME: f64 = 4.0;

/// Penetration that is not corrected, over the contact spacing.
const SLOP: f64 = 0.01;

/// Largest correction of a penetration, over the contact spacing.
const MAX_CORRECTION: f64 = 0.2;

/// Most steps of the group that a step of a row spans, as a power of two.
pub(crate) const MAX_STRIDE_LEVEL: u8 = 15;

/// Sweeps end when no row changes its velocity by more than this share of what gravity adds in a step.
const TOLERANCE: f64 = 1e-3;

/// One contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// first of its entries in [`Solver::entries`](crate::solver::Solver::entries)
    pub from: u32,
    /// one past the last of them
    pub to: u32,
    /// the row acts in every step of the group whose number is a multiple of `2^stride_level`, for as many steps
    pub stride_level: u8,
    /// effective mass along the normal: the impulse that changes the velocity there by 1 m/s, kg; zero where nothing can move
    pub effective_mass: f64,
    /// lower bound of the effective mass in any direction across the normal, kg
    pub tangential_mass: f64,
    /// the rigid parts of the bodies on both sides
    pub sides: [Side; 2],
    /// whether [`Solver::correct_positions`](crate::solver::Solver::correct_positions) corrects penetrations
    pub is_position_corrected: bool,
    /// compliance of the rigid parts of both sides along the normal, 1/kg, for [`Solver::correct_positions`](crate::solver::Solver::correct_positions)
    pub rigid_compliance: f64,
    /// displacement that corrects a penetration, over its share of the compliance, kg m
    pub correction: f64,
    pub normal: Vec3,
    /// m
    pub gap: f64,
    /// penetration that is not corrected, m
    pub tolerated_penetration: f64,
    /// coefficient of static friction
    pub friction: f64,
    /// coefficient of kinetic friction
    pub kinetic_friction: f64,
    /// velocity of the surface of a tool, m/s; zero where the partner is a body
    pub surface_velocity: Vec3,
    /// impulse of its present step, N s
    pub impulse: Vec3,
    /// sum of its impulses in the frame, N s
    pub impulse_sum: Vec3,
    /// finds the row again in the next frame
    pub key: u64,
}

/// One side of a row: a body that a share of its impulses moves rigidly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    /// body, or [`NONE`]
    pub body: u32,
    /// index of the body in [`Solver::projections`](crate::solver::Solver::projections)
    pub projection: u32,
    /// 1 or −1
    pub sign: f64,
    /// lever arm: the contact as seen from the centre of the body, m
    pub arm: Vec3,
}

/// A side without a rigid part.
pub(crate) const NO_SIDE: Side = Side {
    body: NONE,
    projection: 0,
    sign: 0.0,
    arm: Vec3::new(0.0, 0.0, 0.0),
};

/// Lengths and tolerances of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepRule {
    /// length of the step, s
    pub step: f64,
    /// time in which [`CORRECTION`] of a penetration is corrected, s
    pub correction_time: f64,
    /// penetration that is not corrected, m
    pub slop: f64,
    /// largest correction of a penetration in that time, m
    pub max_correction: f64,
    /// largest speed of the correction where positions are corrected as well, m/s
    pub max_rigid_speed: f64,
    /// largest change of a velocity that is neglected, m/s
    pub velocity_tolerance: f64,
}

impl StepRule {
    /// For a step of `step` seconds in a frame of `duration` seconds, points `spacing` (m) apart, and gravity in m/s².
    pub fn new(step: f64, duration: f64, spacing: f64, gravity: f64) -> Self {
        Self {
            step,
            correction_time: step.max(duration / MAX_CORRECTIONS_PER_FRAME),
            slop: SLOP * spacing,
            max_correction: MAX_CORRECTION * spacing,
            max_rigid_speed: gravity * step,
            velocity_tolerance: TOLERANCE * (gravity * step).max(1e-3 * spacing / step),
        }
    }
}

/// The rules of steps that span 1, 2, 4, ... steps of the group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepRules([StepRule; MAX_STRIDE_LEVEL as usize + 1]);

impl StepRules {
    /// For steps of the group of `step` seconds; see [`StepRule::new`].
    pub fn new(step: f64, duration: f64, spacing: f64, gravity: f64) -> Self {
        Self(std::array::from_fn(|level| {
            let stride = f64::from(1_u32 << level);
            StepRule::new(step * stride, duration, spacing, gravity)
        }))
    }

    /// The rule of one step of the group.
    #[inline(always)]
    pub fn shortest(&self) -> &StepRule {
        &self.0[0]
    }

    /// The rule of the steps of a row.
    #[inline(always)]
    pub fn of(&self, row: &Row) -> &StepRule {
        &self.0[usize::from(row.stride_level.min(MAX_STRIDE_LEVEL))]
    }
}

impl Row {
    /// Whether the row acts in step `step` of the group.
    #[inline(always)]
    pub fn is_due(&self, step: u32) -> bool {
        step.is_multiple_of(1 << self.stride_level)
    }

    /// The part of the penetration that is corrected within [`StepRule::correction_time`], m.
    #[inline(always)]
    pub fn corrected_depth(&self, rule: &StepRule) -> f64 {
        let tolerated = rule.slop.max(self.tolerated_penetration);
        (CORRECTION * (-self.gap - tolerated).max(0.0)).min(rule.max_correction)
    }

    /// The impulse of its step that satisfies non-penetration and Coulomb's law at velocity `v`, to which its present impulse has already contributed.
    #[inline(always)]
    pub fn admissible_impulse(&self, v: &Vec3, rule: &StepRule) -> Vec3 {
        let relative = v - self.surface_velocity;
        let along = self.normal.dot(&relative);
        let target = if self.gap >= 0.0 {
            -self.gap / rule.step
        } else if self.is_position_corrected {
            (self.corrected_depth(rule) / rule.correction_time).min(rule.max_rigid_speed)
        } else {
            self.corrected_depth(rule) / rule.correction_time
        };
        let present = self.normal.dot(&self.impulse);
        let normal = (present + (target - along) * self.effective_mass).max(0.0);
        if normal == 0.0 {
            return Vec3::zeros();
        }
        // the impulse that would stop the sliding
        let tangential = self.impulse
            - self.normal * present
            - (relative - self.normal * along) * self.tangential_mass;
        let size = tangential.norm();
        if size <= self.friction * normal {
            self.normal * normal + tangential
        } else {
            self.normal * normal + tangential * (self.kinetic_friction * normal / size)
        }
    }

    /// The tolerated penetration of this frame, m, where it was `last` (m) in the last one: it approaches the depth by `share`.
    pub fn next_tolerated_penetration(&self, last: f64, share: f64) -> f64 {
        let depth = (-self.gap).max(0.0);
        let last = last.min(depth);
        last + (depth - last) * share
    }
}
