//! The counts and locations behind the findings.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use crate::repair::steps::faces::{duplicates, is_degenerate, repeats};
use crate::repair::steps::weld::equal_positions;

/// Faults by kind, and the surface by which topology is judged.
pub(crate) struct Facts {
    /// equal positions joined, without faces that repeat a vertex, name a missing one or one that is not finite
    pub(crate) welded: SurfaceMesh,
    /// number in the file of each triangle of `welded`
    pub(crate) number: Vec<u32>,
    pub(crate) out_of_range: Vec<u32>,
    pub(crate) non_finite: Vec<u32>,
    pub(crate) degenerate: Vec<u32>,
    pub(crate) duplicate_faces: Vec<u32>,
    /// vertices at the position of an earlier one
    pub(crate) duplicate_vertices: Vec<u32>,
    /// the file has three vertices for each triangle: duplicates are expected
    pub(crate) is_soup: bool,
    /// vertices without a triangle
    pub(crate) unreferenced: Vec<u32>,
}

impl Facts {
    pub(crate) fn of(raw: &SurfaceMesh) -> Self {
        let count = raw.vertex_count();
        let same = equal_positions(&raw.positions);
        let finite: Vec<bool> = raw
            .positions
            .iter()
            .map(|p| p.iter().all(|x| x.is_finite()))
            .collect();
        let mut facts = Self {
            welded: SurfaceMesh::new(Vec::new(), Vec::with_capacity(raw.triangles.len())),
            number: Vec::with_capacity(raw.triangles.len()),
            out_of_range: Vec::new(),
            non_finite: numbers_where(&finite, |f| !f),
            degenerate: Vec::new(),
            duplicate_faces: Vec::new(),
            duplicate_vertices: same
                .iter()
                .enumerate()
                .filter(|(v, first)| **first != *v as u32 && finite[*v])
                .map(|(v, _)| v as u32)
                .collect(),
            is_soup: count == 3 * raw.triangles.len(),
            unreferenced: Vec::new(),
        };
        let mut used = vec![false; count];
        for (k, triangle) in raw.triangles.iter().enumerate() {
            if triangle.iter().any(|&v| v as usize >= count) {
                facts.out_of_range.push(k as u32);
                continue;
            }
            for &v in triangle {
                used[v as usize] = true;
            }
            if !triangle.iter().all(|&v| finite[v as usize]) {
                continue;
            }
            let joined = triangle.map(|v| same[v as usize]);
            if repeats(&joined) {
                facts.degenerate.push(k as u32);
                continue;
            }
            if is_degenerate(raw.corners(k)) {
                facts.degenerate.push(k as u32);
            }
            facts.welded.triangles.push(joined);
            facts.number.push(k as u32);
        }
        let twice = duplicates(&facts.welded.triangles);
        facts.duplicate_faces = numbers_where(&twice, |t| *t)
            .iter()
            .map(|&t| facts.number[t as usize])
            .collect();
        facts.unreferenced = numbers_where(&used, |u| !u);
        // vertices keep their numbers; those that are not finite are not used
        let origin = |(p, f): (&Vec3, &bool)| if *f { *p } else { Vec3::zeros() };
        facts.welded.positions = raw.positions.iter().zip(&finite).map(origin).collect();
        facts
    }
}

fn numbers_where<T>(items: &[T], test: impl Fn(&T) -> bool) -> Vec<u32> {
    let all = items.iter().enumerate();
    all.filter(|(_, x)| test(x))
        .map(|(k, _)| k as u32)
        .collect()
}
