//! Ambient occlusion of a skin, computed in slices of vertices.

use nalgebra::Vector3;
use pliant_core::math::Vec3;
use pliant_core::mesh::validate::UnionFind;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_render::lighting::Occluders;
use pliant_render::lighting::occlusion::{Place, directions, places};
use pliant_render::surface::CreasedSurface;

use super::shares::SkinOcclusion;

/// A part without a number.
const NONE: u32 = u32::MAX;

/// Ambient occlusion that is being computed.
#[derive(Debug, Clone)]
pub struct OcclusionBake {
    /// for each connected part of the skin
    parts: Vec<Occluders>,
    directions: Vec<Vec3>,
    places: Vec<Place>,
    /// the part of each place
    part_of_place: Vec<u32>,
    source: Vec<u32>,
    /// vertices of the skin
    count: usize,
    shares: Vec<f32>,
}

impl OcclusionBake {
    /// Prepares the skin `surface` at rest, which is drawn as `creased`. Cost O(n log² n) for n triangles.
    pub fn new(surface: &SurfaceMesh, creased: &CreasedSurface) -> Self {
        let positions = creased.positions(&SurfaceFrame::at_rest(surface).positions);
        // sharp edges split the drawn vertices, but not the body
        let mut joined = UnionFind::new(surface.vertex_count());
        let skin_vertex = |k: u32| creased.source[k as usize];
        for triangle in &creased.triangles {
            let [a, b, c] = triangle.map(skin_vertex);
            joined.join(a, b);
            joined.join(b, c);
        }
        let mut numbers = vec![NONE; surface.vertex_count()];
        let mut triangles: Vec<Vec<[Vector3<f32>; 3]>> = Vec::new();
        for triangle in &creased.triangles {
            let number = &mut numbers[joined.find(skin_vertex(triangle[0])) as usize];
            if *number == NONE {
                *number = triangles.len() as u32;
                triangles.push(Vec::new());
            }
            let corners = triangle.map(|k| Vector3::from(positions[k as usize]));
            triangles[*number as usize].push(corners);
        }
        let part_of_place = creased.source.iter();
        let part_of_place = part_of_place
            .map(|&v| numbers[joined.find(v) as usize])
            .collect();
        Self {
            parts: triangles.iter().map(|t| Occluders::new(t)).collect(),
            directions: directions(positions.len()),
            places: places(creased, &positions),
            part_of_place,
            source: creased.source.clone(),
            count: surface.vertex_count(),
            shares: Vec::with_capacity(positions.len()),
        }
    }

    /// Computes the next `count` vertices. Returns whether there are more.
    pub fn advance(&mut self, count: usize) -> bool {
        let done = self.shares.len();
        let next = self
            .places
            .iter()
            .zip(&self.part_of_place)
            .skip(done)
            .take(count);
        let share = |(place, &part): (&Place, &u32)| {
            let occluders = self.parts.get(part as usize);
            occluders.map_or(1.0, |o| o.open_share(place, &self.directions))
        };
        let new: Vec<f32> = next.map(share).collect();
        self.shares.extend(new);
        self.shares.len() < self.places.len()
    }

    /// The result so far. Vertices without a result are not occluded.
    pub fn finish(&self) -> SkinOcclusion {
        SkinOcclusion::new(&self.shares, &self.source, self.count)
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_render::surface::SHARP_ANGLE;

    use super::*;

    fn baked(surface: &SurfaceMesh, slice: usize) -> SkinOcclusion {
        let creased = CreasedSurface::new(surface, SHARP_ANGLE);
        let mut bake = OcclusionBake::new(surface, &creased);
        while bake.advance(slice) {}
        bake.finish()
    }

    /// A box seen from inside, which is dark in its corners.
    fn hollow() -> SurfaceMesh {
        let mut mesh = box_surface(Vec3::repeat(0.2), [3; 3], CellStyle::Kuhn);
        mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        mesh
    }

    #[test]
    fn slices_give_what_one_piece_gives() {
        let whole = baked(&hollow(), usize::MAX);
        assert_eq!(baked(&hollow(), 7), whole);
        let darkest = whole.drawn.iter().min();
        // two walls hide three quarters of the light
        assert!(darkest.is_some_and(|&share| share < 110), "{darkest:?}");
    }

    #[test]
    fn a_body_hides_no_light_from_the_body_beside_it() {
        let one = box_surface(Vec3::repeat(0.2), [3; 3], CellStyle::Kuhn);
        let mut two = one.clone();
        let mut beside = one.clone();
        let shift = Vec3::x() * 0.201;
        beside.positions.iter_mut().for_each(|x| *x += shift);
        two.append(&beside);
        for mesh in [one, two] {
            let occlusion = baked(&mesh, 100);
            assert!(occlusion.drawn.iter().all(|&share| share == 255));
        }
    }
}
