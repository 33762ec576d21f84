//! Solids as signed distance fields: the queries of voxelisers and of the stuffing mesher.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::border::{Border, SIDE_OFFSET, border_of, volume_by_columns};
use super::sharp_features::SharpFeatures;
use super::windings::Windings;
use crate::error::{MeshingError, positive};

/// A direction in general position: a face lies in it only by chance.
const GENERIC_DIRECTION: Vec3 = Vec3::new(0.571, 1.237, -0.893);

/// A region of space with a distance to its border.
pub trait Solid: Sync {
    /// A box that contains the solid, m.
    fn bounds(&self) -> Aabb;

    /// Distance to the border, m, negative inside. Its magnitude is at most the true distance, so that a ball of this
    /// radius around `point` contains no border.
    fn signed_distance(&self, point: &Vec3) -> f64;

    /// Whether `point` is inside.
    fn is_inside(&self, point: &Vec3) -> bool {
        self.signed_distance(point) < 0.0
    }

    /// Number of the part of the body whose border is closest to `point`, where it has several parts.
    fn part_at(&self, _point: &Vec3) -> Option<u32> {
        None
    }
}

/// The inside of a surface: points with a winding number above one half.
///
/// Self-intersecting shells are united and small holes are bridged. On closed, oriented surfaces the winding number is
/// counted along a ray, exactly and in about a microsecond; a grazing ray is noticed, and there, as on surfaces with holes,
/// the sum of solid angles decides.
#[derive(Debug, Clone)]
pub struct MeshSolid {
    bounds: Aabb,
    /// The tree over the triangles of the border, for closest-point queries.
    pub(crate) tree: TriangleTree,
    pub(crate) border: Border,
    /// The unit normals of the triangles of the border; zero for triangles without area.
    pub(crate) outward_normals: Vec<Vec3>,
    /// Volume that the surface encloses, m³; where shells overlap, each point counts once.
    pub(crate) volume: f64,
    windings: Windings,
    /// -1 for a surface that is inside out
    orientation: f64,
    /// Sharp edges and corners of the surface.
    pub(crate) features: SharpFeatures,
}

impl MeshSolid {
    /// Builds the trees. A surface that is inside out as a whole is taken with opposite orientation.
    ///
    /// # Errors
    /// [`MeshingError::EmptyMesh`] without triangles, [`MeshingError::BadSize`] when the bounding box is not finite.
    pub fn new(surface: &SurfaceMesh) -> Result<Self, MeshingError> {
        if surface.triangles.is_empty() {
            return Err(MeshingError::EmptyMesh);
        }
        let bounds = Aabb::of_points(
            surface
                .triangles
                .iter()
                .flatten()
                .map(|&v| &surface.positions[v as usize]),
        );
        let what = "the diagonal of the mesh's bounding box";
        positive(what, bounds.diagonal())?;
        let volume = surface.volume();
        let orientation = if volume < 0.0 { -1.0 } else { 1.0 };
        let place = places(surface);
        let mut solid = Self {
            bounds,
            features: SharpFeatures::detect(surface, &place),
            tree: TriangleTree::new(&surface.positions, &surface.triangles),
            border: Border {
                skin: None,
                part: Vec::new(),
                parts: 1,
            },
            windings: Windings::new(surface, &place),
            orientation,
            outward_normals: outward_normals(surface, orientation),
            volume: volume.abs(),
        };
        if let Some(counter) = solid.windings.counter() {
            let border = border_of(surface, &place, &|x| solid.is_inside(x));
            if let Some(skin) = &border.skin {
                solid.volume = volume_by_columns(counter, orientation);
                solid.tree = TriangleTree::new(&skin.positions, &skin.triangles);
                solid.outward_normals = outward_normals(skin, 1.0);
            }
            solid.border = border;
        }
        Ok(solid)
    }

    /// The triangles on the border, as they stand or cut along each other; `None` where that is the whole surface.
    pub(crate) fn border(&self) -> Option<&SurfaceMesh> {
        self.border.skin.as_ref()
    }

    /// The point of the surface closest to `point` (m) and the outward unit normal there (of the triangle that was found).
    pub fn closest(&self, point: &Vec3) -> Option<(Vec3, Vec3)> {
        let found = self.tree.closest(point)?;
        Some((found.point, self.outward_normals[found.triangle as usize]))
    }

    /// Whether `point` (m) of the surface is on the border of the solid: something within `radius` (m) is outside. Places where
    /// shells overlap are not.
    pub(crate) fn is_border(&self, point: &Vec3, radius: f64) -> bool {
        let mut corners =
            (0..8).map(|k| Vec3::from([0, 1, 2].map(|axis| f64::from((k >> axis & 1) * 2 - 1))));
        corners.any(|d| !self.is_inside(&(point + d * radius)))
    }

    /// As [`Solid::is_inside`], for a point at this distance from the border (m). A face inside the body has no side: for points on it, points on both sides
    /// decide.
    fn is_inside_at(&self, point: &Vec3, distance: f64) -> bool {
        let step = GENERIC_DIRECTION * (SIDE_OFFSET * self.bounds.diagonal());
        if self.border.skin.is_some() && distance > 2.0 * step.norm() {
            let beside = [point + step, point - step].map(|x| self.is_inside(&x));
            if beside[0] == beside[1] {
                return beside[0];
            }
        }
        self.is_inside(point)
    }
}

fn outward_normals(surface: &SurfaceMesh, orientation: f64) -> Vec<Vec3> {
    (0..surface.triangles.len())
        .map(|t| (surface.area_vector(t) * orientation).try_normalize(0.0))
        .map(|n| n.unwrap_or_else(Vec3::zeros))
        .collect()
}

/// A number for each vertex; vertices at the same place have the same.
pub(crate) fn places(surface: &SurfaceMesh) -> Vec<u32> {
    let x = &surface.positions;
    let mut order: Vec<u32> = (0..x.len() as u32).collect();
    let compare = |a: &u32, b: &u32| {
        let (a, b) = (&x[*a as usize], &x[*b as usize]);
        a.x.total_cmp(&b.x)
            .then(a.y.total_cmp(&b.y))
            .then(a.z.total_cmp(&b.z))
    };
    order.par_sort_unstable_by(compare);
    let mut place = vec![0_u32; x.len()];
    for (k, same) in order
        .chunk_by(|a, b| x[*a as usize] == x[*b as usize])
        .enumerate()
    {
        for &v in same {
            place[v as usize] = k as u32;
        }
    }
    place
}

impl Solid for MeshSolid {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn signed_distance(&self, point: &Vec3) -> f64 {
        let distance = self
            .tree
            .closest(point)
            .map_or(f64::INFINITY, |c| c.distance_squared.sqrt());
        if self.is_inside_at(point, distance) {
            -distance
        } else {
            distance
        }
    }

    fn is_inside(&self, point: &Vec3) -> bool {
        if !self.bounds.contains(point) {
            return false;
        }
        self.windings.at(point) * self.orientation > 0.5
    }

    fn part_at(&self, point: &Vec3) -> Option<u32> {
        let found = (self.border.parts > 1).then(|| self.tree.closest(point))?;
        self.border.part.get(found?.triangle as usize).copied()
    }
}

/// A solid moved outwards by a constant distance, so that thin walls survive on a coarse lattice.
pub struct Thickened<'a> {
    /// The solid inside.
    pub solid: &'a MeshSolid,
    /// How far its border moves outwards, m.
    pub offset: f64,
}

impl Solid for Thickened<'_> {
    fn bounds(&self) -> Aabb {
        self.solid.bounds().inflated(self.offset)
    }

    fn signed_distance(&self, point: &Vec3) -> f64 {
        self.solid.signed_distance(point) - self.offset
    }

    fn part_at(&self, point: &Vec3) -> Option<u32> {
        self.solid.part_at(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::windings::is_cycle;
    use crate::test_bodies::{inverted, soup};
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn distance_to_a_box_is_exact_on_both_sides_also_inside_out() {
        let size = Vec3::new(1.0, 0.5, 0.7);
        let mut surface = box_surface(size, [4, 3, 5], CellStyle::Kuhn);
        for is_inverted in [false, true] {
            if is_inverted {
                surface = inverted(surface);
            }
            let solid = MeshSolid::new(&surface).expect("a box");
            let thick = Thickened {
                solid: &solid,
                offset: 0.05,
            };
            for k in 0..200 {
                let t = k as f64;
                let p = Vec3::new((t * 0.7).sin(), (t * 1.3).sin(), (t * 2.1).cos()) * 0.6;
                let q = p.abs() - size * 0.5;
                let exact = q.sup(&Vec3::zeros()).norm() + q.max().min(0.0);
                assert!((solid.signed_distance(&p) - exact).abs() < 1e-12);
                assert_eq!(solid.is_inside(&p), exact < 0.0);
                assert_eq!(thick.is_inside(&p), exact < 0.05);
            }
        }
        // unwelded triangles still form a cycle, a missing one breaks it
        let mut soup = soup(&surface);
        assert!(is_cycle(&soup, &places(&soup)));
        soup.triangles.pop();
        assert!(!is_cycle(&soup, &places(&soup)));
        let nothing = MeshSolid::new(&SurfaceMesh::new(vec![], vec![]));
        assert_eq!(nothing.err(), Some(MeshingError::EmptyMesh));
    }
}
