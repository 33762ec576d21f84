//! The surfaces of many bodies, of which some are cut, as one.
//!
//! It is laid out as the cut surface of a lone body: first the vertices of all skins, in the order of the merged skin, then those that cuts have added to any body, at last the sharp ones of all. Those
//! inside of the bodies that tools touch are one range again.

use std::array;
use std::sync::Arc;

use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};

/// Runs of vertices of a cut surface: of the skin, before those inside that tools touch, these, behind them, and sharp ones.
const RUN_COUNT: usize = 5;
/// The run of vertices inside that tools touch.
const TOUCHED_RUN: usize = 2;

/// A body at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RestingBody<'a> {
    /// where it was baked
    pub skin: &'a SurfaceMesh,
    /// its place among the others
    pub home: &'a Pose,
    /// its present cut surface, if it is cut
    pub cut: Option<&'a CutSurface>,
}

/// Where the vertices of a body are among those of all.
#[derive(Debug, Clone, Copy)]
struct Runs {
    /// first vertex of each run, and the number of vertices
    bounds: [usize; RUN_COUNT + 1],
    /// first vertex of each run among those of all bodies
    firsts: [usize; RUN_COUNT],
}

impl Runs {
    fn new(body: &RestingBody<'_>) -> Self {
        let skin = body.skin.vertex_count();
        let mut bounds = [skin; RUN_COUNT + 1];
        bounds[0] = 0;
        if let Some(cut) = body.cut {
            // a range without vertices may be anywhere
            let from = cut.inside.start.max(skin);
            let to = cut.inside.end.max(from);
            let all = cut.surface.vertex_count();
            bounds[TOUCHED_RUN..].copy_from_slice(&[from, to, cut.closed_vertices(), all]);
        }
        let firsts = [0; RUN_COUNT];
        Self { bounds, firsts }
    }

    /// The number of vertex `v` of this body among those of all bodies.
    fn number(&self, v: u32) -> u32 {
        let v = v as usize;
        let run = self.bounds[1..RUN_COUNT].partition_point(|bound| *bound <= v);
        (self.firsts[run] + v - self.bounds[run]) as u32
    }

    /// Copies values of the vertices of this body to their places among those of all bodies.
    fn copy<T: Copy>(&self, from: &[T], to: &mut [T]) {
        for (ends, &first) in self.bounds.windows(2).zip(&self.firsts) {
            let run = &from[ends[0]..ends[1]];
            to[first..first + run.len()].copy_from_slice(run);
        }
    }
}

/// The surface of all bodies, until another cut changes it.
#[derive(Debug, Default)]
pub(crate) struct MergedCut {
    /// the cut surface of each body from which it was made; `None` for a whole one
    sources: Vec<Option<Arc<SurfaceMesh>>>,
    runs: Vec<Runs>,
    undeformed: CutSurface,
}

impl MergedCut {
    /// Makes the surface of these bodies, whose merged skin is `whole`, unless it is up to date. Cost: a pass over all vertices and triangles.
    pub fn update<'a>(
        &mut self,
        whole: &SurfaceMesh,
        bodies: impl Iterator<Item = RestingBody<'a>> + Clone,
    ) {
        if self.is_up_to_date(bodies.clone()) {
            return;
        }
        let sources = bodies.clone().map(|body| body.cut);
        let sources = sources.map(|cut| cut.map(|cut| Arc::clone(&cut.surface)));
        self.sources = sources.collect();
        let mut runs: Vec<Runs> = bodies.clone().map(|body| Runs::new(&body)).collect();
        let mut count = 0;
        let bounds: [usize; RUN_COUNT] = array::from_fn(|run| {
            let first = count;
            for body in &mut runs {
                body.firsts[run] = count;
                count += body.bounds[run + 1] - body.bounds[run];
            }
            first
        });
        let skins = whole.vertex_count();
        let mut positions = whole.positions.clone();
        positions.resize(count, Vec3::zeros());
        let mut copied = vec![CutSurface::CAP; count - skins];
        let mut sharp = Vec::new();
        // triangles of skins come first, as those of a lone body do
        let (mut triangles, mut added) = (Vec::new(), Vec::new());
        for (body, runs) in bodies.zip(&runs) {
            let surface = body.cut.map_or(body.skin, |cut| &*cut.surface);
            let of_skin = body.skin.triangles.len().min(surface.triangles.len());
            let (own, others) = surface.triangles.split_at(of_skin);
            let moved = |t: &[u32; 3]| t.map(|v| runs.number(v));
            triangles.extend(own.iter().map(moved));
            added.extend(others.iter().map(moved));
            let Some(cut) = body.cut else {
                continue;
            };
            for (v, x) in (0..).zip(&cut.surface.positions) {
                positions[runs.number(v) as usize] = body.home.to_world(x);
            }
            for (v, &shows) in (body.skin.vertex_count() as u32..).zip(cut.copied.iter()) {
                if shows != CutSurface::CAP {
                    copied[runs.number(v) as usize - skins] = runs.number(shows);
                }
            }
            sharp.extend(cut.sharp.iter().map(|v| runs.number(*v)));
        }
        triangles.extend(added);
        let surface = SurfaceMesh {
            positions,
            triangles,
            groups: whole.groups.clone(),
        };
        self.undeformed = CutSurface {
            surface: Arc::new(surface),
            copied: Arc::new(copied),
            sharp: Arc::new(sharp),
            inside: bounds[TOUCHED_RUN]..bounds[TOUCHED_RUN + 1],
            frame: SurfaceFrame::default(),
        };
        self.runs = runs;
    }

    /// Whether it was made from the present cuts of these bodies.
    fn is_up_to_date<'a>(&self, mut bodies: impl Iterator<Item = RestingBody<'a>>) -> bool {
        let mut sources = self.sources.iter();
        bodies.all(|body| match (sources.next(), body.cut) {
            (Some(Some(last)), Some(cut)) => Arc::ptr_eq(last, &cut.surface),
            (Some(None), None) => true,
            _ => false,
        })
    }

    /// Adds the surface of all bodies to a frame of the merged skin; `cuts` are their present cut surfaces.
    pub fn write<'a>(
        &self,
        cuts: impl Iterator<Item = Option<&'a CutSurface>>,
        out: &mut SurfaceFrame,
    ) {
        let merged = CutSurface::update(&mut out.cut, &self.undeformed);
        let frame = &mut merged.frame;
        frame.positions.clone_from(&out.positions);
        frame.normals.clone_from(&out.normals);
        frame.room_for(self.undeformed.surface.vertex_count());
        for (runs, cut) in self.runs.iter().zip(cuts) {
            let Some(cut) = cut else {
                continue;
            };
            runs.copy(&cut.frame.positions, &mut frame.positions);
            runs.copy(&cut.frame.normals, &mut frame.normals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAP: u32 = CutSurface::CAP;

    /// A triangle.
    fn skin() -> SurfaceMesh {
        let positions = (0..3).map(|v| Vec3::y() * f64::from(v)).collect();
        SurfaceMesh::new(positions, vec![[0, 1, 2]])
    }

    /// It with one vertex more of each run: a copy, what tools touch, another copy, and a sharp one of the second.
    fn cut() -> CutSurface {
        let positions = (0..7).map(|v| Vec3::y() * f64::from(v)).collect();
        let surface = SurfaceMesh::new(positions, vec![[0, 1, 3], [3, 4, 5], [6, 5, 0]]);
        CutSurface {
            frame: SurfaceFrame::at_rest(&surface),
            surface: Arc::new(surface),
            copied: Arc::new(vec![1, CAP, 2, CAP]),
            sharp: Arc::new(vec![4]),
            inside: 4..5,
        }
    }

    #[test]
    fn vertices_of_the_same_run_are_contiguous() {
        let (skin, cuts) = (skin(), [cut(), cut()]);
        let homes = [0.0, 10.0, 20.0].map(|x| Pose::at(Vec3::x() * x));
        let whole = crate::merged_skin(homes.iter().map(|home| (&skin, home)));
        let of = [Some(&cuts[0]), None, Some(&cuts[1])];
        let bodies = homes.iter().zip(of).map(|(home, cut)| RestingBody {
            skin: &skin,
            home,
            cut,
        });
        let mut merged = MergedCut::default();
        merged.update(&whole, bodies.clone());
        let mut out = SurfaceFrame::at_rest(&whole);
        merged.write(of.into_iter(), &mut out);
        let found = out.cut.as_ref().expect("a cut");
        assert_eq!(
            found.surface.triangles,
            [
                [0, 1, 9],
                [3, 4, 5],
                [6, 7, 10],
                [9, 11, 13],
                [15, 13, 0],
                [10, 12, 14],
                [16, 14, 6]
            ]
        );
        assert_eq!(*found.copied, [1, 7, CAP, CAP, 2, 8, CAP, CAP]);
        assert_eq!(*found.sharp, [11, 12]);
        assert_eq!(found.inside, 11..13);
        assert_eq!(
            (found.closed_vertices(), found.skin_vertex(14)),
            (15, Some(8))
        );
        let place = |v: usize| found.surface.positions[v];
        assert_eq!(place(12), Vec3::new(20.0, 4.0, 0.0));
        assert_eq!(place(4), Vec3::new(10.0, 1.0, 0.0));
        // frames are not moved
        let heights = found.frame.positions.iter().map(|x| x[1]);
        let expected = [0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6].map(|y| y as f32);
        assert_eq!(heights.collect::<Vec<f32>>(), expected);
        // the same cuts give the same surface; another one a new one
        let before = Arc::clone(&found.surface);
        merged.update(&whole, bodies.clone());
        assert!(Arc::ptr_eq(&before, &merged.undeformed.surface));
        merged.update(&whole, bodies.map(|body| RestingBody { cut: None, ..body }));
        let cut = &merged.undeformed;
        assert_eq!(*cut.surface, whole);
        assert!(cut.copied.is_empty() && cut.inside.is_empty());
    }
}
