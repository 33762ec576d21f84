//! Bodies that lie inside each other when a scene begins.
//!
//! Contact pushes out of each other what overlaps a little. Bodies that overlap deeply stay as they are, see decision 008.

use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

/// Depth of a vertex inside another body, over the diagonal of that body, from which there is a note.
const MAX_DEPTH: f64 = 0.05;

/// A direction in general position: a ray along it meets an edge only by chance.
const RAY_DIRECTION: Vec3 = Vec3::new(0.571, 1.237, -0.893);

/// A body in its place.
struct PlacedBody<'a> {
    name: &'a str,
    skin: &'a SurfaceMesh,
    place: &'a Pose,
    /// of its kind
    tree: &'a TriangleTree,
    /// in the world, m
    bounds: Aabb,
}

/// A note on the two bodies that overlap most deeply when the scene begins, if any do. `kinds` has the name, the skin and the places of each kind of body.
///
/// Cost: about a microsecond for each vertex in the bounding box of another body.
pub(in crate::setup) fn note(kinds: &[(&str, &SurfaceMesh, &[Pose])]) -> Option<String> {
    if kinds.iter().map(|kind| kind.2.len()).sum::<usize>() < 2 {
        return None;
    }
    let trees: Vec<TriangleTree> = kinds
        .iter()
        .map(|(_, skin, _)| TriangleTree::new(&skin.positions, &skin.triangles))
        .collect();
    let bodies: Vec<PlacedBody<'_>> = kinds
        .iter()
        .zip(&trees)
        .flat_map(|((name, skin, places), tree)| {
            places.iter().map(move |place| {
                let mut bounds = Aabb::empty();
                for x in &skin.positions {
                    bounds.grow(&place.to_world(x));
                }
                PlacedBody {
                    name,
                    skin,
                    place,
                    tree,
                    bounds,
                }
            })
        })
        .collect();
    let mut deepest: Option<(f64, usize, usize)> = None;
    for (a, one) in bodies.iter().enumerate() {
        for (b, other) in bodies.iter().enumerate() {
            if a != b && one.bounds.overlaps(&other.bounds) {
                let share = depth_inside(one, other) / other.skin.bounds().diagonal();
                if share > deepest.map_or(MAX_DEPTH, |(known, ..)| known) {
                    deepest = Some((share, a, b));
                }
            }
        }
    }
    let (share, a, b) = deepest?;
    let (first, second) = (a.min(b), a.max(b));
    Some(format!(
        "BodiesOverlap: bodies {} (`{}`) and {} (`{}`) overlap by {:.1} % of their size at the start, and may stay inside each other\n  remedy: place them farther apart, with layout.spacing or layout.origin",
        first + 1,
        bodies[first].name,
        second + 1,
        bodies[second].name,
        100.0 * share,
    ))
}

/// Largest depth of a vertex of `one` inside `other`, m; 0 where none is inside.
fn depth_inside(one: &PlacedBody<'_>, other: &PlacedBody<'_>) -> f64 {
    let size = other.skin.bounds().diagonal();
    let is_on_surface = |x: &Vec3| {
        let local = other.place.to_local(&one.place.to_world(x));
        let closest = other.tree.closest(&local);
        closest.is_some_and(|c| c.distance_squared < (1e-6 * size).powi(2))
    };
    // two bodies in one place have no vertex inside each other
    if one.skin.vertex_count() == other.skin.vertex_count()
        && one.skin.positions.iter().all(is_on_surface)
    {
        return size;
    }
    let mut deepest = 0.0_f64;
    for x in &one.skin.positions {
        let world = one.place.to_world(x);
        if !other.bounds.contains(&world) {
            continue;
        }
        let local = other.place.to_local(&world);
        if let Some(closest) = other.tree.closest(&local)
            && closest.distance_squared > deepest * deepest
            && is_inside(other, &local)
        {
            deepest = closest.distance_squared.sqrt();
        }
    }
    deepest
}

/// Whether a point (m, in coordinates of the body) is inside: a ray from there leaves through the first triangle that it meets.
fn is_inside(body: &PlacedBody<'_>, point: &Vec3) -> bool {
    let leaves = |direction: Vec3| {
        let ray = Ray {
            origin: *point,
            direction,
        };
        body.tree.first_hit(&ray).is_some_and(|(_, hit)| {
            let corners = body.skin.triangles[hit.triangle as usize];
            let [a, b, c] = corners.map(|v| body.skin.positions[v as usize]);
            (b - a).cross(&(c - a)).dot(&direction) > 0.0
        })
    };
    leaves(RAY_DIRECTION) && leaves(-RAY_DIRECTION)
}

#[cfg(test)]
mod tests {
    use crate::world::testing::setup_of;

    #[test]
    fn bodies_that_overlap_deeply_are_noted_and_touching_ones_are_not() {
        let notes = |spacing: f64| {
            let setup = setup_of(format!(
                "[[body]]\nname = \"b\"\nmesh = {{ procedural = \"box\", size = [0.1, 0.1, 0.1], edge = 0.025 }}\n\
                 layout = {{ grid = [2, 1, 1], spacing = {spacing} }}\n"
            ));
            let found = setup.note_texts().filter(|n| n.contains("BodiesOverlap"));
            found.count()
        };
        assert_eq!([0.05, 0.1, 0.12].map(notes), [1, 0, 0]);
    }
}
