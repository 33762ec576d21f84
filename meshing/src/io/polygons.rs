//! What all readers fill: vertices and polygons with the place where each stands.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::error::{Place, ReadError};
use super::polygon::{LONGEST_CLIPPED, triangulate};
use super::{MeshFile, MeshFormat, ReadOptions};

/// Vertices and polygons as they stand in a file.
#[derive(Debug)]
pub(super) struct Polygons {
    positions: Vec<Vec3>,
    corners: Vec<u32>,
    /// end of each polygon in `corners`
    ends: Vec<u32>,
    /// line or byte of each polygon
    places: Vec<u32>,
    in_lines: bool,
    /// number that the file gives to its first vertex
    pub first_index: u32,
    keep_non_finite: bool,
    /// faces of fewer than three corners
    short_faces: usize,
    /// remarks for the user
    pub notes: Vec<String>,
}

impl Polygons {
    /// Starts empty; `first_index` is the number that the format gives to its first vertex.
    pub fn new(in_lines: bool, first_index: u32, options: &ReadOptions) -> Self {
        Self {
            positions: Vec::new(),
            corners: Vec::new(),
            ends: Vec::new(),
            places: Vec::new(),
            in_lines,
            first_index,
            keep_non_finite: options.keep_non_finite,
            short_faces: 0,
            notes: Vec::new(),
        }
    }

    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Polygons of three corners and more.
    pub fn polygon_count(&self) -> usize {
        self.ends.len()
    }

    /// A place in the kind that this format uses.
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

    /// Adds a corner of the polygon under way; `index` counts from 0 and may name a vertex that comes later in the file.
    pub fn corner(&mut self, index: i64, at: usize) -> Result<(), ReadError> {
        let Ok(index) = u32::try_from(index) else {
            return Err(self.out_of_range(index, at as u32));
        };
        self.corners.push(index);
        Ok(())
    }

    /// Ends the polygon under way, which stands at line or byte `at`.
    pub fn end_polygon(&mut self, at: usize) {
        let start = self.ends.last().map_or(0, |&e| e as usize);
        if self.corners.len() < start + 3 {
            self.corners.truncate(start);
            self.short_faces += 1;
            return;
        }
        self.ends.push(self.corners.len() as u32);
        self.places.push(at as u32);
    }

    /// `index` counts from 0, `at` is the line or byte of its face.
    pub fn out_of_range(&self, index: i64, at: u32) -> ReadError {
        ReadError::IndexOutOfRange {
            place: self.place(at),
            index: index.saturating_add(i64::from(self.first_index)),
            vertices: self.positions.len(),
        }
    }

    /// Checks every index and cuts every polygon into triangles. `instead` says what else the file holds, for the message.
    pub fn finish(mut self, format: MeshFormat, instead: &str) -> Result<MeshFile, ReadError> {
        let count = self.positions.len();
        if self.ends.is_empty() {
            let mut found = format!("{count} points");
            if self.short_faces > 0 {
                found += &format!(" and {} faces of two corners or one", self.short_faces);
            }
            if !instead.is_empty() {
                found += &format!(" and {instead}");
            }
            return Err(ReadError::NoTriangles { found });
        }
        let mut triangles = Vec::with_capacity(self.ends.len());
        let mut scratch = Vec::new();
        let mut start = 0;
        let mut cut = 0_usize;
        for (&end, &at) in self.ends.iter().zip(&self.places) {
            let polygon = &self.corners[start..end as usize];
            start = end as usize;
            if let Some(&bad) = polygon.iter().find(|&&v| v as usize >= count) {
                return Err(self.out_of_range(i64::from(bad), at));
            }
            if let &[a, b, c] = polygon {
                triangles.push([a, b, c]);
                continue;
            }
            cut += 1;
            scratch.clear();
            scratch.extend(polygon.iter().map(|&v| self.positions[v as usize]));
            let Some(pieces) = triangulate(&scratch) else {
                let what = format!(
                    "a polygon of {} corners that is not convex (at most {LONGEST_CLIPPED})",
                    polygon.len()
                );
                return Err(ReadError::syntax(self.place(at), what));
            };
            triangles.extend(pieces.iter().map(|t| t.map(|i| polygon[i])));
        }
        if cut > 0 {
            self.notes
                .push(format!("{cut} polygons were cut into triangles"));
        }
        if self.short_faces > 0 {
            self.notes.push(format!(
                "{} faces of fewer than three corners were skipped",
                self.short_faces
            ));
        }
        Ok(MeshFile {
            surface: SurfaceMesh::new(self.positions, triangles),
            tets: None,
            format,
            notes: self.notes,
        })
    }
}
