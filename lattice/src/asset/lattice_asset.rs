//! The baked lattice: everything that does not change while the body deforms.

use std::sync::Arc;

use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::math::numbers::decimal;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

use crate::asset::sum_plan::SumPlan;
use crate::kernels::Prepared;

/// Stiffness in tension over that of the material below which there is a note.
const NOTED_STIFFNESS: f64 = 0.8;
/// Largest fitted factor of a body that is thin everywhere. Where thick parts have factors near 1, the stiffness depends on which parts a load goes through.
const THIN_EVERYWHERE: f64 = 0.9;

/// A lattice at rest with its regions. Shared by all bodies made from it; see [`crate::bake()`].
#[derive(Debug, Clone, PartialEq)]
pub struct LatticeAsset {
    /// The skin.
    pub skin: Arc<SurfaceMesh>,
    /// The material of the bake: its density determines the masses, its other constants are defaults for models.
    pub material: Material,
    /// Edge of a cell, m.
    pub cell: f64,
    /// Half-width `w` of the regions, link steps.
    pub half_width: usize,
    /// Sites of the block around all particles along x, y, z.
    pub dims: [usize; 3],
    /// Site of each particle; x runs fastest, then y, then z. Where cells are split, a site has several particles, one after the other.
    pub sites: Vec<[u16; 3]>,
    /// Links of each particle: bit `(dz+1)·9 + (dy+1)·3 + (dx+1)` when a neighbour there shares a cell copy with it; where a site has several
    /// particles, the bit does not say which.
    pub links: Vec<u32>,
    /// Where links lead to a site with several particles: particle, bit and the other particle, ascending.
    pub forks: Vec<[u32; 3]>,
    /// Centre of mass at rest, world, m.
    pub center: Vec3,
    /// Rest position of each particle relative to `center`, m.
    pub rest: Vec<Vec3>,
    /// Mass of each particle, kg.
    pub mass: Vec<f64>,
    /// Mass of each particle over the number of regions it belongs to, kg: its share in one region.
    pub share: Vec<f64>,
    /// Distinct region of each particle, numbered by first particle.
    pub region_of: Vec<u32>,
    /// Particles of each distinct region.
    pub region_size: Vec<u32>,
    /// Number of particles that have this region.
    pub multiplicity: Vec<u32>,
    /// Whether each distinct region is every particle of its box.
    pub is_box: Vec<bool>,
    /// Sum of shares of each distinct region, kg.
    pub region_mass: Vec<f64>,
    /// Centre of shares of each distinct region relative to `center`, m.
    pub region_center: Vec<Vec3>,
    /// Regions as shared pieces.
    pub plan: SumPlan,
    pub(crate) prepared: Prepared,
    /// Each skin vertex as eight trilinear weights in its cell.
    pub embedding: SkinEmbedding,
    /// Name of each support, in the order of the description.
    pub support_names: Vec<String>,
    /// Particles that each support holds, ascending; none is held twice.
    pub held: Vec<Vec<u32>>,
    /// Connected piece of each particle, numbered by first particle.
    pub component: Vec<u32>,
    /// Stiffness of the stiffest part over that of the material.
    pub stiffest: f64,
    /// Smallest and largest fitted stiffness factor of regions, see [`crate::bake()`]; `None` for a body that was not fitted.
    pub fitted: Option<[f64; 2]>,
    /// Stiffness of each distinct region over that of the stiffest; empty for a body of uniform stiffness.
    pub stiffness_weights: Vec<f64>,
    /// Mean of these over the regions of each particle; empty for a body of uniform stiffness.
    pub pull: Vec<f64>,
    /// Smallest eigenvalue `λ₁` of the goal operator `I − ∂g/∂x` at rest, over motions that supports allow and that are orthogonal to rigid ones; the
    /// lowest mode has `ω₁ = √(α λ₁)/h`. Zero if there is no such motion.
    pub lowest_eigenvalue: f64,
    /// Volume of the kept cells over the volume of the skin.
    pub volume_ratio: f64,
}

impl LatticeAsset {
    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.sites.len()
    }

    /// Number of distinct regions.
    pub fn region_count(&self) -> usize {
        self.region_size.len()
    }

    /// Number of connected pieces.
    pub fn component_count(&self) -> usize {
        self.component.iter().max().map_or(0, |&c| c as usize + 1)
    }

    /// Rest position of particle `p`, world, m.
    pub fn rest_position(&self, p: usize) -> Vec3 {
        self.center + self.rest[p]
    }

    /// Rest positions of all particles, world, m.
    pub(crate) fn rest_positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.rest.iter().map(|x| self.center + x)
    }

    /// Position in the cell with these `corners` of a point at `rest` (m), in units of the cell's edge from its lowest corner.
    pub(crate) fn place_in_cell(&self, corners: &[u32; 8], rest: &Vec3) -> Vec3 {
        (rest - self.rest_position(corners[0] as usize)) / self.cell
    }

    /// Whether every particle has a region of its own, so that region and particle numbers agree.
    pub(crate) fn regions_are_particles(&self) -> bool {
        self.region_count() == self.particle_count()
    }

    /// Bytes held, without the skin.
    pub fn bytes(&self) -> usize {
        let per_particle = 6 + 4 + 24 + 8 + 8 + 4 + 4;
        let per_region = 4 + 4 + 1 + 8 + 24;
        let lists = |l: &crate::asset::lists::Lists| 4 * (l.offsets.len() + l.items.len());
        self.particle_count() * per_particle
            + self.region_count() * per_region
            + 12 * self.forks.len()
            + 8 * (self.stiffness_weights.len() + self.pull.len())
            + 8 * self.plan.bars.len()
            + lists(&self.plan.plates)
            + lists(&self.plan.cubes)
            + self.embedding.len() * (4 + 8 * 12)
    }

    /// Notes about this lattice for the user.
    pub fn notes(&self) -> Vec<String> {
        let mut notes =
            vec!["Poisson's ratio is 0 in this method, whatever the material says".to_string()];
        match self.fitted {
            Some([least, most]) => notes.push(format!(
                "the stiffness of its regions is fitted to quadratic tetrahedra under soft pushes: factors of {least:.2} to {most:.2}, which represent the material's Poisson's ratio as far as one number per region can"
            )),
            None => {
                let cause = match self.held.is_empty() {
                    true => ", as nothing holds the body",
                    false => "",
                };
                notes.push(format!("the stiffness of its regions is not fitted{cause}: parts of a few cells are too stiff in bending"));
            }
        }
        let is_thin = self.fitted.is_some_and(|[_, most]| most < THIN_EVERYWHERE);
        let softened = self.fitted_stiffness().filter(|s| *s < NOTED_STIFFNESS);
        if let Some(share) = softened.filter(|_| is_thin) {
            notes.push(format!(
                "pulled or pressed as a whole, the body is about {:.0} % too soft: the factors with which its thin parts bend as the material does act there, too\n  remedy: use smaller cells, and half_width = 1 with as many steps as that needs",
                100.0 * (1.0 - share)
            ));
        }
        let loose = self.held_components().iter().filter(|h| !**h).count();
        if !self.held.is_empty() && loose > 0 {
            notes.push(format!(
                "{loose} of {} connected pieces have no support and fall freely",
                self.component_count()
            ));
        }
        if self.held_particles().iter().all(|held| *held) {
            notes.push(
                "NothingMoves: supports hold all particles, so that nothing moves and no tool is felt\n  remedy: use smaller cells, or a smaller support".to_string(),
            );
        }
        if self.volume_ratio > 1.5 {
            notes.push(format!(
                "the cells are {:.1} times as voluminous as the body: thin parts are too stiff in bending; use smaller cells",
                self.volume_ratio
            ));
        }
        if self.embedding.max_distance > 0.01 * self.cell {
            notes.push(format!(
                "skin vertex {} lies {} m outside the cells",
                self.embedding.farthest_vertex,
                decimal(self.embedding.max_distance)
            ));
        }
        notes
    }

    /// Stiffness in tension over that of the material, as far as fitted factors determine it: their harmonic mean over all regions, as of parts in a row. `None` where nothing was
    /// fitted, and where painted factors lie outside the range of the fitted ones.
    pub(crate) fn fitted_stiffness(&self) -> Option<f64> {
        let [least, most] = self.fitted?;
        let is_fitted = |factor: f64| factor > 0.999 * least && factor < 1.001 * most;
        let (mut compliance, mut regions) = (0.0, 0.0);
        for (r, &count) in self.multiplicity.iter().enumerate() {
            let factor = self.stiffest * self.stiffness_weight_of(r);
            if !is_fitted(factor) {
                return None;
            }
            compliance += f64::from(count) / factor;
            regions += f64::from(count);
        }
        (compliance > 0.0).then(|| regions / compliance)
    }

    /// For each connected piece, whether a support holds part of it.
    pub(crate) fn held_components(&self) -> Vec<bool> {
        let mut held = vec![false; self.component_count()];
        for &p in self.held.iter().flatten() {
            held[self.component[p as usize] as usize] = true;
        }
        held
    }

    /// For each particle, whether a support holds it.
    pub(crate) fn held_particles(&self) -> Vec<bool> {
        let mut held = vec![false; self.particle_count()];
        for &p in self.held.iter().flatten() {
            held[p as usize] = true;
        }
        held
    }

    /// For each particle, whether a support holds part of its piece.
    pub(crate) fn supported(&self) -> Vec<bool> {
        let held = self.held_components();
        self.component.iter().map(|&c| held[c as usize]).collect()
    }

    /// Mean of one vector a particle, weighted by mass.
    pub(crate) fn center_of_mass(&self, values: &[Vec3]) -> Vec3 {
        let (mut sum, mut mass) = (Vec3::zeros(), 0.0);
        for (m, x) in self.mass.iter().zip(values) {
            sum += x * *m;
            mass += m;
        }
        sum / mass
    }

    /// Mass (kg) and centre (m) of the shares in a region.
    pub(crate) fn mass_and_center(&self, region: usize) -> (f64, Vec3) {
        let (mut mass, mut moment) = (0.0, Vec3::zeros());
        for p in self.plan.members(region) {
            mass += self.share[p];
            moment += self.rest[p] * self.share[p];
        }
        (mass, moment / mass)
    }

    /// Distributes the masses of particles to their regions: computes shares, and masses and centres of regions.
    pub(crate) fn share_masses(&mut self) {
        let share = |(m, &region): (&f64, &u32)| m / f64::from(self.region_size[region as usize]);
        self.share = self.mass.iter().zip(&self.region_of).map(share).collect();
        let regions = 0..self.region_count();
        (self.region_mass, self.region_center) = regions.map(|r| self.mass_and_center(r)).unzip();
    }

    /// Weight `k` of a region.
    #[inline(always)]
    pub(crate) fn stiffness_weight_of(&self, region: usize) -> f64 {
        self.stiffness_weights.get(region).copied().unwrap_or(1.0)
    }

    /// Mean weight `κ` of the regions of a particle.
    #[inline(always)]
    pub(crate) fn pull_of(&self, p: usize) -> f64 {
        self.pull.get(p).copied().unwrap_or(1.0)
    }

    /// Updates `κ` of a particle that has a region of its own.
    pub(crate) fn update_pull(&mut self, p: usize) {
        if !self.pull.is_empty() {
            let members = self.plan.members(p);
            let total: f64 = members.map(|q| self.stiffness_weights[q]).sum();
            self.pull[p] = total / f64::from(self.region_size[p]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::bodies::{asset_of, grid_of};

    #[test]
    fn a_lattice_whose_particles_supports_hold_altogether_is_told() {
        let mut asset = asset_of(&grid_of([1, 1, 1], |_| true), 1);
        let is_told = |asset: &super::LatticeAsset| {
            let notes = asset.notes();
            notes.iter().any(|note| note.starts_with("NothingMoves: "))
        };
        let all: Vec<u32> = (0..asset.particle_count() as u32).collect();
        asset.held = vec![all[1..].to_vec()];
        assert!(!is_told(&asset));
        asset.held = vec![all];
        assert!(is_told(&asset));
    }

    #[test]
    fn a_body_that_fitted_factors_make_too_soft_in_tension_is_told_by_how_much() {
        let mut asset = asset_of(&grid_of([2, 8, 2], |_| true), 1);
        let told = |asset: &super::LatticeAsset| {
            let notes = asset.notes();
            let found = notes.into_iter().find(|n| n.contains("too soft"));
            found.map(|note| note.split(':').next().unwrap_or_default().to_string())
        };
        assert_eq!((asset.fitted_stiffness(), told(&asset)), (None, None));
        asset.fitted = Some([1.0, 1.0]);
        assert_eq!((asset.fitted_stiffness(), told(&asset)), (Some(1.0), None));
        // half of the regions have a factor of 0.3, the others one of 0.6: 0.4 together
        let regions = asset.region_count();
        asset.multiplicity = vec![1; regions];
        asset.stiffness_weights = (0..regions).map(|r| [0.5, 1.0][r % 2]).collect();
        (asset.stiffest, asset.fitted) = (0.6, Some([0.3, 0.6]));
        let share = asset.fitted_stiffness().expect("fitted");
        assert!((share - 0.4).abs() < 0.01, "{share}");
        let text = told(&asset).expect("told");
        assert!(
            text.starts_with("pulled or pressed as a whole, the body is about "),
            "{text}"
        );
        // with a thick part, whose regions keep their stiffness
        (asset.stiffest, asset.fitted) = (1.0, Some([0.5, 1.0]));
        assert_eq!(
            (asset.fitted_stiffness().is_some(), told(&asset)),
            (true, None)
        );
        // a painted part
        asset.stiffness_weights[0] = 0.1;
        assert_eq!((asset.fitted_stiffness(), told(&asset)), (None, None));
    }
}
