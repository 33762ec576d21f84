//! From a stuffed lattice to a mesh whose boundary is a closed manifold: repairs pinches, lost walls and sealed gaps, and drops small components.

use std::collections::{BTreeMap, BTreeSet};

use pliant_core::asset::Progress;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::adjacency::sorted_set;
use pliant_core::mesh::validate::{UnionFind, topology};
use rayon::prelude::*;

use super::cuts::Cuts;
use super::stencils::{Stencilled, stencil};
use crate::error::MeshingError;
use crate::geometry::solid::Solid;
use crate::tetrahedralise::fits_together::sorted_faces;
use crate::tetrahedralise::stuffing::lattice::{Lattice, Signs};

/// Components below this share of the volume are dropped.
const MIN_COMPONENT_SHARE: f64 = 0.01;
/// After this many rounds no site is warped, which cannot pinch.
const MAX_WARP_ROUNDS: usize = 24;

/// Stuffs the solid at one lattice spacing; `None` when no site is inside.
///
/// Pinches arise only where warped sites meet. Such a site is put back to its lattice position, its cut points are
/// clamped to the warping threshold so that the angle bound still holds, and the stencils are applied again. The same is done for inside
/// sites whose warping deleted all material around them (thin walls) and for outside sites whose warping sealed a gap.
/// Every round puts back at least one site, and without warped sites the boundary is a manifold, so the loop terminates.
///
/// # Errors
/// [`MeshingError::Cancelled`], [`MeshingError::GridTooLarge`], [`MeshingError::BadSize`]; [`MeshingError::InvalidResult`]
/// would be a fault of this program.
pub fn stuff_lattice<S: Solid>(
    solid: &S,
    spacing: f64,
    progress: &Progress,
) -> Result<Option<TetMesh>, MeshingError> {
    let lattice = &Lattice::around(&solid.bounds(), spacing)?;
    let mut signs = lattice.sample(solid, progress)?;
    signs.fill_bubbles(lattice);
    let cuts = Cuts::find(solid, lattice, &signs, progress)?;
    if cuts.edges.is_empty() {
        return Ok(None);
    }
    let mut is_fixed = vec![false; cuts.sites.len()];
    for round in 0.. {
        progress.check()?;
        let moved_to = cuts.warp(&is_fixed);
        let stuffed = stencil(lattice, &signs, &cuts, &moved_to)?;
        let bad = sites_to_unwarp(lattice, &signs, &cuts, &moved_to, &stuffed);
        if bad.is_empty() {
            return Ok(Some(without_small_components(stuffed.mesh, solid)));
        }
        if is_fixed.iter().all(|&f| f) {
            return Err(MeshingError::InvalidResult {
                reason: "the boundary is pinched although no site is warped".to_string(),
            });
        }
        let before = is_fixed.iter().filter(|&&f| f).count();
        for row in bad {
            is_fixed[row as usize] = true;
        }
        if round >= MAX_WARP_ROUNDS || is_fixed.iter().filter(|&&f| f).count() == before {
            is_fixed.iter_mut().for_each(|f| *f = true);
        }
    }
    Ok(None)
}

/// Rows of [`Cuts::sites`] whose warping must be undone; empty exactly when the mesh needs no further repair.
fn sites_to_unwarp(
    lattice: &Lattice,
    signs: &Signs,
    cuts: &Cuts,
    moved_to: &[Option<u32>],
    stuffed: &Stencilled,
) -> Vec<u32> {
    let row_of = |site: u32| cuts.sites.binary_search(&site).ok().map(|row| row as u32);
    let boundary = stuffed.mesh.boundary();
    let shape = topology(&boundary.surface);
    let pinches = shape
        .non_manifold_edges
        .iter()
        .flatten()
        .chain(&shape.non_manifold_vertices)
        .map(|&v| boundary.node_of_vertex[v as usize]);
    let mut bad: Vec<u32> = Vec::new();
    let mut is_pinched = false;
    for node in pinches {
        is_pinched = true;
        bad.extend(stuffed.site_of_node(node).and_then(row_of));
    }
    let mut on_boundary = vec![false; stuffed.mesh.nodes.len()];
    for &node in &boundary.node_of_vertex {
        on_boundary[node as usize] = true;
    }
    for (row, &site) in cuts.sites.iter().enumerate() {
        if moved_to[row].is_none() {
            continue;
        }
        let is_harmed = match (signs.inside[site as usize], stuffed.node_of_site(site)) {
            (true, None) => true,
            (false, Some(node)) => {
                !on_boundary[node as usize] && has_outside_neighbour(lattice, signs, site)
            }
            _ => false,
        };
        if is_harmed {
            bad.push(row as u32);
        }
    }
    if bad.is_empty() && is_pinched {
        bad.extend(0..cuts.sites.len() as u32);
    }
    sorted_set(bad)
}

fn has_outside_neighbour(lattice: &Lattice, signs: &Signs, site: u32) -> bool {
    let mut around = Vec::new();
    lattice.neighbours(site, &mut around);
    around.iter().any(|&n| !signs.inside[n as usize])
}

/// The mesh without components (joined across faces) below [`MIN_COMPONENT_SHARE`] of its volume, unless one is the largest component of its part of the body.
fn without_small_components(mesh: TetMesh, solid: &impl Solid) -> TetMesh {
    let mut sets = tet_components(&mesh);
    let roots: Vec<u32> = (0..mesh.tets.len() as u32).map(|t| sets.find(t)).collect();
    let mut volumes = vec![0.0; mesh.tets.len()];
    for (t, &root) in roots.iter().enumerate() {
        volumes[root as usize] += mesh.tet_volume(t);
    }
    let limit = MIN_COMPONENT_SHARE * volumes.iter().sum::<f64>();
    if roots.iter().all(|&r| volumes[r as usize] >= limit) {
        return mesh;
    }
    // the largest component of each part of the body
    let mut largest: BTreeMap<u32, u32> = BTreeMap::new();
    for (part, root) in parts_of_components(&mesh, &roots, solid) {
        let largest_root = largest.entry(part).or_insert(root);
        if volumes[root as usize] > volumes[*largest_root as usize] {
            *largest_root = root;
        }
    }
    let largest_of_parts: BTreeSet<u32> = largest.into_values().collect();
    let is_kept = |root: u32| volumes[root as usize] >= limit || largest_of_parts.contains(&root);
    let tets: Vec<[u32; 4]> = mesh
        .tets
        .iter()
        .zip(&roots)
        .filter(|(_, root)| is_kept(**root))
        .map(|(t, _)| *t)
        .collect();
    TetMesh::with_used_nodes(&mesh.nodes, tets).0
}

/// Parts of the body and components of the mesh that lie at their border, each pair once; none where the body is one part.
fn parts_of_components(mesh: &TetMesh, roots: &[u32], solid: &impl Solid) -> Vec<(u32, u32)> {
    if solid.part_at(&mesh.nodes[0]).is_none() {
        return Vec::new();
    }
    let mut root_of_node = vec![0; mesh.nodes.len()];
    for (tet, &root) in mesh.tets.iter().zip(roots) {
        tet.iter().for_each(|&v| root_of_node[v as usize] = root);
    }
    let boundary = mesh.boundary().node_of_vertex;
    let mut pairs: Vec<(u32, u32)> = boundary
        .par_iter()
        .filter_map(|&node| {
            let part = solid.part_at(&mesh.nodes[node as usize])?;
            Some((part, root_of_node[node as usize]))
        })
        .collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

/// Tetrahedra joined across faces.
fn tet_components(mesh: &TetMesh) -> UnionFind {
    let mut sets = UnionFind::new(mesh.tets.len());
    for pair in sorted_faces(&mesh.tets).windows(2) {
        if pair[0].corners == pair[1].corners {
            sets.join(pair[0].tet, pair[1].tet);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::solid::MeshSolid;
    use crate::test_bodies::{joined, mapped, sphere};
    use pliant_core::math::Vec3;

    #[test]
    fn small_components_go_and_large_components_stay() {
        let unit = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let mut mesh = TetMesh {
            nodes: Vec::new(),
            tets: Vec::new(),
        };
        for (k, size) in [0.1, 1.0, 0.5].into_iter().enumerate() {
            let shift = Vec3::new(5.0 * k as f64, 0.0, 0.0);
            mesh.nodes.extend(unit.map(|x| x * size + shift));
            mesh.tets.push([0, 1, 2, 3].map(|v| v + 4 * k as u32));
        }
        let ball = sphere(1);
        let one_part = MeshSolid::new(&ball).expect("a ball");
        let kept = without_small_components(mesh, &one_part);
        assert_eq!(kept.tets, vec![[0, 1, 2, 3], [4, 5, 6, 7]]);
        assert!((kept.volume() - 1.125 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn a_small_part_of_a_body_of_several_stays() {
        let ball = sphere(2);
        let pin = mapped(sphere(2), |x| x * 0.15);
        let both = joined(&ball, &pin, Vec3::new(1.4, 0.0, 0.0));
        let solid = MeshSolid::new(&both).expect("two balls");
        let mesh = stuff_lattice(&solid, 0.12, &Progress::new()).expect("no error");
        let boundary = mesh.expect("a mesh").boundary().surface;
        assert_eq!(topology(&boundary).components, 2);
        // the pin has 0.3 % of the volume
        assert!(boundary.positions.iter().any(|x| x.x > 1.3));
    }
}
