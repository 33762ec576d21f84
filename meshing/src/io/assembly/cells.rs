//! What readers of simulation formats fill: surface polygons, tetrahedra and the count of everything else.

use std::collections::BTreeMap;

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use super::polygons::Polygons;
use crate::io::error::ReadError;
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// The shape of a cell. Curved cells are read by their corners, which all formats list first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All nodes are corners, in order around it.
    Polygon,
    /// The given number of first nodes are corners.
    CurvedPolygon(usize),
    /// Triangles that share an edge each.
    Strip,
    /// A square in the order of an image: row by row.
    Pixel,
    Tet,
    CurvedTet,
    /// Skipped; the name is a plural.
    Other(&'static str),
}

/// Skipped cells that fill a part of the body.
const SOLID: [&str; 5] = ["hexahedra", "wedges", "pyramids", "voxels", "polyhedra"];

/// Cells as they stand in a file.
#[derive(Debug)]
pub(crate) struct Cells {
    pub surface: Polygons,
    tets: Vec<[u32; 4]>,
    skipped: BTreeMap<String, usize>,
    curved: usize,
}

impl Cells {
    /// Arguments as for [`Polygons::new`].
    pub fn new(in_lines: bool, first_index: u32, options: &ReadOptions) -> Self {
        Self {
            surface: Polygons::new(in_lines, first_index, options),
            tets: Vec::new(),
            skipped: BTreeMap::new(),
            curved: 0,
        }
    }

    /// Counts cells that are passed over; `kind` is a plural.
    pub fn skip(&mut self, kind: &str, count: usize) {
        if count > 0 {
            *self.skipped.entry(kind.into()).or_insert(0) += count;
        }
    }

    /// Adds a cell at line or byte `at`; node numbers count from 0 and may name nodes that come later in the file.
    pub fn cell(&mut self, shape: Shape, nodes: &[u32], at: usize) -> Result<(), ReadError> {
        match (shape, nodes) {
            (Shape::Other(kind), _) => self.skip(kind, 1),
            (Shape::Polygon, _) => self.surface.polygon(nodes, at),
            (Shape::Pixel, &[a, b, c, d]) => self.surface.polygon(&[a, b, d, c], at),
            (Shape::CurvedPolygon(corners), _) if nodes.len() >= corners => {
                self.curved += 1;
                self.surface.polygon(nodes.split_at(corners).0, at);
            }
            (Shape::Strip, _) => {
                for (k, w) in nodes.windows(3).enumerate() {
                    let (b, c) = if k % 2 == 0 { (1, 2) } else { (2, 1) };
                    // strips are joined by triangles without area
                    if w[0] != w[1] && w[1] != w[2] && w[2] != w[0] {
                        self.surface.triangle([w[0], w[b], w[c]], at);
                    }
                }
            }
            (Shape::Tet | Shape::CurvedTet, &[a, b, c, d, ..]) => {
                self.curved += usize::from(shape == Shape::CurvedTet);
                self.surface.note_references(&[a, b, c, d], at);
                self.tets.push([a, b, c, d]);
            }
            _ => {
                let what = format!("a cell with {} nodes, too few for its kind", nodes.len());
                return Err(ReadError::syntax(self.surface.place(at as u32), what));
            }
        }
        Ok(())
    }

    /// The number of a node as `u32`; `node` counts from 0 as well.
    pub fn node(&self, node: i64, at: usize) -> Result<u32, ReadError> {
        u32::try_from(node).map_err(|_| self.surface.out_of_range(node, at as u32))
    }

    /// Checks every index; the surface is the boundary of the tetrahedra where there are any, else the polygons of the file.
    pub fn finish(mut self, format: MeshFormat) -> Result<MeshFile, ReadError> {
        let list: Vec<String> = self
            .skipped
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let list = list.join(", ");
        if !list.is_empty() {
            let solid = self
                .skipped
                .keys()
                .any(|kind| SOLID.contains(&kind.as_str()));
            let without = if solid && !self.tets.is_empty() {
                "; the body is without them: split them into tetrahedra before export"
            } else {
                ""
            };
            let note = format!("cells of other kinds were skipped: {list}{without}");
            self.surface.notes.push(note);
        }
        if self.curved > 0 {
            self.surface.notes.push(format!(
                "{} curved cells were taken by their corners",
                self.curved
            ));
        }
        if self.tets.is_empty() {
            return self.surface.finish(format, &list);
        }
        let polygons = self.surface.polygon_count();
        self.surface.drop_polygons();
        let count = self.tets.len();
        let Some(tets) = self.tet_mesh()? else {
            let found = format!("{count} tetrahedra without volume");
            return Err(ReadError::NoTriangles { found });
        };
        if polygons > 0 {
            self.surface.notes.push(format!(
                "the {polygons} surface cells of the file were left out: the surface is the boundary of its tetrahedra"
            ));
        }
        Ok(MeshFile {
            surface: tets.boundary().surface,
            tets: Some(tets),
            format,
            notes: self.surface.notes,
        })
    }

    /// All nodes, and all tetrahedra as the file has them, with every index checked.
    pub fn take_tets(&mut self) -> Result<(Vec<Vec3>, Vec<[u32; 4]>), ReadError> {
        self.surface.check_references()?;
        Ok((
            self.surface.take_positions(),
            std::mem::take(&mut self.tets),
        ))
    }

    /// The tetrahedra with positive volumes, without duplicates and without unused nodes; `None` when nothing is left.
    fn tet_mesh(&mut self) -> Result<Option<TetMesh>, ReadError> {
        let (nodes, mut tets) = self.take_tets()?;
        let all = tets.len();
        let mut turned = 0_usize;
        tets.retain_mut(|tet| {
            let [a, b, c, d] = tet.map(|v| nodes[v as usize]);
            let volume = (b - a).dot(&(c - a).cross(&(d - a)));
            if volume < 0.0 {
                turned += 1;
                tet.swap(2, 3);
            }
            volume.is_finite() && volume != 0.0
        });
        let flat = all - tets.len();
        let duplicates = remove_duplicates(&mut tets);
        let (mesh, _) = TetMesh::with_used_nodes(&nodes, tets);
        for (count, what) in [
            (turned, "tetrahedra with negative volume were reoriented"),
            (flat, "tetrahedra without volume were left out"),
            (duplicates, "duplicate tetrahedra were left out"),
            (
                nodes.len() - mesh.nodes.len(),
                "points that no tetrahedron uses were left out",
            ),
        ] {
            if count > 0 {
                self.surface.notes.push(format!("{count} {what}"));
            }
        }
        Ok((!mesh.tets.is_empty()).then_some(mesh))
    }
}

/// Keeps the first of all tetrahedra with the same four nodes, in order; returns how many were removed.
fn remove_duplicates(tets: &mut Vec<[u32; 4]>) -> usize {
    let key = |(tet, k): (&[u32; 4], u32)| {
        let mut key = *tet;
        key.sort_unstable();
        (key, k)
    };
    let mut keys: Vec<([u32; 4], u32)> = tets.iter().zip(0..).map(key).collect();
    keys.sort_unstable();
    let mut duplicates: Vec<u32> = keys
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .map(|pair| pair[1].1)
        .collect();
    drop(keys);
    duplicates.sort_unstable();
    let mut remaining = duplicates.iter().peekable();
    let mut k = 0;
    tets.retain(|_| {
        let is_duplicate = remaining.next_if(|d| **d == k).is_some();
        k += 1;
        !is_duplicate
    });
    duplicates.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Cells {
        let mut cells = Cells::new(true, 1, &ReadOptions::default());
        for (k, p) in [
            Vec3::repeat(9.0),
            Vec3::zeros(),
            Vec3::x(),
            Vec3::y(),
            Vec3::z(),
        ]
        .into_iter()
        .enumerate()
        {
            cells.surface.vertex(p, k + 1).expect("finite");
        }
        cells
    }

    #[test]
    fn tetrahedra_are_turned_and_counted_and_bound_the_surface() {
        let mut cells = cells();
        cells.cell(Shape::Tet, &[1, 3, 2, 4], 7).expect("a tet");
        cells.cell(Shape::Tet, &[4, 2, 3, 1], 8).expect("again");
        cells.cell(Shape::Tet, &[1, 2, 3, 3], 8).expect("flat");
        cells.cell(Shape::Polygon, &[1, 2, 3], 9).expect("a face");
        cells
            .cell(Shape::Other("pyramids"), &[1], 9)
            .expect("skipped");
        let file = cells.finish(MeshFormat::Medit).expect("a body");
        let tets = file.tets.expect("tetrahedra");
        assert_eq!((tets.nodes.len(), tets.tets.len()), (4, 1));
        assert_eq!(tets.volume(), 1.0 / 6.0);
        assert_eq!(file.surface.triangles.len(), 4);
        assert_eq!(file.surface.volume(), 1.0 / 6.0);
        let notes = file.notes.join("\n");
        for note in [
            "2 tetrahedra with negative",
            "1 tetrahedra without",
            "duplicate tetrahedra",
            "1 points",
            "1 pyramids",
            "1 surface cells",
        ] {
            assert!(notes.contains(note), "{notes}");
        }
    }

    #[test]
    fn strips_and_pixels_keep_their_orientation() {
        let mut cells = cells();
        cells
            .cell(Shape::Strip, &[1, 2, 3, 3, 4, 2], 1)
            .expect("a strip");
        let corner = Vec3::x() + Vec3::y();
        cells.surface.vertex(corner, 2).expect("finite");
        cells.cell(Shape::Pixel, &[1, 2, 3, 5], 2).expect("a pixel");
        let file = cells.finish(MeshFormat::VtkText).expect("a surface");
        assert_eq!(
            file.surface.triangles,
            [[1, 2, 3], [3, 2, 4], [1, 2, 5], [1, 5, 3]]
        );
    }

    #[test]
    fn wrong_indices_and_short_cells_have_a_place() {
        let mut wrong = cells();
        wrong.cell(Shape::Tet, &[1, 2, 3, 5], 7).expect("later");
        let error = wrong.finish(MeshFormat::Medit).expect_err("no such node");
        let text = error.to_string();
        assert!(text.starts_with("line 7: a face uses vertex 6"));
        let error = cells().cell(Shape::Tet, &[1, 2, 3], 8).expect_err("short");
        assert_eq!(error.place().as_deref(), Some("line 8"));
        let mut flat = cells();
        flat.cell(Shape::Tet, &[1, 2, 2, 1], 7).expect("flat");
        let error = flat.finish(MeshFormat::Medit).expect_err("nothing left");
        assert_eq!(error.code(), "NoTriangles");
    }
}
