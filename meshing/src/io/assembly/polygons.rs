//! What all readers fill: vertices and triangles, polygons cut, with the place of whatever turns out to be wrong.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::polygon::{Cut, MAX_CLIPPED_CORNERS, triangulate};
use crate::io::error::{Place, ReadError};
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

/// Vertices and polygons as they stand in a file: 24 bytes a vertex and 12 a triangle, whatever the format.
#[derive(Debug)]
pub(crate) struct Polygons {
    positions: Vec<Vec3>,
    /// polygons of four corners or more are kept as fans until all vertices are known
    triangles: Vec<[u32; 3]>,
    large: Vec<LargePolygon>,
    /// corners of the polygon that is being read
    current: Vec<u32>,
    /// vertex numbers that were used before their vertex was read, each larger than those before it, with its line or byte
    forward_references: Vec<(u32, u32)>,
    in_lines: bool,
    /// number that the file gives to its first vertex
    pub first_index: u32,
    keep_non_finite: bool,
    /// faces of fewer than three corners
    short_faces: usize,
    /// remarks for the user
    pub notes: Vec<String>,
}

/// A polygon of four corners or more.
#[derive(Debug, Clone, Copy)]
struct LargePolygon {
    first_triangle: u32,
    corners: u32,
    at: u32,
}

impl Polygons {
    /// Starts empty; `first_index` is the number that the format gives to its first vertex.
    pub fn new(in_lines: bool, first_index: u32, options: &ReadOptions) -> Self {
        Self {
            positions: Vec::new(),
            triangles: Vec::new(),
            large: Vec::new(),
            current: Vec::new(),
            forward_references: Vec::new(),
            in_lines,
            first_index,
            keep_non_finite: options.keep_non_finite,
            short_faces: 0,
            notes: Vec::new(),
        }
    }

    /// Reserves memory; callers bound the numbers by the length of the file.
    pub fn reserve(&mut self, vertices: usize, triangles: usize) {
        self.positions.reserve_exact(vertices);
        self.triangles.reserve_exact(triangles);
    }

    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Takes all vertices out.
    pub fn take_positions(&mut self) -> Vec<Vec3> {
        std::mem::take(&mut self.positions)
    }

    /// Polygons of three corners and more.
    pub fn polygon_count(&self) -> usize {
        let more = self.large.iter().map(|l| l.corners as usize - 3);
        self.triangles.len() - more.sum::<usize>()
    }

    /// Removes all polygons.
    pub fn drop_polygons(&mut self) {
        self.triangles = Vec::new();
        self.large = Vec::new();
    }

    /// A place as line or byte, whichever this format uses.
    pub fn place(&self, at: u32) -> Place {
        if self.in_lines {
            Place::Line(at as usize)
        } else {
            Place::Byte(at as usize)
        }
    }

    /// Adds a vertex that stands at line or byte `at`.
    pub fn vertex(&mut self, position: Vec3, at: usize) -> Result<(), ReadError> {
        if !self.keep_non_finite && !position.iter().all(|x| x.is_finite()) {
            return Err(ReadError::NonFinite {
                place: self.place(at as u32),
                index: self.positions.len(),
            });
        }
        self.positions.push(position);
        Ok(())
    }

    /// Adds a corner to the current polygon; `index` counts from 0 and may name a vertex that comes later in the file.
    pub fn corner(&mut self, index: i64, at: usize) -> Result<(), ReadError> {
        let Ok(index) = u32::try_from(index) else {
            return Err(self.out_of_range(index, at as u32));
        };
        self.current.push(index);
        Ok(())
    }

    /// Ends the current polygon, which stands at line or byte `at`.
    pub fn end_polygon(&mut self, at: usize) {
        let mut current = std::mem::take(&mut self.current);
        self.polygon(&current, at);
        current.clear();
        self.current = current;
    }

    /// Adds a whole polygon.
    pub fn polygon(&mut self, corners: &[u32], at: usize) {
        match *corners {
            [a, b, c] => self.triangle([a, b, c], at),
            [a, ref rest @ ..] if rest.len() >= 3 => {
                self.large.push(LargePolygon {
                    first_triangle: self.triangles.len() as u32,
                    corners: corners.len() as u32,
                    at: at as u32,
                });
                let fan = rest.windows(2).map(|pair| [a, pair[0], pair[1]]);
                self.triangles.extend(fan);
                self.note_references(corners, at);
            }
            _ => self.short_faces += 1,
        }
    }

    /// Adds a whole triangle.
    pub fn triangle(&mut self, corners: [u32; 3], at: usize) {
        self.note_references(&corners, at);
        self.triangles.push(corners);
    }

    /// Records numbers of vertices that have not been read yet, for [`Self::check_references`].
    pub fn note_references(&mut self, indices: &[u32], at: usize) {
        for &v in indices {
            if v as usize >= self.positions.len()
                && self.forward_references.last().is_none_or(|l| v > l.0)
            {
                self.forward_references.push((v, at as u32));
            }
        }
    }

    /// The error for the first number of the file that names no vertex; call it when all vertices are read.
    pub fn check_references(&self) -> Result<(), ReadError> {
        let count = self.positions.len();
        let bad = self
            .forward_references
            .partition_point(|&(v, _)| (v as usize) < count);
        match self.forward_references.get(bad) {
            Some(&(v, at)) => Err(self.out_of_range(i64::from(v), at)),
            None => Ok(()),
        }
    }

    /// `index` counts from 0, `at` is the line or byte of its face.
    pub fn out_of_range(&self, index: i64, at: u32) -> ReadError {
        ReadError::IndexOutOfRange {
            place: self.place(at),
            index: index.saturating_add(i64::from(self.first_index)),
            vertices: self.positions.len(),
        }
    }

    /// Checks every index and cuts every polygon into triangles. `other_content` describes what else the file holds, for the message.
    pub fn finish(
        mut self,
        format: MeshFormat,
        other_content: &str,
    ) -> Result<MeshFile, ReadError> {
        let count = self.positions.len();
        if self.triangles.is_empty() {
            let mut found = format!("{count} points");
            if self.short_faces > 0 {
                found += &format!(" and {} faces of two corners or one", self.short_faces);
            }
            if !other_content.is_empty() {
                found += &format!(" and {other_content}");
            }
            return Err(ReadError::NoTriangles { found });
        }
        self.check_references()?;
        self.triangulate_large()?;
        if self.short_faces > 0 {
            self.notes.push(format!(
                "{} faces of fewer than three corners were skipped",
                self.short_faces
            ));
        }
        Ok(MeshFile {
            surface: SurfaceMesh::new(self.positions, self.triangles),
            tets: None,
            format,
            notes: self.notes,
        })
    }

    /// Replaces the fans of polygons that are not convex.
    fn triangulate_large(&mut self) -> Result<(), ReadError> {
        let large = std::mem::take(&mut self.large);
        for &LargePolygon {
            first_triangle,
            corners,
            at,
        } in &large
        {
            let first = first_triangle as usize;
            let end = first + corners as usize - 2;
            let place = self.place(at);
            let fan = self.triangles.get_mut(first..end).unwrap_or_default();
            // corner k of a fan: the middle ones stand second in their triangles
            let corner = |fan: &[[u32; 3]], k: usize| match k {
                0 => fan[0][0],
                k if k <= fan.len() => fan[k - 1][1],
                _ => fan[fan.len() - 1][2],
            };
            let positions = &self.positions;
            let at_corner = |k: usize| positions[corner(fan, k) as usize];
            match triangulate(corners as usize, at_corner) {
                Cut::Fan => {}
                Cut::Ears(ears) => {
                    let outline: Vec<u32> = (0..corners as usize).map(|k| corner(fan, k)).collect();
                    for (slot, ear) in fan.iter_mut().zip(ears) {
                        *slot = ear.map(|k| outline[k]);
                    }
                }
                Cut::TooLong => {
                    let what = format!(
                        "a polygon of {corners} corners that is not convex (at most {MAX_CLIPPED_CORNERS})"
                    );
                    return Err(ReadError::syntax(place, what));
                }
            }
        }
        if !large.is_empty() {
            let were_cut = match large.len() {
                1 => "1 polygon was cut".to_string(),
                count => format!("{count} polygons were cut"),
            };
            self.notes.push(format!("{were_cut} into triangles"));
        }
        Ok(())
    }
}
