//! Consistent orientation, and the outside of each component.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::edges::{by_edge, sides};
use crate::geometry::winding::half_angle;

/// Orients neighbours across edges of two triangles consistently, by the majority of each patch. Returns the number of triangles flipped,
/// or an edge where that is impossible.
pub(crate) fn make_consistent(surface: &mut SurfaceMesh) -> Result<usize, [u32; 2]> {
    let count = surface.triangles.len();
    let all = sides(&surface.triangles);
    // neighbours across edges of two: (triangle, other, whether they disagree)
    let mut links: Vec<(u32, u32, bool)> = Vec::with_capacity(all.len());
    for edge in by_edge(&all) {
        if let [a, b] = edge {
            let disagree = a.forward == b.forward;
            links.push((a.triangle, b.triangle, disagree));
            links.push((b.triangle, a.triangle, disagree));
        }
    }
    links.sort_unstable();
    let mut flipped: Vec<Option<bool>> = vec![None; count];
    let mut flips = 0;
    for seed in 0..count {
        if flipped[seed].is_some() {
            continue;
        }
        flipped[seed] = Some(false);
        let mut patch = vec![seed as u32];
        let mut next = 0;
        while let Some(&t) = patch.get(next) {
            next += 1;
            let own = flipped[t as usize].unwrap_or(false);
            let start = links.partition_point(|l| l.0 < t);
            for &(_, other, disagree) in links[start..].iter().take_while(|l| l.0 == t) {
                let required = own ^ disagree;
                match flipped[other as usize] {
                    None => {
                        flipped[other as usize] = Some(required);
                        patch.push(other);
                    }
                    Some(assigned) if assigned != required => {
                        return Err(shared_edge(surface, t, other));
                    }
                    Some(_) => {}
                }
            }
        }
        let flipped_count = patch
            .iter()
            .filter(|&&t| flipped[t as usize] == Some(true))
            .count();
        let majority_flipped = 2 * flipped_count > patch.len();
        for t in patch {
            if (flipped[t as usize] == Some(true)) != majority_flipped {
                surface.triangles[t as usize].swap(1, 2);
                flips += 1;
            }
        }
    }
    Ok(flips)
}

fn shared_edge(surface: &SurfaceMesh, t: u32, other: u32) -> [u32; 2] {
    let others = surface.triangles[other as usize];
    let own = surface.triangles[t as usize];
    let mut shared = own.iter().filter(|v| others.contains(v));
    let a = shared.next().copied().unwrap_or(own[0]);
    [a, shared.next().copied().unwrap_or(a)]
}

/// One closed component.
struct Shell {
    triangles: Vec<u32>,
    bounds: Aabb,
    volume: f64,
    /// shells around this one
    enclosing: Vec<usize>,
}

/// Flips closed components so that outer skins point outwards and cavities stay as they are. The surface must be closed, manifold and
/// consistently oriented. Returns the number of components flipped.
///
/// A component inside an even number of others is a skin and gets a positive volume. One inside an odd number is a cavity (negative) or
/// a second skin (positive) and keeps its sign relative to the shell around it.
pub(crate) fn outwards(
    surface: &mut SurfaceMesh,
    component: &[u32],
    progress: &Progress,
) -> Result<usize, Cancelled> {
    let shells = with_enclosing(surface, shells(surface, component), progress)?;
    let mut order: Vec<usize> = (0..shells.len()).collect();
    order.sort_by_key(|&s| shells[s].enclosing.len());
    let mut flipped = vec![false; shells.len()];
    for s in order {
        let depth = shells[s].enclosing.len();
        let parent = shells[s]
            .enclosing
            .iter()
            .copied()
            .max_by_key(|&p| shells[p].enclosing.len());
        let with_parent = parent.is_some_and(|p| flipped[p]);
        let sign = if with_parent { -1.0 } else { 1.0 };
        flipped[s] = with_parent ^ (depth.is_multiple_of(2) && sign * shells[s].volume < 0.0);
        if flipped[s] {
            for &t in &shells[s].triangles {
                surface.triangles[t as usize].swap(1, 2);
            }
        }
    }
    Ok(flipped.iter().filter(|&&t| t).count())
}

/// Adds to each shell the shells that enclose it.
fn with_enclosing(
    surface: &SurfaceMesh,
    mut shells: Vec<Shell>,
    progress: &Progress,
) -> Result<Vec<Shell>, Cancelled> {
    // a tree of boxes: each box as a triangle between its extreme corners
    let corners: Vec<Vec3> = shells
        .iter()
        .flat_map(|s| [s.bounds.min, s.bounds.max])
        .collect();
    let boxes: Vec<[u32; 3]> = (0..shells.len() as u32)
        .map(|s| [2 * s, 2 * s + 1, 2 * s + 1])
        .collect();
    let tree = TriangleTree::new(&corners, &boxes);
    let enclosing: Vec<Vec<usize>> = (0..shells.len())
        .into_par_iter()
        .map(|inner| {
            progress.check()?;
            let Shell {
                triangles, bounds, ..
            } = &shells[inner];
            let point = surface.corners(triangles[0] as usize)[0];
            let mut outer = Vec::new();
            tree.overlapping(&Aabb::of_points([&point]), |s| outer.push(s as usize));
            outer.retain(|&s| {
                let other = &shells[s];
                s != inner
                    && other.bounds.contains(&bounds.min)
                    && other.bounds.contains(&bounds.max)
                    && winding(surface, &other.triangles, &point).abs() > 0.5
            });
            outer.sort_unstable();
            Ok(outer)
        })
        .collect::<Result<_, Cancelled>>()?;
    for (shell, enclosing) in shells.iter_mut().zip(enclosing) {
        shell.enclosing = enclosing;
    }
    Ok(shells)
}

/// The components in the order of their first triangles; each has at least one.
fn shells(surface: &SurfaceMesh, component: &[u32]) -> Vec<Shell> {
    let count = component.iter().max().map_or(0, |&last| last as usize + 1);
    let mut number = vec![usize::MAX; count];
    let mut shells: Vec<Shell> = Vec::new();
    for (t, &root) in component.iter().enumerate() {
        if number[root as usize] == usize::MAX {
            number[root as usize] = shells.len();
            shells.push(Shell {
                triangles: Vec::new(),
                bounds: Aabb::empty(),
                volume: 0.0,
                enclosing: Vec::new(),
            });
        }
        let shell = &mut shells[number[root as usize]];
        shell.triangles.push(t as u32);
        for x in &surface.corners(t) {
            shell.bounds.grow(x);
        }
    }
    for shell in &mut shells {
        let origin = shell.bounds.center();
        for &t in &shell.triangles {
            let [a, b, c] = surface.corners(t as usize).map(|x| x - origin);
            shell.volume += a.dot(&b.cross(&c)) / 6.0;
        }
    }
    shells
}

/// Winding number of some closed triangles around a point: the sum of their solid angles over 4π.
fn winding(surface: &SurfaceMesh, triangles: &[u32], point: &Vec3) -> f64 {
    let mut sum = 0.0;
    for &t in triangles {
        let (im, re) = half_angle(point, &surface.corners(t as usize));
        sum += 2.0 * im.atan2(re);
    }
    sum / (4.0 * std::f64::consts::PI)
}
