//! Faces that bound nothing: without area, duplicate, or fins on a closed body.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

use super::edges::{by_edge, sides, touching};

/// Whether a triangle has practically no area: twice its area is at most 1e-12 of its longest side squared.
pub(crate) fn is_degenerate(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners;
    let longest = (b - a)
        .norm_squared()
        .max((c - b).norm_squared())
        .max((a - c).norm_squared());
    (b - a).cross(&(c - a)).norm() <= 1e-12 * longest
}

/// Whether a triangle names a vertex twice.
pub(crate) fn repeats(t: &[u32; 3]) -> bool {
    t[0] == t[1] || t[1] == t[2] || t[2] == t[0]
}

/// Drops triangles that name a vertex twice, and those without area that hang on an edge with one triangle or with three and more.
pub(crate) fn drop_degenerate(surface: &mut SurfaceMesh) -> usize {
    let before = surface.triangles.len();
    surface.triangles.retain(|t| !repeats(t));
    let flat: Vec<bool> = (0..surface.triangles.len())
        .map(|t| is_degenerate(surface.corners(t)))
        .collect();
    if flat.contains(&true) {
        let loose = touching(&surface.triangles, |n| n != 2);
        keep_where(surface, |t| !(flat[t] && loose[t]));
    }
    before - surface.triangles.len()
}

/// Keeps one of the triangles on the same three vertices, the first of the orientation that most of them have.
pub(crate) fn drop_duplicates(surface: &mut SurfaceMesh) -> usize {
    let mut keep = vec![true; surface.triangles.len()];
    for group in groups(&surface.triangles) {
        let even = group.iter().filter(|g| g.1).count();
        let odd = group.len() - even;
        let majority = if even == odd { group[0].1 } else { even > odd };
        let kept = group.iter().position(|g| g.1 == majority);
        for (k, (t, _)) in group.iter().enumerate() {
            keep[*t as usize] = Some(k) == kept;
        }
    }
    keep_where(surface, |t| keep[t])
}

/// Drops both sides of walls: patches of triangles that are there once in each orientation, where without them fewer edges have an odd
/// number of triangles than with one side of them. That removes partitions between touching solids and sheets of two sides.
pub(crate) fn drop_walls(surface: &mut SurfaceMesh) -> usize {
    let count = surface.triangles.len();
    // all but the first of each group, and both sides of each pair
    let mut second = vec![false; count];
    let mut two_sided = vec![false; count];
    for group in groups(&surface.triangles) {
        for (t, _) in group.iter().skip(1) {
            second[*t as usize] = true;
        }
        if let [(t, one), (u, other)] = group[..]
            && one != other
        {
            two_sided[t as usize] = true;
            two_sided[u as usize] = true;
        }
    }
    if !two_sided.contains(&true) {
        return 0;
    }
    let mut patches = UnionFind::new(count);
    let all = sides(&surface.triangles);
    for edge in by_edge(&all) {
        let mut walls = edge.iter().filter(|s| two_sided[s.triangle as usize]);
        if let Some(first) = walls.next() {
            walls.for_each(|s| patches.join(first.triangle, s.triangle));
        }
    }
    // number of odd edges with one side of the patch, minus those without the patch
    let mut gain = vec![0_i64; count];
    for edge in by_edge(&all) {
        let wall = edge.iter().find(|s| two_sided[s.triangle as usize]);
        let Some(wall) = wall else {
            continue;
        };
        let firsts = edge.iter().filter(|s| !second[s.triangle as usize]);
        let with = firsts.clone().count();
        let without = firsts.filter(|s| !two_sided[s.triangle as usize]).count();
        let patch = patches.find(wall.triangle) as usize;
        gain[patch] += (with % 2) as i64 - (without % 2) as i64;
    }
    keep_where(surface, |t| {
        !(two_sided[t] && gain[patches.find(t as u32) as usize] > 0)
    })
}

/// Groups of two and more triangles on the same vertices: number and whether the corners are an even permutation of ascending order.
fn groups(triangles: &[[u32; 3]]) -> Vec<Vec<(u32, bool)>> {
    let mut keys: Vec<([u32; 3], u32, bool)> = triangles
        .iter()
        .enumerate()
        .map(|(k, t)| {
            let [a, b, c] = *t;
            let even = (a < b) ^ (b < c) ^ (c < a) ^ true;
            let mut sorted = *t;
            sorted.sort_unstable();
            (sorted, k as u32, even)
        })
        .collect();
    keys.sort_unstable();
    keys.chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1)
        .map(|group| group.iter().map(|&(_, k, even)| (k, even)).collect())
        .collect()
}

/// For each triangle whether an earlier one has the same three vertices.
pub(crate) fn duplicates(triangles: &[[u32; 3]]) -> Vec<bool> {
    let mut twice = vec![false; triangles.len()];
    for (t, _) in groups(triangles)
        .iter()
        .flat_map(|group| group.iter().skip(1))
    {
        twice[*t as usize] = true;
    }
    twice
}

/// Drops open patches that hang on a body by edges of three and more triangles, if what remains is closed.
///
/// A patch ends at edges with any other number of triangles than two. Nothing changes where the rest would stay open.
pub(crate) fn drop_fins(surface: &mut SurfaceMesh) -> usize {
    let mut rest = surface.clone();
    // fins may stand on fins
    for _ in 0..32 {
        let all = sides(&rest.triangles);
        let mut patches = UnionFind::new(rest.triangles.len());
        let mut has_branches = false;
        for edge in by_edge(&all) {
            match edge {
                [a, b] => patches.join(a.triangle, b.triangle),
                [_] => {}
                _ => has_branches = true,
            }
        }
        let open = touching(&rest.triangles, |n| n == 1);
        let at_branch = touching(&rest.triangles, |n| n > 2);
        let mut is_open = vec![false; rest.triangles.len()];
        let mut is_attached = vec![false; rest.triangles.len()];
        for t in 0..rest.triangles.len() {
            let patch = patches.find(t as u32) as usize;
            is_open[patch] |= open[t];
            is_attached[patch] |= at_branch[t];
        }
        if !has_branches || !open.contains(&true) {
            break;
        }
        let dropped = keep_where(&mut rest, |t| {
            let patch = patches.find(t as u32) as usize;
            !(is_open[patch] && is_attached[patch])
        });
        if dropped == 0 {
            break;
        }
    }
    let closed =
        !rest.triangles.is_empty() && !touching(&rest.triangles, |n| n == 1).contains(&true);
    if !closed {
        return 0;
    }
    let dropped = surface.triangles.len() - rest.triangles.len();
    *surface = rest;
    dropped
}

/// Keeps the triangles that satisfy `keep` (by number) in order; returns how many were removed.
fn keep_where(surface: &mut SurfaceMesh, mut keep: impl FnMut(usize) -> bool) -> usize {
    let before = surface.triangles.len();
    let mut number = 0;
    surface.triangles.retain(|_| {
        number += 1;
        keep(number - 1)
    });
    before - surface.triangles.len()
}

/// Flips the long side of triangles without area to the other diagonal, so that their middle vertex becomes a corner of the
/// neighbour. The surface must be closed, manifold and oriented and stays so; its shape does not change. Returns how many were flipped.
pub(crate) fn flip_flat(surface: &mut SurfaceMesh) -> usize {
    let mut flipped = 0;
    for _ in 0..20 {
        let flat: Vec<usize> = (0..surface.triangles.len())
            .filter(|&t| is_degenerate(surface.corners(t)))
            .collect();
        if flat.is_empty() {
            break;
        }
        let all = sides(&surface.triangles);
        let edge = |a: u32, b: u32| {
            let key = (a.min(b), a.max(b));
            let at = all.partition_point(|s| (s.low, s.high) < key);
            by_edge(&all[at..])
                .next()
                .filter(|e| (e[0].low, e[0].high) == key)
        };
        let mut touched = vec![false; surface.vertex_count()];
        let mut progress = 0;
        for t in flat {
            let corners = surface.corners(t);
            let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm_squared();
            let k = (0..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
            let tri = surface.triangles[t];
            let [a, b, c] = [tri[k], tri[(k + 1) % 3], tri[(k + 2) % 3]];
            let Some([one, two]) = edge(a, b) else {
                continue;
            };
            let u = if one.triangle as usize == t { two } else { one }.triangle as usize;
            let other = surface.triangles[u];
            let Some(&d) = other.iter().find(|&&v| v != a && v != b) else {
                continue;
            };
            if d == c || edge(c, d).is_some() || [a, b, c, d].iter().any(|&v| touched[v as usize]) {
                continue;
            }
            let flat_now = |triangle: &[u32; 3]| {
                is_degenerate(triangle.map(|v| surface.positions[v as usize]))
            };
            let pair = [[c, a, d], [d, b, c]];
            let before = 1 + usize::from(flat_now(&other));
            if pair.iter().filter(|t| flat_now(t)).count() >= before {
                continue;
            }
            [surface.triangles[t], surface.triangles[u]] = pair;
            for v in [a, b, c, d] {
                touched[v as usize] = true;
            }
            progress += 1;
        }
        flipped += progress;
        if progress == 0 {
            break;
        }
    }
    flipped
}
