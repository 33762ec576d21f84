//! A body that moves by lattice shape matching.

use std::sync::Arc;

use pliant_core::contact::VelocityProjection;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinPart;
use pliant_core::model::{DeformableModel, StepError};

use crate::asset::LatticeAsset;
use crate::bake::stiffness_weights::stiffest_material;
use crate::error::LatticeError;
use crate::fracture::FractureState;
use crate::kernels::Prepared;
use crate::model::energy_account::Account;
use crate::params::{LatticeParams, RotationMethod};
use crate::skin::kernel::SkinKernel;
use crate::step::bones::Bones;
use crate::step::calibrate::{Calibration, calibrate};
use crate::step::damping::region_average::RegionAverage;
use crate::step::frame_plan::FramePlan;
use crate::step::global_shape_matching::GlobalShapeMatching;
use crate::step::matching::Matching;
use crate::step::rotation::jacobi::Jacobi;
use crate::step::single::single_precision::SinglePrecision;
use crate::step::summation::Summation;

/// The kind of this model.
pub const KIND: &str = "lattice";
/// Approximate time of a work unit (a particle step) on one core, ns, for estimates of budgets.
pub const NANOSECONDS_PER_PARTICLE_STEP: u64 = 150;
/// In place of a support: none holds the particle.
pub(crate) const FREE: u32 = u32::MAX;

/// The state at the beginning of a frame, to return to when the frame fails.
#[derive(Default)]
pub(crate) struct SavedState {
    pub x: Vec<Vec3>,
    pub v: Vec<Vec3>,
    pub q: Vec<[f64; 4]>,
    pub rotations: Vec<f32>,
    pub bones: Vec<f64>,
}

/// The current frame of a body that is stepped together with others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoStep {
    pub plan: FramePlan,
    /// s
    pub duration: f64,
    /// last step whose velocities were updated
    pub step: u32,
    /// s since the frame began
    pub time: f64,
    pub gravity: Vec3,
}

/// A deforming lattice: a shared asset and the state of its particles.
///
/// Work units are particle steps. A budget does not shorten a frame, because fewer steps would make the body softer. All steps are taken, and
/// [`work_used`](pliant_core::model::FrameReport::work_used) reports their cost.
pub struct LatticeModel {
    pub(crate) asset: Arc<LatticeAsset>,
    pub(crate) params: LatticeParams,
    /// the asset's material, with what was set at run time
    pub(crate) material: Material,
    pub(crate) calibration: Calibration,
    pub(crate) summation: Summation,
    /// positions, world, m
    pub(crate) x: Vec<Vec3>,
    /// velocities, m/s
    pub(crate) v: Vec<Vec3>,
    /// rotation of each distinct region; the next step's search starts from it
    pub(crate) q: Vec<[f64; 4]>,
    /// 1/kg, zero for held particles and for those of pieces that sleep
    pub(crate) inverse_mass: Vec<f64>,
    /// whether a support holds something of each particle's piece
    pub(crate) supported: Vec<bool>,
    /// support that holds each particle, or [`FREE`]
    pub(crate) holder: Vec<u32>,
    pub(crate) matching: Matching,
    pub(crate) averages: RegionAverage,
    /// whether energies are accounted for; otherwise `q`, `offsets` and the memory for sums in double precision are empty
    pub(crate) energy_accounting: bool,
    /// sums and rotations in single precision
    pub(crate) fast: Option<Box<SinglePrecision>>,
    /// absent for a body that cannot break
    pub(crate) fracture: Option<Box<FractureState>>,
    /// absent where regions of the lattice are matched
    pub(crate) global: Option<Box<GlobalShapeMatching>>,
    pub(crate) bones: Bones,
    /// absent when a vertex is not attached to a whole cell
    pub(crate) skin: Option<Arc<SkinKernel>>,
    pub(crate) projection: VelocityProjection,
    /// goal minus position of each particle in the last step, m
    pub(crate) offsets: Vec<Vec3>,
    /// origin of the sums over positions, m
    pub(crate) center: Vec3,
    /// whether sums and transforms are those of the present positions
    pub(crate) matched: bool,
    /// acceleration by loads of single particles, m/s²
    pub(crate) loaded: Vec<(u32, Vec3)>,
    /// impulses of the frame on the body, N·s
    pub(crate) support_impulses: Vec<Vec3>,
    pub(crate) support_reactions: Vec<Vec3>,
    pub(crate) last_good: SavedState,
    /// of a frame that is stepped from outside
    pub(crate) co_step: Option<CoStep>,
    pub(crate) time: f64,
    pub(crate) account: Account,
    /// share of the kinetic and elastic energy that is a numerical error of steps
    pub(crate) spurious_energy_share: f64,
    /// step of the last frame, s, and its α/(2h²), 1/s²
    pub(crate) step_length: f64,
    pub(crate) stiffness: f64,
}

impl LatticeModel {
    /// A body at rest.
    ///
    /// Stiffness follows from the asset's material and `params`; the half-width is the asset's.
    ///
    /// # Errors
    /// [`LatticeError::StiffnessUnreachable`], [`LatticeError::BadParameter`], those of bones, and [`LatticeError::NeedsRegions`] for a body that is matched as a whole.
    pub fn new(asset: Arc<LatticeAsset>, params: &LatticeParams) -> Result<Self, LatticeError> {
        let params = LatticeParams {
            half_width: Some(asset.half_width),
            ..params.clone()
        };
        let mut material = asset.material;
        if let Some(damping) = params.damping {
            material.damping = damping;
        }
        let stiff = stiffest_material(&material, asset.stiffest);
        let calibration = calibrate(&stiff, asset.cell, &params)?;
        let fracture = fracture_state(&asset, &params)?;
        let asset = fracture.as_ref().map_or(asset, |f| f.clone_whole());
        let mut holder = vec![FREE; asset.particle_count()];
        for (support, held) in asset.held.iter().enumerate() {
            for &p in held {
                holder[p as usize] = support as u32;
            }
        }
        let global = GlobalShapeMatching::new(&asset, params.matching).map(Box::new);
        if global.is_some() && (fracture.is_some() || !asset.stiffness_weights.is_empty()) {
            let name = match fracture.is_some() {
                true => "toughness",
                false => "stiffness",
            };
            return Err(LatticeError::NeedsRegions { name });
        }
        let bones = Bones::new(&asset, &params.bones, |p| holder[p] != FREE)?;
        let inverse = |(p, m): (usize, &f64)| if holder[p] == FREE { 1.0 / m } else { 0.0 };
        let fast = SinglePrecision::is_enabled(&asset, &params)
            .then(|| Box::new(SinglePrecision::new(&asset)));
        let energy_accounting = fast.is_none() || SinglePrecision::accounts_energy(&asset, &params);
        let accounted = energy_accounting.then_some(&*asset);
        let accounted_particles = accounted.map_or(0, LatticeAsset::particle_count);
        let mut model = Self {
            summation: Summation::new(&asset, params.sums),
            inverse_mass: asset.mass.iter().enumerate().map(inverse).collect(),
            matching: accounted.map(Matching::new).unwrap_or_default(),
            averages: accounted.map(RegionAverage::new).unwrap_or_default(),
            energy_accounting,
            fracture,
            global,
            bones,
            fast,
            skin: Prepared::skin(&asset),
            projection: VelocityProjection::default(),
            x: Vec::new(),
            v: Vec::new(),
            q: Vec::new(),
            offsets: vec![Vec3::zeros(); accounted_particles],
            center: asset.center,
            matched: false,
            loaded: Vec::new(),
            support_impulses: vec![Vec3::zeros(); asset.held.len()],
            support_reactions: vec![Vec3::zeros(); asset.held.len()],
            last_good: SavedState::default(),
            co_step: None,
            time: 0.0,
            account: Account::new(accounted_particles),
            spurious_energy_share: 0.0,
            step_length: 0.0,
            stiffness: 0.0,
            supported: asset.supported(),
            holder,
            material,
            calibration,
            params,
            asset,
        };
        let warm = model.params.rotation == RotationMethod::JacobiWarm;
        if model.params.rotation != RotationMethod::Newton {
            model.matching.jacobi = Some(Jacobi::new(model.asset.region_count(), warm));
        }
        model.reset();
        Ok(model)
    }

    /// The baked lattice.
    pub fn asset(&self) -> &Arc<LatticeAsset> {
        &self.asset
    }

    /// Half-width, steps, goal share and Young's modulus in force.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Particle positions, world, m.
    pub fn positions(&self) -> &[Vec3] {
        &self.x
    }

    /// Particle velocities, m/s.
    pub fn velocities(&self) -> &[Vec3] {
        &self.v
    }

    /// Sets positions and velocities of the particles (world, m; m/s), one each; extra entries are ignored. Held particles get no velocity.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        self.wake_all_pieces();
        for (x, new) in self.x.iter_mut().zip(positions) {
            *x = *new;
        }
        for ((v, new), w) in self.v.iter_mut().zip(velocities).zip(&self.inverse_mass) {
            *v = if *w > 0.0 { *new } else { Vec3::zeros() };
        }
        self.bones.fit_to(&mut self.x);
        self.bones.make_velocities_rigid(&self.x, &mut self.v);
        self.center = self.mean_position();
        self.spurious_energy_share = 0.0;
        self.match_shapes(true);
    }

    pub(crate) fn diverged(&self, cause: String) -> StepError {
        StepError::Diverged {
            method: KIND,
            time: self.time,
            cause,
        }
    }

    /// Fails if a particle is not finite or far outside of any plausible position; the error names the first one.
    pub(crate) fn check_state(&self) -> Result<(), StepError> {
        let limit = 1e3 * self.asset.dims.iter().sum::<usize>() as f64 * self.asset.cell;
        for (p, (x, v)) in self.x.iter().zip(&self.v).enumerate() {
            let far = (x - self.center).amax();
            if far > limit || !x.iter().chain(v.iter()).all(|c| c.is_finite()) {
                let at = self.asset.rest_position(p);
                return Err(self.diverged(format!(
                    "particle {p} at rest position ({:.4}, {:.4}, {:.4}) left the body",
                    at.x, at.y, at.z
                )));
            }
        }
        Ok(())
    }

    /// Writes the whole skin, as if no link had broken.
    pub(crate) fn write_whole_skin(&self, out: SkinPart<'_>) {
        match &self.skin {
            Some(skin) => skin.write_part(&self.x, &self.center, out),
            None => out.set(&self.asset.skin, |v| {
                self.asset.embedding.interpolate(v, &self.x)
            }),
        }
    }
}

/// The additional state of a body that can break.
fn fracture_state(
    asset: &LatticeAsset,
    params: &LatticeParams,
) -> Result<Option<Box<FractureState>>, LatticeError> {
    let Some(limits) = params.fracture else {
        return Ok(None);
    };
    limits.check()?;
    if params.regions_once {
        return Err(LatticeError::BadParameter {
            name: "regions_once",
            value: 1.0,
            range: "0 for a body that can break",
        });
    }
    Ok(Some(Box::new(FractureState::new(asset, limits))))
}
