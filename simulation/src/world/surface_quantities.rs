//! Quantities that the skin alone gives, the same ones for every method, so that methods can be compared by them.

use pliant_core::elasticity::SurfaceStrain;
use pliant_core::inspect::{ParameterValue, QuantityBuffer, QuantityInfo, UnknownQuantity};
use pliant_core::material::YoungPoisson;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::state::World;

/// Quantities of every method.
static SURFACE_QUANTITIES: [QuantityInfo; 2] = pliant_core::quantities! {
    "surface_stress", "Pa", VertexScalar, "Von Mises stress of the skin by its strain and Hooke's law, as if nothing pressed on it; the same computation for every method.";
    "surface_strain", "", VertexScalar, "Largest principal strain of the skin in its plane, in magnitude; the same computation for every method.";
};

/// Distance of a corner of a cut body's triangle from its place in the whole skin, over the square root of the triangle's area, up to which the triangle counts as whole.
const MOST_MOVED: f64 = 0.15;

/// What a triangle contributes to the vertices around it.
type TriangleValue = fn(&SurfaceStrain, &YoungPoisson) -> f64;

impl World {
    /// Quantities that can be drawn: those that every method has by its skin, then those of the model.
    pub fn quantities(&self) -> impl Iterator<Item = &QuantityInfo> + Clone {
        SURFACE_QUANTITIES.iter().chain(self.model.quantities())
    }

    /// Fills `out` with the present values of a quantity. Cost of those of the skin: a pass over its triangles.
    ///
    /// # Errors
    /// [`UnknownQuantity`] for a name that is not in [`World::quantities`].
    pub fn sample_quantity(
        &self,
        name: &str,
        out: &mut QuantityBuffer,
    ) -> Result<(), UnknownQuantity> {
        match name {
            "surface_stress" => self.sample_surface(SurfaceStrain::von_mises, out),
            "surface_strain" => self.sample_surface(|strain, _| strain.largest_principal(), out),
            _ => return self.model.sample_quantity(name, out),
        }
        Ok(())
    }

    /// Means over the triangles around each vertex, weighted by their areas at rest. Of a body that is cut the triangles count that are still whole: parts at lips
    /// are slivers, which gape at the end of a cut, and caps were inside. A vertex without any has zero.
    fn sample_surface(&self, value: TriangleValue, out: &mut QuantityBuffer) {
        let skin: &SurfaceMesh = self.setup.skin();
        let (surface, frame) = match &self.frame.cut {
            Some(cut) => (&*cut.surface, &cut.frame),
            None => (skin, &self.frame),
        };
        let skin_vertex = |v: u32| match &self.frame.cut {
            Some(cut) => cut.skin_vertex(v as usize),
            None => Some(v as usize),
        };
        // the skin is rounded to single precision: with the same rounding at rest, what does not move has no strain at all
        let rest = |v: u32| -> Vec3 {
            let place = surface.positions[v as usize];
            place.cast::<f32>().cast()
        };
        let materials = self.materials();
        let mut sums = vec![(0.0, 0.0); skin.vertex_count()];
        for triangle in &surface.triangles {
            let [Some(a), Some(b), Some(c)] = triangle.map(skin_vertex) else {
                continue;
            };
            let corners = triangle.map(rest);
            let whole = [a, b, c].map(|v| skin.positions[v]);
            let area = 0.5 * (whole[1] - whole[0]).cross(&(whole[2] - whole[0])).norm();
            if !is_whole(&corners, &whole, area) {
                continue;
            }
            let deformed = triangle.map(|v| frame.position(v as usize));
            let strain = SurfaceStrain::of(corners, deformed);
            let material = materials.iter().find(|(end, _)| a < *end);
            if let (Some(strain), Some((_, elastic))) = (strain, material) {
                let weighted = area * value(&strain, elastic);
                for v in [a, b, c] {
                    sums[v].0 += weighted;
                    sums[v].1 += area;
                }
            }
        }
        let mean = |(sum, area): &(f64, f64)| if *area > 0.0 { sum / area } else { 0.0 };
        out.clear();
        out.scalars.extend(sums.iter().map(|sum| mean(sum) as f32));
    }

    /// The elastic constants of each kind of bodies, behind the end of its vertices in the skin of all. A Young's modulus that was set while running holds for all kinds.
    fn materials(&self) -> Vec<(usize, YoungPoisson)> {
        let described = self.setup.geometry.material.elastic.young;
        let set = match self.model.parameter("young") {
            Ok(ParameterValue::Number(young)) if young != described => Some(young),
            _ => None,
        };
        let mut end = 0;
        let kinds = self.setup.kinds().map(|kind| {
            let elastic = kind.geometry.material.elastic;
            end += kind.geometry.skin.vertex_count() * kind.places.len().max(1);
            let young = set.unwrap_or(elastic.young);
            (end, YoungPoisson { young, ..elastic })
        });
        kinds.collect()
    }
}

/// Whether a triangle of a cut body is one of the whole skin, where its corners are `whole` and its area is `area` (m²). A lattice moves vertices a little to where a blade went.
fn is_whole(corners: &[Vec3; 3], whole: &[Vec3; 3], area: f64) -> bool {
    let most = MOST_MOVED * MOST_MOVED * area;
    let mut pairs = corners.iter().zip(whole);
    pairs.all(|(x, y)| (x - y).norm_squared() <= most)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::Rotation3;
    use pliant_core::mesh::SurfaceFrame;
    use pliant_core::mesh::surface_frame::CutSurface;
    use pliant_core::scene::Method;

    use super::*;
    use crate::world::testing::{pad, setup_of, world_of};

    const YOUNG: f64 = 2.0e4;

    fn lattice(text: String) -> World {
        world_of(&Arc::new(setup_of(text)), Method::Lattice)
    }

    fn values(world: &World, name: &str) -> Vec<f64> {
        let mut out = QuantityBuffer::default();
        world.sample_quantity(name, &mut out).expect(name);
        assert!(out.points.is_empty());
        out.scalars.into_iter().map(f64::from).collect()
    }

    /// Moves each vertex of the skin from its place at rest.
    fn deform(world: &mut World, place: impl Fn(Vec3) -> Vec3) {
        let skin = Arc::clone(world.setup.skin());
        world.frame.set(&skin, |v| place(skin.positions[v]));
    }

    fn largest(values: &[f64]) -> f64 {
        values.iter().copied().fold(0.0, f64::max)
    }

    #[test]
    fn a_body_under_tension_has_the_stress_and_strain_of_it_on_its_sides() {
        let mut world = lattice(pad("", ""));
        // 0.3 is Poisson's ratio of the pad
        let (strain, across) = (0.1, (1.0_f64 - 0.06).sqrt());
        deform(&mut world, |x| {
            Vec3::new(across * x.x, 1.2_f64.sqrt() * x.y, across * x.z)
        });
        let skin = Arc::clone(world.setup.skin());
        let bounds = skin.bounds();
        let (stresses, strains) = (
            values(&world, "surface_stress"),
            values(&world, "surface_strain"),
        );
        assert_eq!(stresses.len(), skin.vertex_count());
        let is_near = |a: f64, b: f64| (a - b).abs() < 1e-4 * b;
        let (mut sides, mut ends) = (0, 0);
        for (v, x) in skin.positions.iter().enumerate() {
            let gap = |a: f64, b: f64| (a - b).abs() > 1e-6;
            if gap(x.y, bounds.min.y) && gap(x.y, bounds.max.y) {
                assert!(is_near(stresses[v], YOUNG * strain), "{}", stresses[v]);
                assert!(is_near(strains[v], strain), "{}", strains[v]);
                sides += 1;
            } else if gap(x.x, bounds.min.x)
                && gap(x.x, bounds.max.x)
                && gap(x.z, bounds.min.z)
                && gap(x.z, bounds.max.z)
            {
                // both directions contract, and the pull on this face is left out
                let expected = YOUNG / 0.7 * 0.03;
                assert!(is_near(stresses[v], expected), "{}", stresses[v]);
                ends += 1;
            }
        }
        assert!(sides > 0 && ends > 0);
    }

    #[test]
    fn what_stays_or_moves_as_a_whole_has_neither() {
        let mut world = lattice(pad("", ""));
        deform(&mut world, |x| x);
        assert_eq!(largest(&values(&world, "surface_stress")), 0.0);
        let turn: Rotation3<f64> = Rotation3::from_euler_angles(0.5, 2.0, -0.3);
        deform(&mut world, |x| turn * x + Vec3::new(0.3, 0.2, -0.4));
        assert!(largest(&values(&world, "surface_strain")) < 1e-5);
        assert!(largest(&values(&world, "surface_stress")) < 1e-5 * YOUNG);
    }

    #[test]
    fn each_kind_of_bodies_has_its_own_modulus_until_one_is_set() {
        let body = |name: &str, young: f64, height: f64| {
            format!(
                "[[body]]\nname = '{name}'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\nmaterial = {{ young = {young:e} }}\nlayout = {{ grid = [1, 1, 1], origin = [0.0, {height:?}, 0.0] }}\n"
            )
        };
        let mut world = lattice(body("soft", YOUNG, 0.1) + &body("stiff", 2.0 * YOUNG, 1.0));
        deform(&mut world, |x| Vec3::new(1.05 * x.x, x.y, x.z));
        let halves = |world: &World| {
            let all = values(world, "surface_stress");
            let (soft, stiff) = all.split_at(all.len() / 2);
            [largest(soft), largest(stiff)]
        };
        let [soft, stiff] = halves(&world);
        assert!(soft > 0.0 && (stiff / soft - 2.0).abs() < 1e-3);
        let young = ParameterValue::Number(1.5 * YOUNG);
        world.set_parameter("young", young).expect("in its range");
        for now in halves(&world) {
            assert!((now / soft - 1.5).abs() < 1e-3, "{now} of {soft}");
        }
    }

    #[test]
    fn a_part_that_is_cut_off_is_strained_no_more_than_the_body_that_it_leaves() {
        let mut world = lattice(pad("", ""));
        let skin = Arc::clone(world.setup.skin());
        // the first triangle comes off with its vertices; copies of these stay at the body
        let off = skin.triangles[0];
        let away = Vec3::new(0.1, 0.3, 0.0);
        let count = skin.vertex_count();
        let mut surface = SurfaceMesh::clone(&skin);
        let copy_of = |v: u32| match off.iter().position(|own| *own == v) {
            Some(k) => (count + k) as u32,
            None => v,
        };
        for triangle in &mut surface.triangles[1..] {
            *triangle = triangle.map(copy_of);
        }
        surface
            .positions
            .extend(off.map(|v| skin.positions[v as usize]));
        // parts of a lip and of a cap, both stretched
        for first in [count + 3, count + 6] {
            let places = off.map(|v| skin.positions[v as usize]);
            surface.positions.extend(places);
            surface
                .triangles
                .push([0, 1, 2].map(|k| (first + k) as u32));
        }
        let moved = |v: usize| match v {
            v if off.contains(&(v as u32)) => surface.positions[v] + away,
            v if v >= count + 3 => surface.positions[v] * 2.0,
            v => surface.positions[v],
        };
        world.frame.set(&skin, moved);
        assert!(largest(&values(&world, "surface_strain")) > 1.0);
        let mut frame = SurfaceFrame::default();
        frame.set(&surface, moved);
        let copied: Vec<u32> = [off, [off[0]; 3], [CutSurface::CAP; 3]].concat();
        world.frame.cut = Some(Box::new(CutSurface {
            surface: Arc::new(surface),
            copied: Arc::new(copied),
            sharp: Arc::default(),
            inside: count..count + 9,
            frame,
        }));
        assert!(largest(&values(&world, "surface_strain")) < 1e-5);
    }

    #[test]
    fn quantities_of_the_model_follow_and_an_unknown_one_is_refused() {
        let world = lattice(pad("", ""));
        let names: Vec<&str> = world.quantities().map(|quantity| quantity.name).collect();
        assert_eq!(names[..2], ["surface_stress", "surface_strain"]);
        let of_model = world.model().quantities().iter();
        assert!(names[2..].iter().eq(of_model.map(|q| &q.name)));
        let mut out = QuantityBuffer::default();
        assert!(world.sample_quantity("goal_offset", &mut out).is_ok());
        assert!(world.sample_quantity("colour", &mut out).is_err());
    }
}
