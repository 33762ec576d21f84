//! A body that is stepped as in scenes.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{Damping, DampingParameters};
use pliant_core::math::Vec3;
use pliant_core::model::{StepError, SteppedModel};

use crate::asset::LatticeAsset;
use crate::error::LatticeError;
use crate::model::LatticeModel;
use crate::params::{LatticeParams, Precision};

/// Steps of a frame: as many as a frame may have, so that the cost of its beginning and end is negligible.
const STEPS: u32 = 4096;

/// How a body is stepped.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Length of a step, s.
    pub step: f64,
    /// Share of the way to the goals that a step goes.
    pub alpha: f64,
    /// Gain of the damping, from 0 (none) to 1.
    pub gain: f64,
}

/// A body that is stepped as a group of bodies would step it: no energy accounting, no gravity, no contact.
pub struct SteppedBody {
    model: LatticeModel,
    boundary: BoundaryConditions,
    /// s
    frame: f64,
    /// the next step of the frame
    next: u32,
}

impl SteppedBody {
    /// A body at rest.
    ///
    /// # Errors
    /// [`LatticeError::BadParameter`].
    pub fn new(asset: Arc<LatticeAsset>, pace: Pace) -> Result<Self, LatticeError> {
        Self::with(asset, pace, Precision::Single)
    }

    /// The same in double precision: the reference.
    pub(crate) fn in_double_precision(
        asset: Arc<LatticeAsset>,
        pace: Pace,
    ) -> Result<Self, LatticeError> {
        Self::with(asset, pace, Precision::Double)
    }

    fn with(
        asset: Arc<LatticeAsset>,
        pace: Pace,
        precision: Precision,
    ) -> Result<Self, LatticeError> {
        let Pace { step, alpha, gain } = pace;
        let frame = f64::from(STEPS) * step;
        let lame = asset.material.lame();
        let damping = DampingParameters {
            phi: gain * (lame.lambda + 2.0 * lame.mu) * step / alpha,
            psi: 0.0,
        };
        let params = LatticeParams {
            alpha: Some(alpha),
            steps: Some(STEPS),
            frame_duration: frame,
            damping: Some(Damping::Parameters(damping)),
            precision: Some(precision),
            energy_accounting: Some(false),
            ..LatticeParams::default()
        };
        Ok(Self {
            model: LatticeModel::new(asset, &params)?,
            boundary: BoundaryConditions::with_gravity(Vec3::zeros()),
            frame,
            next: 0,
        })
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.model.asset.particle_count()
    }

    /// Moves each particle to where `place` maps its rest position (cells from the centre), without velocity.
    pub fn deform(&mut self, place: impl Fn([f64; 3]) -> [f64; 3]) {
        let asset = Arc::clone(&self.model.asset);
        let cell = asset.cell;
        let places = asset.rest.iter().map(|x| {
            let x = place((x / cell).into());
            asset.center + Vec3::from(x) * cell
        });
        let positions: Vec<Vec3> = places.collect();
        self.model
            .set_state(&positions, &vec![Vec3::zeros(); positions.len()]);
        self.next = 0;
    }

    /// Updates the regions of the particles `regions` and the constants of `particles` from the same lattice with broken links.
    pub(crate) fn update(&mut self, asset: &LatticeAsset, regions: &[u32], particles: &[u32]) {
        if let Some(fast) = &mut self.model.fast {
            fast.kernel.update(asset, regions, particles);
        }
    }

    /// Goal minus position of each particle, m.
    pub(crate) fn find_offsets(&mut self) -> Vec<Vec3> {
        let model = &mut self.model;
        model.find_goals_in_single_precision();
        let (all, cell) = (0..model.asset.particle_count(), model.asset.cell);
        if let Some(fast) = &model.fast {
            return all.map(|p| fast.offset(p, cell)).collect();
        }
        // shapes were matched when the positions were set
        model.pull_to_goals(false, (0.0, &Vec3::zeros()));
        model.offsets.clone()
    }

    /// One step.
    ///
    /// # Errors
    /// [`StepError::Diverged`], once in some thousand steps, when a frame ends.
    pub fn step(&mut self) -> Result<(), StepError> {
        if self.next == 0 {
            self.model.begin(self.frame, &self.boundary, STEPS)?;
        }
        self.model.kick(self.next);
        self.model.drift();
        self.next += 1;
        if self.next == STEPS {
            self.next = 0;
            self.model.end()?;
        }
        Ok(())
    }
}
