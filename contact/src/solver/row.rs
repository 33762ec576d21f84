//! One contact as the solver sees it, and the impulse that it wants.

use pliant_core::math::Vec3;

/// Velocity (m/s) and inverse mass (1/kg) of a node that some row holds. The share of an impulse that moves the body rigidly is taken off the
/// inverse mass.
pub(crate) type Slot = [f64; 4];

/// Stands for no slot, and for no body.
pub(crate) const NONE: u32 = u32::MAX;

/// Share of a penetration that one step takes back.
pub(crate) const CORRECTION: f64 = 0.2;

/// Steps of a frame in which penetrations are taken back as fast as that. With more of them each takes back less: the speed at which a penetration is left belongs to the
/// frame, and would grow without bound with ever shorter steps.
const CORRECTING_STEPS: f64 = 4.0;

/// Penetration that is left alone, over the contact spacing.
const SLOP: f64 = 0.01;

/// Most steps of the group that a step of a row spans, as a power of two.
pub(crate) const MAX_STRIDE_LEVEL: u8 = 15;

/// Sweeps end when no row changes its velocity by more than this share of what gravity gives in a step.
const TOLERANCE: f64 = 1e-3;

/// One contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// entries of the row in [`Solver::entries`](crate::solver::Solver::entries)
    pub from: u32,
    pub to: u32,
    /// the row acts in every step of the group whose number is a multiple of `2^stride_level`, for as many steps
    pub stride_level: u8,
    /// impulse that changes the velocity along the normal by 1 m/s, kg; zero where nothing can move
    pub mass: f64,
    /// the same across the normal, at least
    pub sliding_mass: f64,
    /// the rigid parts of the bodies on both sides
    pub sides: [Side; 2],
    /// whether penetrations are taken back by [`Solver::part`](crate::solver::Solver::part)
    pub parted: bool,
    /// compliance of the rigid parts of both sides along the normal, 1/kg, for [`Solver::part`](crate::solver::Solver::part)
    pub rigid_compliance: f64,
    /// displacement that takes back a penetration, over its share of the compliance, kg m
    pub parting: f64,
    pub normal: Vec3,
    /// m
    pub gap: f64,
    /// penetration that is not taken back, m
    pub left: f64,
    pub friction: f64,
    pub kinetic: f64,
    /// of the partner, m/s, where that is a tool
    pub surface_velocity: Vec3,
    /// impulse of its present step, N s
    pub impulse: Vec3,
    /// impulses summed over the frame, N s
    pub sum: Vec3,
    /// to find the row again in the next frame
    pub key: u64,
}

/// One side of a row: a body that a share of its impulses moves rigidly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    /// body, or [`NONE`]
    pub body: u32,
    /// place of the body in [`Solver::projections`](crate::solver::Solver::projections)
    pub projection: u32,
    /// 1 or −1
    pub sign: f64,
    /// contact from the centre of the body, m
    pub arm: Vec3,
}

/// A side without a rigid part.
pub(crate) const NO_SIDE: Side = Side {
    body: NONE,
    projection: 0,
    sign: 0.0,
    arm: Vec3::new(0.0, 0.0, 0.0),
};

/// What a step needs to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepRule {
    /// length of the step, s
    pub step: f64,
    /// time in which a share of a penetration is taken back, s
    pub correction_time: f64,
    /// penetration that is left alone, m
    pub slop: f64,
    /// most of a penetration that is taken back in that time, m
    pub most: f64,
    /// the same where bodies are also moved apart rigidly, m/s
    pub gently: f64,
    /// velocity that counts as nothing, m/s
    pub still: f64,
}

impl StepRule {
    /// For a step of `step` seconds in a frame of `duration` seconds, points `spacing` (m) apart, and gravity in m/s².
    pub fn new(step: f64, duration: f64, spacing: f64, gravity: f64) -> Self {
        Self {
            step,
            correction_time: step.max(duration / CORRECTING_STEPS),
            slop: SLOP * spacing,
            most: 0.2 * spacing,
            gently: gravity * step,
            still: TOLERANCE * (gravity * step).max(1e-3 * spacing / step),
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

    /// Share of the penetration that is taken back within [`StepRule::correction_time`], m.
    #[inline(always)]
    pub fn taken_back(&self, rule: &StepRule) -> f64 {
        let kept = rule.slop.max(self.left);
        (CORRECTION * (-self.gap - kept).max(0.0)).min(rule.most)
    }

    /// Impulse of its step that the row wants at velocity `v`, which contains its present one.
    #[inline(always)]
    pub fn admissible(&self, v: &Vec3, rule: &StepRule) -> Vec3 {
        let relative = v - self.surface_velocity;
        let along = self.normal.dot(&relative);
        let wanted = if self.gap >= 0.0 {
            -self.gap / rule.step
        } else if self.parted {
            (self.taken_back(rule) / rule.correction_time).min(rule.gently)
        } else {
            self.taken_back(rule) / rule.correction_time
        };
        let had = self.normal.dot(&self.impulse);
        let normal = (had + (wanted - along) * self.mass).max(0.0);
        if normal == 0.0 {
            return Vec3::zeros();
        }
        // what would stop the sliding
        let slide =
            self.impulse - self.normal * had - (relative - self.normal * along) * self.sliding_mass;
        let size = slide.norm();
        if size <= self.friction * normal {
            self.normal * normal + slide
        } else {
            self.normal * normal + slide * (self.kinetic * normal / size)
        }
    }
}

impl Row {
    /// The penetration that is not taken back in this frame, m, where `left` (m) was not taken back in the last one.
    pub fn left_alone(&self, left: f64, share: f64) -> f64 {
        let depth = (-self.gap).max(0.0);
        let left = left.min(depth);
        left + (depth - left) * share
    }
}
