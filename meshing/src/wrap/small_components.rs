//! Leaving out components that are too small to mean anything.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

/// Drops components whose enclosed volume is below `share` of the whole. The surface must be closed and oriented. Returns how many went.
pub(super) fn drop_small_components(surface: &mut SurfaceMesh, share: f64) -> usize {
    let mut sets = UnionFind::new(surface.vertex_count());
    for t in &surface.triangles {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    let part: Vec<usize> = (0..surface.vertex_count() as u32)
        .map(|v| sets.find(v) as usize)
        .collect();
    let origin = surface.bounds().center();
    let mut volume = vec![0.0; surface.vertex_count()];
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.corners(t).map(|x| x - origin);
        volume[part[surface.triangles[t][0] as usize]] += a.dot(&b.cross(&c)) / 6.0;
    }
    let whole: f64 = volume.iter().sum();
    let goes = |v: u32| volume[part[v as usize]].abs() < share * whole;
    let mut used = vec![false; surface.vertex_count()];
    let before: Vec<bool> = (0..surface.vertex_count() as u32).map(goes).collect();
    surface.triangles.retain(|t| !before[t[0] as usize]);
    let dropped = (0..surface.vertex_count())
        .filter(|&v| part[v] == v && before[v])
        .count();
    for &v in surface.triangles.iter().flatten() {
        used[v as usize] = true;
    }
    let mut next = 0;
    let number: Vec<u32> = used
        .iter()
        .map(|&u| {
            next += u32::from(u);
            next.wrapping_sub(1)
        })
        .collect();
    let mut kept = used.iter();
    surface
        .positions
        .retain(|_| kept.next().copied().unwrap_or(false));
    for v in surface.triangles.iter_mut().flatten() {
        *v = number[*v as usize];
    }
    dropped
}
