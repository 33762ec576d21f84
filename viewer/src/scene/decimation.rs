//! Decimated triangles over the vertices of the full skin, for moving pictures where the processor draws.
//!
//! Positions and normals are those of the full skin, so that a deformed body needs no second skin.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::Poll;

use nalgebra::Vector3;
use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_meshing::decimate::{DecimateTarget, decimate_to_vertices};
use pliant_render::surface::CreasedSurface;
use pliant_simulation::threads::{Background, modest_priority};

/// Fewest triangles of a decimated skin. On a third of a wide window they are smaller than ten pixels.
const MIN_TRIANGLES: usize = 6_000;
/// Largest ratio of the triangles before and after, so that many small bodies keep their shapes.
const MAX_REDUCTION: usize = 8;
/// Smallest ratio for which a skin is decimated.
const MIN_REDUCTION: f64 = 1.3;

/// Decimation on a thread below the priority of the panes. Dropping it cancels it.
#[derive(Debug)]
pub(crate) struct DecimationJob(Background<Vec<[u32; 3]>>);

impl DecimationJob {
    /// Starts the decimation of `skin` at rest, which is drawn as `drawn`; `None` where it has few triangles, and in a browser, which has no threads.
    pub(crate) fn start(skin: &Arc<SurfaceMesh>, drawn: &CreasedSurface) -> Option<Self> {
        let goal = goal_of(drawn.triangles.len())?;
        if cfg!(target_family = "wasm") {
            return None;
        }
        let (skin, drawn) = (Arc::clone(skin), drawn.clone());
        let job = Background::start("fewer triangles", move |progress, results| {
            modest_priority();
            if let Some(triangles) = decimate(&drawn, &skin, goal, progress) {
                // fails if another scene was opened
                let _ = results.send(triangles);
            }
        });
        Some(Self(job))
    }

    /// The triangles, once they are available.
    pub(crate) fn poll(&self) -> Option<Vec<[u32; 3]>> {
        match self.0.poll() {
            Poll::Ready(found) => found,
            Poll::Pending => None,
        }
    }
}

/// Number of triangles to which `count` are decimated; `None` where they stay.
fn goal_of(count: usize) -> Option<usize> {
    let goal = MIN_TRIANGLES.max(count / MAX_REDUCTION);
    (count as f64 > MIN_REDUCTION * goal as f64).then_some(goal)
}

/// About `goal` triples of vertices of `drawn`, which was made from `skin`; `None` where it cannot be decimated.
fn decimate(
    drawn: &CreasedSurface,
    skin: &SurfaceMesh,
    goal: usize,
    progress: &Progress,
) -> Option<Vec<[u32; 3]>> {
    let kept = decimate_to_vertices(skin, DecimateTarget::Triangles(goal), progress).ok()?;
    // at a sharp edge a vertex is drawn several times, with a normal for each side
    let mut copies: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (v, &source) in drawn.source.iter().enumerate() {
        copies.entry(source).or_default().push(v as u32);
    }
    let rest = SurfaceFrame::at_rest(skin).positions;
    let normals = drawn.normals(&drawn.positions(&rest));
    let triangles = kept.into_iter().filter_map(|triangle| {
        let [a, b, c] = triangle.map(|v| Vector3::from(rest[v as usize]));
        let outward = (b - a).cross(&(c - a));
        let along = |v: &u32| Vector3::from(normals[*v as usize]).dot(&outward);
        let drawn_as = |v: u32| {
            let copies = copies.get(&v)?.iter().copied();
            copies.max_by(|v, w| along(v).total_cmp(&along(w)))
        };
        let [a, b, c] = triangle.map(drawn_as);
        Some([a?, b?, c?])
    });
    Some(triangles.collect())
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_render::surface::SHARP_ANGLE;

    use super::*;

    #[test]
    fn faces_of_a_box_keep_their_places_and_normals() {
        let skin = box_surface(Vec3::repeat(1.0), [60, 60, 60], CellStyle::Kuhn);
        let drawn = CreasedSurface::new(&skin, SHARP_ANGLE);
        let goal = goal_of(drawn.triangles.len()).expect("it has 43,200 triangles");
        let decimated = decimate(&drawn, &skin, goal, &Progress::new()).expect("a box");
        assert_eq!(decimated.len(), goal);
        let places = drawn.positions(&SurfaceFrame::at_rest(&skin).positions);
        let normals = drawn.normals(&places);
        let mut volume = 0.0;
        for t in &decimated {
            let [a, b, c] = t.map(|v| Vector3::from(places[v as usize]));
            let outward = (b - a).cross(&(c - a));
            volume += a.dot(&outward) / 6.0;
            for &v in t {
                let cosine = Vector3::from(normals[v as usize]).dot(&outward.normalize());
                assert!(cosine > 0.999, "{cosine}");
            }
        }
        assert!((volume - 1.0).abs() < 1e-3, "{volume}");
    }

    #[test]
    fn a_coarse_skin_is_drawn_as_it_is_and_a_fine_one_in_the_background() {
        assert_eq!(goal_of(7_000), None);
        assert_eq!(goal_of(80_000), Some(10_000));
        let skin = box_surface(Vec3::repeat(1.0), [30; 3], CellStyle::Kuhn);
        let skin = Arc::new(skin);
        let drawn = CreasedSurface::new(&skin, SHARP_ANGLE);
        let job = DecimationJob::start(&skin, &drawn).expect("it has 10,800 triangles");
        let result = loop {
            if let Some(result) = job.poll() {
                break result;
            }
            std::thread::yield_now();
        };
        assert_eq!(result.len(), MIN_TRIANGLES);
    }
}
