//! A damped mass-spring network as a [`DeformableModel`]: point masses at the vertices of the skin, springs between all that are near each other, also through the body.
//!
//! A random network of springs is a solid with Poisson's ratio 1/4 and Young's modulus `E = Σ k l² / (6 V)`; that sum sets the stiffness.

use std::sync::Arc;

use pliant::core::asset::BodyGeometry;
use pliant::core::contact::VelocityProjection;
use pliant::core::inspect::{Capabilities, ModelStats};
use pliant::core::material::Damping;
use pliant::core::mesh::SkinEmbedding;
use pliant::core::model::SnapshotMismatch;
use pliant::{
    BoundaryConditions, DeformableModel, EnergyAccount, FrameReport, FrameRequest, Inspect,
    StateSnapshot, StepError, SurfaceFrame, SurfaceMesh, Vec3,
};

const KIND: &str = "mass_spring";

/// Two masses, their rest distance (m) and the stiffness of the spring between them (N/m).
struct Spring {
    ends: [usize; 2],
    length: f64,
    stiffness: f64,
}

/// The body.
pub struct MassSpring {
    skin: Arc<SurfaceMesh>,
    /// every skin vertex is a point mass
    embedding: SkinEmbedding,
    springs: Vec<Spring>,
    /// one point mass, kg
    mass: f64,
    /// 1/kg; zero where a support holds the mass
    inverse_masses: Vec<f64>,
    /// pairs of a mass and the support that holds it
    supported: Vec<(usize, usize)>,
    /// ratio of damping to stiffness, s
    retardation: f64,
    /// longest stable step, s
    max_step: f64,
    contact: VelocityProjection,
    support_reactions: Vec<Vec3>,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    gravity: Vec3,
    energy: EnergyAccount,
}

impl MassSpring {
    /// A network on the skin of a body.
    pub fn new(body: &BodyGeometry) -> Self {
        let x = &body.skin.positions;
        let (count, volume) = (x.len(), body.skin.volume());
        let mass = body.material.density * volume / count as f64;
        // unlike the sides of a bounding box, the cube root of the volume does not depend on the orientation of the body
        let reach = 0.93 * volume.cbrt();
        let mut springs = Vec::new();
        for a in 0..count {
            for b in 0..a {
                let length = (x[a] - x[b]).norm();
                if length < reach {
                    springs.push(Spring {
                        ends: [a, b],
                        length,
                        stiffness: 0.0,
                    });
                }
            }
        }
        let share = 6.0 * volume * body.material.elastic.young / springs.len() as f64;
        let mut sums = vec![0.0; count];
        for spring in &mut springs {
            spring.stiffness = share / spring.length.powi(2);
            for end in spring.ends {
                sums[end] += spring.stiffness;
            }
        }
        // Gershgorin's bound on the highest frequency, and the lowest frequency of a body of that size
        let highest = (2.0 * sums.iter().copied().fold(0.0, f64::max) / mass).sqrt();
        let lowest = (body.material.elastic.young / body.material.density).sqrt() / reach;
        let zeta = match body.material.damping {
            Damping::Ratio(zeta) => zeta,
            Damping::Parameters(_) => 0.1,
        };
        let retardation = 2.0 * zeta / lowest;
        let mut inverse_masses = vec![1.0 / mass; count];
        let mut supported = Vec::new();
        for (k, support) in body.supports.iter().enumerate() {
            for &v in &support.skin_vertices {
                inverse_masses[v as usize] = 0.0;
                supported.push((v as usize, k));
            }
        }
        Self {
            embedding: SkinEmbedding::from_rows((0..count as u32).map(|v| (vec![(v, 1.0)], 0.0))),
            max_step: 0.5 / (highest + retardation * highest * highest),
            support_reactions: vec![Vec3::zeros(); body.supports.len()],
            positions: x.clone(),
            velocities: vec![Vec3::zeros(); count],
            skin: Arc::clone(&body.skin),
            contact: VelocityProjection::default(),
            gravity: Vec3::zeros(),
            energy: EnergyAccount::default(),
            springs,
            mass,
            inverse_masses,
            supported,
            retardation,
        }
    }

    /// Elastic and viscous forces (N), with loads and weight.
    fn forces(&self, boundary: &BoundaryConditions) -> (Vec<Vec3>, Vec<Vec3>) {
        let weight = self.gravity * self.mass;
        let mut forces = vec![weight; self.positions.len()];
        let mut viscous = vec![Vec3::zeros(); self.positions.len()];
        for load in boundary.loads() {
            forces[load.vertex as usize] += load.force;
        }
        for Spring {
            ends: [a, b],
            length,
            stiffness,
        } in &self.springs
        {
            let apart = self.positions[*a] - self.positions[*b];
            let distance = apart.norm().max(1e-9 * length);
            let direction = apart / distance;
            let rate = (self.velocities[*a] - self.velocities[*b]).dot(&direction);
            let pull = direction * (stiffness * (length - distance));
            let drag = direction * (-stiffness * self.retardation * rate);
            forces[*a] += pull;
            forces[*b] -= pull;
            viscous[*a] += drag;
            viscous[*b] -= drag;
        }
        (forces, viscous)
    }

    /// One step of symplectic Euler: forces, contact on velocities, motion.
    fn step(&mut self, boundary: &BoundaryConditions, time: f64, step: f64, duration: f64) {
        let (forces, viscous) = self.forces(boundary);
        for &(n, support) in &self.supported {
            self.support_reactions[support] -= (forces[n] + viscous[n]) * (step / duration);
        }
        let before = self.velocities.clone();
        for (v, (f, w)) in self
            .velocities
            .iter_mut()
            .zip(forces.iter().zip(&self.inverse_masses))
        {
            *v += f * (step * w);
        }
        for (v, (f, w)) in self
            .velocities
            .iter_mut()
            .zip(viscous.iter().zip(&self.inverse_masses))
        {
            *v += f * (step * w);
        }
        let kicked = self.velocities.clone();
        let (v, x) = (&mut self.velocities, &self.positions);
        self.contact
            .project(v, x, &self.inverse_masses, time, step, duration);
        // impulses do work on the mean velocity of a kick: then the kinetic energy is accounted for exactly. `advance` adds what tools did
        for n in 0..before.len() {
            let mean = (before[n] + self.velocities[n]) * 0.5;
            let by_contact = (self.velocities[n] - kicked[n]) * self.mass;
            self.energy.dissipated -= (by_contact + viscous[n] * step).dot(&mean);
        }
        for load in boundary.loads() {
            self.energy.work += step * load.force.dot(&self.velocities[load.vertex as usize]);
        }
        for (x, v) in self.positions.iter_mut().zip(&self.velocities) {
            *x += v * step;
        }
    }

    fn potential(&self, gravity: &Vec3) -> f64 {
        let rest = self.skin.positions.iter();
        let moved = self.positions.iter().zip(rest).map(|(x, r)| x - r);
        -self.mass * gravity.dot(&moved.sum::<Vec3>())
    }
}

impl DeformableModel for MassSpring {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.skin
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let (boundary, duration) = (request.boundary, request.duration);
        let last_good = self.snapshot();
        // a change of gravity does work on the body
        self.energy.work += self.potential(&boundary.gravity) - self.potential(&self.gravity);
        self.gravity = boundary.gravity;
        self.support_reactions.fill(Vec3::zeros());
        let constraints = boundary.displacements();
        let (masses, x) = (&self.inverse_masses, &self.positions);
        self.contact
            .begin_frame(constraints, &self.embedding, masses, x, duration);
        let steps = (duration / self.max_step).ceil().max(1.0) as u32;
        let step = duration / f64::from(steps);
        for k in 0..steps {
            self.step(boundary, f64::from(k) * step, step, duration);
        }
        self.contact.end_frame();
        // tools and grabs do work at their own velocity: what the body did not gain of it in the steps was dissipated
        let work = self.contact.work();
        self.energy.work += work;
        self.energy.dissipated += work;
        let squares = self.velocities.iter().map(Vec3::norm_squared);
        self.energy.kinetic = 0.5 * self.mass * squares.sum::<f64>();
        let elastic = self.springs.iter().map(|s| {
            let apart = self.positions[s.ends[0]] - self.positions[s.ends[1]];
            0.5 * s.stiffness * (apart.norm() - s.length).powi(2)
        });
        self.energy.elastic = elastic.sum();
        self.energy.potential = self.potential(&self.gravity);
        if !self.energy.balance().is_finite() {
            // a model keeps its last good state; a snapshot of its own always fits
            let _ = self.restore(&last_good);
            return Err(StepError::Diverged {
                method: KIND,
                time: 0.0,
                cause: "the energy is not finite".into(),
            });
        }
        Ok(FrameReport {
            substeps: steps,
            work_used: u64::from(steps) * self.springs.len() as u64,
            degraded: None,
            max_violation: self.contact.violation(&self.positions),
            energy: Some(self.energy),
        })
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        out.set(&self.skin, |v| self.positions[v]);
    }

    fn reactions(&self) -> &[Vec3] {
        self.contact.reactions()
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.support_reactions
    }

    fn reset(&mut self) {
        self.positions.clone_from(&self.skin.positions);
        self.velocities.fill(Vec3::zeros());
        self.support_reactions.fill(Vec3::zeros());
        self.contact = VelocityProjection::default();
        self.gravity = Vec3::zeros();
        self.energy = EnergyAccount::default();
    }

    fn snapshot(&self) -> StateSnapshot {
        let e = &self.energy;
        let mut values = vec![e.kinetic, e.elastic, e.potential, e.dissipated, e.work];
        values.extend(self.gravity.iter());
        let nodes = self.positions.iter().chain(&self.velocities);
        values.extend(nodes.flat_map(|x| [x.x, x.y, x.z]));
        StateSnapshot { kind: KIND, values }
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        let count = self.positions.len();
        if snapshot.kind != KIND || snapshot.values.len() != 8 + 6 * count {
            return Err(SnapshotMismatch);
        }
        let v = &snapshot.values;
        let [kinetic, elastic, potential, dissipated, work] = [v[0], v[1], v[2], v[3], v[4]];
        self.energy = EnergyAccount {
            kinetic,
            elastic,
            potential,
            dissipated,
            work,
        };
        self.gravity = Vec3::new(v[5], v[6], v[7]);
        let nodes = self.positions.iter_mut().chain(&mut self.velocities);
        for (x, v) in nodes.zip(v[8..].chunks_exact(3)) {
            *x = Vec3::new(v[0], v[1], v[2]);
        }
        Ok(())
    }
}

impl Inspect for MassSpring {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn stats(&self) -> ModelStats {
        ModelStats {
            active_nodes: self.positions.len(),
            total_nodes: self.positions.len(),
            elements: self.springs.len(),
            ..ModelStats::default()
        }
    }
}
