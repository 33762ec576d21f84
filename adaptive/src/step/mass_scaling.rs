//! Mass scaling: the few stiffest elements get more inertia, so that they do not limit the step of the whole body.
//!
//! A tetrahedron vibrates at most at `ω_e = √(λ_max(K_e)/(ρV/4))`. Adding `Δm_e = m_e ((ω_e/ω_c)² − 1)` to its corners brings that to `ω_c`, the
//! bound that the step needs. Slivers in thin walls are light, so that little mass buys a much longer step. Statics do not change: gravity acts on
//! the true mass. Modes slow down by at most half of the added share.
//!
//! A free body keeps its mass: the rest of it becomes lighter by as much ([`share_masses`]). It falls as before, since gravity acts on what a node has. Its centre of mass moves a little towards the slivers.

use crate::hierarchy::Level;

/// Masses are scaled only if the bound decreases to this share.
const MAX_BOUND_RATIO: f64 = 0.85;

/// A level with heavier corners at its stiffest elements.
#[derive(Debug, Clone)]
pub struct ScaledMasses {
    /// Inertial masses, kg.
    pub masses: Vec<f64>,
    /// Element bounds with these masses, rad/s.
    pub frequencies: Vec<f64>,
    /// Inertia added at each corner of each element, kg.
    pub corners: Vec<f64>,
    /// Factor on the original masses: below 1 where the body keeps its mass.
    pub kept: f64,
    /// Added over true mass of the body.
    pub added_share: f64,
}

impl ScaledMasses {
    /// Inertia of each element of `level` at each of its corners, kg: a quarter of its mass, and what is added.
    pub(crate) fn corner_inertia<'a>(&'a self, level: &'a Level) -> impl Iterator<Item = f64> + 'a {
        let density = level.density();
        let elements = level.shapes.iter().zip(&self.corners);
        elements.map(move |(shape, added)| density * shape.volume / 4.0 * self.kept + added)
    }
}

/// [`scale_masses`] for a supported body. For a free body the masses are then reduced in proportion, so that the body keeps its mass; all of them count as true masses.
pub fn share_masses(level: &Level, max_share: f64, is_supported: bool) -> ScaledMasses {
    let mut scaled = scale_masses(level, max_share);
    if !is_supported && scaled.added_share > 0.0 {
        let kept = 1.0 / (1.0 + scaled.added_share);
        scaled.masses.iter_mut().for_each(|m| *m *= kept);
        scaled.corners.iter_mut().for_each(|m| *m *= kept);
        let faster = (1.0 / kept).sqrt();
        scaled.frequencies.iter_mut().for_each(|f| *f *= faster);
        (scaled.kept, scaled.added_share) = (kept, 0.0);
    }
    scaled
}

/// Adds at most `max_share` of the body's mass to the stiffest elements, for the lowest common bound that it allows.
///
/// With `max_share = 0` nothing changes. Cost: one pass over the elements for each of 40 bisections.
pub fn scale_masses(level: &Level, max_share: f64) -> ScaledMasses {
    let true_mass: f64 = level.masses.iter().sum();
    let density = level.density();
    let added = |cap: f64, t: usize| {
        let ratio = level.frequencies[t] / cap;
        density * level.shapes[t].volume * (ratio * ratio - 1.0).max(0.0)
    };
    let total = |cap: f64| (0..level.shapes.len()).map(|t| added(cap, t)).sum::<f64>();
    let highest = level.frequencies.iter().copied().fold(0.0, f64::max);
    let mut cap = highest;
    if max_share > 0.0 {
        let (mut low, mut high) = (0.1 * highest, highest);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if total(middle) <= max_share * true_mass {
                high = middle;
            } else {
                low = middle;
            }
        }
        // if all elements are alike, their modes would slow down as much as the step grows
        if high < MAX_BOUND_RATIO * highest {
            cap = high;
        }
    }
    let mut masses = level.masses.clone();
    let corners: Vec<f64> = (0..level.shapes.len())
        .map(|t| added(cap, t) / 4.0)
        .collect();
    for (quarter, tet) in corners.iter().zip(&level.mesh.tets) {
        if *quarter > 0.0 {
            for &n in tet {
                masses[n as usize] += quarter;
            }
        }
    }
    let added_share = masses.iter().sum::<f64>() / true_mass - 1.0;
    ScaledMasses {
        masses,
        frequencies: level.frequencies.iter().map(|f| f.min(cap)).collect(),
        corners,
        kept: 1.0,
        added_share,
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::{BodyGeometry, Progress};
    use pliant_core::elasticity::stiffness::element_frequency;
    use pliant_core::material::Material;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    use super::*;

    /// A box with one node pushed close to its neighbours' face: a sliver.
    fn level() -> Level {
        let mut mesh = box_tets(Vec3::repeat(0.1), [3, 3, 3], CellStyle::Kuhn);
        let inner = mesh
            .nodes
            .iter()
            .position(|x| x.norm() < 0.04)
            .expect("an inner node");
        mesh.nodes[inner] *= -0.2;
        let geometry = BodyGeometry::of_levels([mesh], Material::default());
        crate::asset::LodHierarchy::bake(&geometry, &Progress::new())
            .expect("baked")
            .levels
            .remove(0)
    }

    #[test]
    fn little_mass_lowers_the_bound_and_nothing_changes_without() {
        let level = level();
        let plain = scale_masses(&level, 0.0);
        assert_eq!(plain.masses, level.masses);
        assert_eq!(plain.frequencies, level.frequencies);
        let scaled = scale_masses(&level, 0.05);
        assert!(scaled.added_share <= 0.05 + 1e-12 && scaled.added_share > 0.04);
        let highest = |f: &[f64]| f.iter().copied().fold(0.0, f64::max);
        assert!(highest(&scaled.frequencies) < 0.85 * highest(&level.frequencies));
    }

    #[test]
    fn a_regular_box_is_left_alone() {
        let mut level = level();
        let regular = 100.0;
        level.frequencies.fill(regular);
        assert_eq!(scale_masses(&level, 0.05).added_share, 0.0);
    }

    #[test]
    fn the_added_mass_is_just_what_the_capped_elements_need() {
        let level = level();
        let scaled = scale_masses(&level, 0.03);
        let cap = scaled.frequencies.iter().copied().fold(0.0, f64::max);
        let material = Material::default();
        let mut needed = 0.0;
        for shape in level.shapes.iter() {
            // the density that brings this element's own bound down to the cap
            let own = element_frequency(shape, &material.lame(), material.density);
            let density = material.density * (own / cap).powi(2).max(1.0);
            needed += (density - material.density) * shape.volume;
        }
        let true_mass: f64 = level.masses.iter().sum();
        assert!((needed / true_mass - scaled.added_share).abs() < 1e-9);
    }

    #[test]
    fn a_free_body_keeps_its_mass_and_its_slivers_take_longer_steps() {
        let level = level();
        let shared = share_masses(&level, 0.05, false);
        let sum = |m: &[f64]| m.iter().sum::<f64>();
        assert!((sum(&shared.masses) / sum(&level.masses) - 1.0).abs() < 1e-12);
        assert_eq!(shared.added_share, 0.0);
        // each element keeps the bound that its masses say
        let material = Material::default();
        let highest = |f: &[f64]| f.iter().copied().fold(0.0, f64::max);
        for ((shape, corner), f) in level
            .shapes
            .iter()
            .zip(&shared.corners)
            .zip(&shared.frequencies)
        {
            let own = element_frequency(shape, &material.lame(), material.density);
            let quarter = material.density * shape.volume / 4.0;
            let bound = own * (quarter / (quarter * shared.kept + corner)).sqrt();
            assert!((f / bound - 1.0).abs() < 1e-9, "{f} {bound}");
        }
        assert!(highest(&shared.frequencies) < 0.88 * highest(&level.frequencies));
        assert_eq!(
            share_masses(&level, 0.05, true).masses,
            scale_masses(&level, 0.05).masses
        );
    }
}
