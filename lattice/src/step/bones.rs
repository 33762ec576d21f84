//! Rigid bones: particles in a given shape move as one rigid piece (the skeleton of the infant in Rivers and James 2007, figure 6).
//!
//! In each step the velocities of a bone's particles are replaced by the rigid motion with the same momentum and angular momentum, which moves the bone
//! as a whole. Positions are computed from its centre and its rotation, so that it cannot drift out of shape. The angular momentum is conserved during the
//! rotation, and the velocities at the new positions are computed from it, so that both momenta of a free body are exact.

use nalgebra::{Quaternion, UnitQuaternion};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::scene::BoneDescription;

use crate::asset::LatticeAsset;
use crate::error::LatticeError;
use crate::numerics::inertia::inverse_inertia;
use crate::step::rotation::newton::best_rotation_near;

/// The bones of one body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bones {
    all: Vec<Bone>,
}

/// A rigid piece.
#[derive(Debug, Clone)]
struct Bone {
    particles: Vec<u32>,
    /// position of each particle relative to the bone's centre at rest, m
    rest: Vec<Vec3>,
    /// kg
    mass: Vec<f64>,
    total: f64,
    rotation: UnitQuaternion<f64>,
}

impl Bones {
    /// Finds the particles of each bone; a particle in several shapes belongs to the first. `held` tells which particles a support holds.
    ///
    /// # Errors
    /// [`LatticeError::BoneEmpty`], [`LatticeError::BoneHeld`].
    pub fn new(
        asset: &LatticeAsset,
        descriptions: &[BoneDescription],
        held: impl Fn(usize) -> bool,
    ) -> Result<Self, LatticeError> {
        let mut assigned = vec![false; asset.particle_count()];
        let mut all = Vec::new();
        for bone in descriptions {
            let name = || bone.name.clone();
            let inside = |p: &u32| bone.shape.contains(&asset.rest_position(*p as usize));
            let mut particles: Vec<u32> =
                (0..assigned.len() as u32).filter(|p| inside(p)).collect();
            particles.retain(|p| !std::mem::replace(&mut assigned[*p as usize], true));
            if particles.is_empty() {
                return Err(LatticeError::BoneEmpty { name: name() });
            }
            if particles.iter().any(|&p| held(p as usize)) {
                return Err(LatticeError::BoneHeld { name: name() });
            }
            let mass: Vec<f64> = particles.iter().map(|&p| asset.mass[p as usize]).collect();
            let total = mass.iter().sum();
            let places = particles.iter().map(|&p| asset.rest[p as usize]);
            let center = places.clone().zip(&mass).map(|(x, m)| x * *m).sum::<Vec3>() / total;
            all.push(Bone {
                rest: places.map(|x| x - center).collect(),
                particles,
                mass,
                total,
                rotation: UnitQuaternion::identity(),
            });
        }
        Ok(Self { all })
    }

    /// Number of bones.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Particles of all bones.
    pub fn particles(&self) -> impl Iterator<Item = u32> + '_ {
        self.all
            .iter()
            .flat_map(|bone| bone.particles.iter().copied())
    }

    /// Whether both ends of a link belong to the same bone, which no blade cuts.
    pub fn holds_both_ends(&self, link: [u32; 2]) -> bool {
        // particles are ascending
        let contains = |bone: &Bone, p: &u32| bone.particles.binary_search(p).is_ok();
        let contains_both = |bone: &Bone| link.iter().all(|p| contains(bone, p));
        self.all.iter().any(contains_both)
    }

    /// Rotation (w, x, y, z) of each bone.
    pub fn rotations(&self) -> impl Iterator<Item = f64> + '_ {
        let quaternion = |bone: &Bone| {
            let q = bone.rotation.quaternion();
            [q.w, q.i, q.j, q.k]
        };
        self.all.iter().flat_map(quaternion)
    }

    /// Restores rotations from [`Bones::rotations`] that belong to the present positions.
    pub fn set_rotations(&mut self, rotations: &[f64]) {
        for (bone, q) in self.all.iter_mut().zip(rotations.chunks_exact(4)) {
            bone.rotation = UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]));
        }
    }

    /// Fits each bone to positions `x` (m) that were set from outside, and moves its particles to the bone.
    pub fn fit_to(&mut self, x: &mut [Vec3]) {
        for bone in &mut self.all {
            let center = bone.mean(x);
            let mut moments = Mat3::zeros();
            for ((p, rest), m) in bone.particles.iter().zip(&bone.rest).zip(&bone.mass) {
                moments += (x[*p as usize] - center) * rest.transpose() * *m;
            }
            bone.rotation = best_rotation_near(&moments, &bone.rotation);
            bone.place_particles(&center, x);
        }
    }

    /// Replaces the velocities `v` (m/s) of each bone by the rigid motion with the same momenta.
    pub fn make_velocities_rigid(&self, x: &[Vec3], v: &mut [Vec3]) {
        for bone in &self.all {
            let (center, velocity) = (bone.mean(x), bone.mean(v));
            let angular_velocity = bone.inverse_inertia() * bone.angular_momentum(x, v, &center);
            bone.set_velocities(x, v, (&center, &velocity, &angular_velocity));
        }
    }

    /// Corrects the positions of each bone to a rigid rotation, after its particles moved with their own velocities for `step` seconds.
    pub fn rotate(&mut self, step: f64, x: &mut [Vec3], v: &mut [Vec3]) {
        for bone in &mut self.all {
            // the centre and the angular momentum do not depend on how the particles were moved
            let (center, velocity) = (bone.mean(x), bone.mean(v));
            let momentum = bone.angular_momentum(x, v, &center);
            let rotation = bone.inverse_inertia() * momentum * step;
            bone.rotation = UnitQuaternion::from_scaled_axis(rotation) * bone.rotation;
            bone.rotation.renormalize();
            bone.place_particles(&center, x);
            let angular_velocity = bone.inverse_inertia() * momentum;
            bone.set_velocities(x, v, (&center, &velocity, &angular_velocity));
        }
    }
}

impl Bone {
    fn mean(&self, values: &[Vec3]) -> Vec3 {
        let each = self.particles.iter().zip(&self.mass);
        each.map(|(p, m)| values[*p as usize] * *m).sum::<Vec3>() / self.total
    }

    /// Angular momentum about `center`.
    fn angular_momentum(&self, x: &[Vec3], v: &[Vec3], center: &Vec3) -> Vec3 {
        let each = self.particles.iter().zip(&self.mass);
        each.map(|(p, m)| (x[*p as usize] - center).cross(&v[*p as usize]) * *m)
            .sum()
    }

    /// Inverse inertia at the bone's rotation, 1/(kg·m²).
    fn inverse_inertia(&self) -> Mat3 {
        let mut second_moments = Mat3::zeros();
        for (rest, m) in self.rest.iter().zip(&self.mass) {
            let r = self.rotation * rest;
            second_moments += r * r.transpose() * *m;
        }
        inverse_inertia(&second_moments)
    }

    fn place_particles(&self, center: &Vec3, x: &mut [Vec3]) {
        for (p, rest) in self.particles.iter().zip(&self.rest) {
            x[*p as usize] = center + self.rotation * rest;
        }
    }

    fn set_velocities(&self, x: &[Vec3], v: &mut [Vec3], motion: (&Vec3, &Vec3, &Vec3)) {
        let (center, velocity, angular_velocity) = motion;
        for p in &self.particles {
            v[*p as usize] = velocity + angular_velocity.cross(&(x[*p as usize] - center));
        }
    }
}
