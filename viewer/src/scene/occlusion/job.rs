//! Ambient occlusion in the background.

use std::sync::Arc;
use std::task::Poll;

use pliant_core::mesh::SurfaceMesh;
use pliant_render::surface::CreasedSurface;
use pliant_simulation::threads::{Background, modest_priority};

use super::bake::OcclusionBake;
use super::shares::SkinOcclusion;

/// Most triangles of a skin that gets ambient occlusion.
const MAX_TRIANGLES: usize = 500_000;
/// Vertices between two checks whether the job was cancelled.
const VERTICES_PER_CHECK: usize = 256;
/// Vertices in a frame of the window where there are no threads.
const VERTICES_PER_FRAME: usize = 64;

/// Ambient occlusion that is being computed: on a thread below the priority of the panes, or a slice in each frame of the window
/// where there are no threads. Dropping it cancels it.
#[derive(Debug)]
pub struct OcclusionJob {
    work: Work,
}

#[derive(Debug)]
enum Work {
    Thread(Background<SkinOcclusion>),
    Slices(Box<OcclusionBake>),
    /// a skin that has too many triangles
    Nothing,
}

impl OcclusionJob {
    /// Starts with the skin `surface` at rest, which is drawn as `creased`.
    pub fn start(surface: &Arc<SurfaceMesh>, creased: &CreasedSurface) -> Self {
        let work = if surface.triangles.len() > MAX_TRIANGLES {
            Work::Nothing
        } else if cfg!(target_family = "wasm") {
            Work::Slices(Box::new(OcclusionBake::new(surface, creased)))
        } else {
            Work::Thread(on_thread(Arc::clone(surface), creased.clone()))
        };
        Self { work }
    }

    /// The result, once it is available. Without threads, each call computes a slice. If no thread can be started,
    /// nothing is occluded.
    pub fn poll(&mut self) -> Option<SkinOcclusion> {
        match &mut self.work {
            Work::Thread(result) => match result.poll() {
                Poll::Ready(found) => Some(found.unwrap_or_default()),
                Poll::Pending => None,
            },
            Work::Slices(bake) => (!bake.advance(VERTICES_PER_FRAME)).then(|| bake.finish()),
            Work::Nothing => Some(SkinOcclusion::default()),
        }
    }
}

fn on_thread(surface: Arc<SurfaceMesh>, creased: CreasedSurface) -> Background<SkinOcclusion> {
    Background::start("occlusion", move |progress, results| {
        modest_priority();
        let mut bake = OcclusionBake::new(&surface, &creased);
        while bake.advance(VERTICES_PER_CHECK) {
            if progress.is_cancelled() {
                return;
            }
        }
        // fails if another scene was opened
        let _ = results.send(bake.finish());
    })
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_render::surface::SHARP_ANGLE;

    use super::*;

    #[test]
    fn a_thread_and_slices_give_the_same() {
        let mut surface = box_surface(Vec3::repeat(0.2), [5; 3], CellStyle::Kuhn);
        // turned inside out, so that it hides light from itself
        surface.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        let creased = CreasedSurface::new(&surface, SHARP_ANGLE);
        let mut slices = OcclusionJob {
            work: Work::Slices(Box::new(OcclusionBake::new(&surface, &creased))),
        };
        let mut thread = OcclusionJob::start(&Arc::new(surface), &creased);
        let end = |job: &mut OcclusionJob| {
            loop {
                if let Some(occlusion) = job.poll() {
                    return occlusion;
                }
                std::thread::yield_now();
            }
        };
        let [one, other] = [end(&mut slices), end(&mut thread)];
        assert_eq!(one, other);
        assert_ne!(one, SkinOcclusion::default());
    }
}
