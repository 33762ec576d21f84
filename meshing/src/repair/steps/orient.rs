//! Consistent orientation, and which side of each component is out.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::edges::{by_edge, sides};

/// Makes neighbours across edges of two triangles agree, by the majority of each patch. Returns the number of triangles turned,
/// or an edge where the sides clash.
pub(crate) fn agree(surface: &mut SurfaceMesh) -> Result<usize, [u32; 2]> {
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
    let mut turned: Vec<Option<bool>> = vec![None; count];
    let mut flips = 0;
    for seed in 0..count {
        if turned[seed].is_some() {
            continue;
        }
        turned[seed] = Some(false);
        let mut patch = vec![seed as u32];
        let mut next = 0;
        while let Some(&t) = patch.get(next) {
            next += 1;
            let mine = turned[t as usize].unwrap_or(false);
            let start = links.partition_point(|l| l.0 < t);
            for &(_, other, disagree) in links[start..].iter().take_while(|l| l.0 == t) {
                let wanted = mine ^ disagree;
                match turned[other as usize] {
                    None => {
                        turned[other as usize] = Some(wanted);
                        patch.push(other);
                    }
                    Some(known) if known != wanted => {
                        return Err(shared_edge(surface, t, other));
                    }
                    Some(_) => {}
                }
            }
        }
        let against = patch
            .iter()
            .filter(|&&t| turned[t as usize] == Some(true))
            .count();
        let majority_turned = 2 * against > patch.len();
        for t in patch {
            if (turned[t as usize] == Some(true)) != majority_turned {
                surface.triangles[t as usize].swap(1, 2);
                flips += 1;
            }
        }
    }
    Ok(flips)
}

fn shared_edge(surface: &SurfaceMesh, t: u32, other: u32) -> [u32; 2] {
    let theirs = surface.triangles[other as usize];
    let mine = surface.triangles[t as usize];
    let mut shared = mine.iter().filter(|v| theirs.contains(v));
    let a = shared.next().copied().unwrap_or(mine[0]);
    [a, shared.next().copied().unwrap_or(a)]
}

/// One closed component.
struct Shell {
    triangles: Vec<u32>,
    bounds: Aabb,
    volume: f64,
    /// shells around this one
    around: Vec<usize>,
}

/// Turns closed components so that outer skins point outwards and cavities stay as they are. The surface must be closed, manifold and
/// consistently oriented. Returns the number of components turned.
///
/// A component inside an even number of others is a skin and gets a positive volume. One inside an odd number is a cavity (negative) or
/// a second skin (positive) and keeps its sign relative to the shell around it.
pub(crate) fn outwards(
    surface: &mut SurfaceMesh,
    component: &[u32],
    progress: &Progress,
) -> Result<usize, Cancelled> {
    let shells = nested(surface, shells(surface, component), progress)?;
    let mut order: Vec<usize> = (0..shells.len()).collect();
    order.sort_by_key(|&s| shells[s].around.len());
    let mut turned = vec![false; shells.len()];
    for s in order {
        let depth = shells[s].around.len();
        let parent = shells[s]
            .around
            .iter()
            .copied()
            .max_by_key(|&p| shells[p].around.len());
        let with_parent = parent.is_some_and(|p| turned[p]);
        let sign = if with_parent { -1.0 } else { 1.0 };
        turned[s] = with_parent ^ (depth.is_multiple_of(2) && sign * shells[s].volume < 0.0);
        if turned[s] {
            for &t in &shells[s].triangles {
                surface.triangles[t as usize].swap(1, 2);
            }
        }
    }
    Ok(turned.iter().filter(|&&t| t).count())
}

/// Fills in which shells lie around each.
fn nested(
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
    let around: Vec<Vec<usize>> = (0..shells.len())
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
    for (shell, around) in shells.iter_mut().zip(around) {
        shell.around = around;
    }
    Ok(shells)
}

/// The components in the order of their first triangles; each has at least one.
fn shells(surface: &SurfaceMesh, component: &[u32]) -> Vec<Shell> {
    let mut number = vec![usize::MAX; component.len()];
    let mut shells: Vec<Shell> = Vec::new();
    for (t, &root) in component.iter().enumerate() {
        if number[root as usize] == usize::MAX {
            number[root as usize] = shells.len();
            shells.push(Shell {
                triangles: Vec::new(),
                bounds: Aabb::empty(),
                volume: 0.0,
                around: Vec::new(),
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

/// Winding number of some closed triangles around a point: the sum of their solid angles over 4π (van Oosterom and Strackee 1983, eq. 8).
fn winding(surface: &SurfaceMesh, triangles: &[u32], point: &Vec3) -> f64 {
    let mut sum = 0.0;
    for &t in triangles {
        let [a, b, c] = surface.corners(t as usize).map(|x| x - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let numerator = a.dot(&b.cross(&c));
        let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        sum += 2.0 * numerator.atan2(denominator);
    }
    sum / (4.0 * std::f64::consts::PI)
}
