//! The open surface that a method gives, the seam that it gets, and the closed surface of both.

use std::ops::Range;
use std::sync::Arc;

use crate::math::Vec3;
use crate::mesh::surface_frame::CutSurface;
use crate::mesh::{SurfaceFrame, SurfaceMesh};

/// A surface that is open along cuts.
#[derive(Debug)]
pub struct OpenSurface<'a> {
    /// Positions of the vertices at rest, m.
    pub positions: &'a [Vec3],
    /// For each vertex a direction into the side of the body that it belongs to, of any length; zero where it belongs to both, or where the side is not known.
    pub inward: &'a [Vec3],
    /// For each vertex the number of its piece of the body; empty for one piece. No seam joins two pieces.
    pub pieces: &'a [u32],
    /// Triangles of the skin, including those of parts; their vertices may be replaced by copies.
    pub skin: &'a mut [[u32; 3]],
    /// For each of the first vertices whether a triangle around it has changed; all further vertices count as changed. Triangles without a changed vertex have no open edges.
    pub touched: &'a [bool],
    /// Triangles of caps.
    pub caps: Vec<[u32; 3]>,
}

/// The triangles and vertices that close a surface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seam {
    /// For each added vertex the given vertex that it copies.
    pub copies: Vec<u32>,
    /// For each sharp vertex, which follow these, the vertex that it duplicates: skin and caps have normals and colours of their own where they meet.
    pub sharp: Vec<u32>,
    /// Triangles of caps and seams, with sharp vertices.
    pub triangles: Vec<[u32; 3]>,
}

impl Seam {
    /// The closed surface: the vertices and triangles of the seam after those of the surface that was `open`. `copied` has for each of its vertices after those of the skin the skin vertex that it copies, or
    /// [`CutSurface::CAP`]; `inside` are those that tools touch.
    pub fn closed_surface(
        &self,
        mut open: SurfaceMesh,
        mut copied: Vec<u32>,
        inside: Range<usize>,
    ) -> CutSurface {
        let skin = open.positions.len() - copied.len();
        for &v in &self.copies {
            let original = (v as usize).checked_sub(skin).map_or(v, |k| copied[k]);
            copied.push(original);
        }
        copied.resize(copied.len() + self.sharp.len(), CutSurface::CAP);
        for &v in self.copies.iter().chain(&self.sharp) {
            open.positions.push(open.positions[v as usize]);
        }
        open.triangles.extend(&self.triangles);
        CutSurface {
            surface: Arc::new(open),
            copied: Arc::new(copied),
            sharp: Arc::new(self.sharp.clone()),
            inside,
            frame: SurfaceFrame::default(),
        }
    }
}
