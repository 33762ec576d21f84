//! Ambient occlusion in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use pliant_core::mesh::SurfaceMesh;
use pliant_render::surface::CreasedSurface;
use pliant_simulation::compare::priority::modest_priority;

use super::bake::OcclusionBake;
use super::shares::SkinOcclusion;

/// Most triangles of a skin that gets ambient occlusion.
const MOST_TRIANGLES: usize = 500_000;
/// Vertices between two looks whether anybody still waits.
const PIECE: usize = 256;
/// Vertices in a frame of the window where there are no threads.
const SLICE: usize = 64;

/// Ambient occlusion that is being computed: on a thread below the priority of the panes, or a slice in each frame of the window
/// where there are no threads. Dropping it cancels it.
#[derive(Debug)]
pub struct OcclusionJob {
    work: Work,
    cancelled: Arc<AtomicBool>,
}

#[derive(Debug)]
enum Work {
    Thread(Receiver<SkinOcclusion>),
    Slices(Box<OcclusionBake>),
    /// a skin that has too many triangles
    Nothing,
}

impl OcclusionJob {
    /// Begins with the skin `surface` at rest, which is drawn as `creased`.
    pub fn start(surface: Arc<SurfaceMesh>, creased: CreasedSurface) -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let work = if surface.triangles.len() > MOST_TRIANGLES {
            Work::Nothing
        } else if cfg!(target_family = "wasm") {
            Work::Slices(Box::new(OcclusionBake::new(&surface, &creased)))
        } else {
            Work::Thread(on_thread(surface, creased, Arc::clone(&cancelled)))
        };
        Self { work, cancelled }
    }

    /// The result, once it is there. Where there are no threads it is what the call goes on with. If no thread can be had,
    /// everything is open.
    pub fn poll(&mut self) -> Option<SkinOcclusion> {
        match &mut self.work {
            Work::Thread(result) => match result.try_recv() {
                Ok(occlusion) => Some(occlusion),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => Some(SkinOcclusion::default()),
            },
            Work::Slices(bake) => (!bake.advance(SLICE)).then(|| bake.finish()),
            Work::Nothing => Some(SkinOcclusion::default()),
        }
    }
}

impl Drop for OcclusionJob {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

fn on_thread(
    surface: Arc<SurfaceMesh>,
    creased: CreasedSurface,
    cancelled: Arc<AtomicBool>,
) -> Receiver<SkinOcclusion> {
    let (sender, receiver) = channel();
    let bake = move || {
        modest_priority();
        let mut bake = OcclusionBake::new(&surface, &creased);
        while bake.advance(PIECE) {
            if cancelled.load(Ordering::Relaxed) {
                return;
            }
        }
        // nobody waits any more: another scene was opened
        let _ = sender.send(bake.finish());
    };
    // without a thread the sender is gone, which the receiver sees
    let _ = std::thread::Builder::new()
        .name("occlusion".into())
        .spawn(bake);
    receiver
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
            cancelled: Arc::default(),
        };
        let mut thread = OcclusionJob::start(Arc::new(surface), creased);
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
