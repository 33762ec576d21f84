//! An animation that is written on its own thread while it is recorded: an animated GIF, or a folder of pictures.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use gif::{Encoder, Frame, Repeat};

use super::palette::Palette;
use super::png_sequence;
use super::shot::Shot;
use crate::state::{AnimationFormat, new_file};

/// Most shots that wait to be written. Each has several megabytes.
const MAX_QUEUED_SHOTS: usize = 6;
/// Widest GIF, pixels; wider shots are halved, and so on.
const MAX_WIDTH: usize = 1600;
/// Duration of the last frame, s.
const LAST_FRAME_DURATION: f64 = 0.05;

/// An animation that is being written.
pub struct Animation {
    shots: Option<Sender<Shot>>,
    queued: Arc<AtomicUsize>,
    thread: Option<JoinHandle<Result<PathBuf, String>>>,
}

/// A reserved place in the queue to the writing thread.
pub struct ShotSender {
    shots: Sender<Shot>,
    queued: Arc<AtomicUsize>,
    is_used: bool,
}

impl ShotSender {
    /// Sends a shot. An empty or late one is dropped.
    pub fn send(mut self, shot: Shot) {
        // a thread that has ended returns its error at the end
        self.is_used = !shot.rgb.is_empty() && self.shots.send(shot).is_ok();
    }
}

impl Drop for ShotSender {
    /// Frees a place that was not used.
    fn drop(&mut self) {
        if !self.is_used {
            self.queued.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Animation {
    /// Starts an animation in a new file or folder in `folder`, named after the scene. It is created with the first shot.
    pub fn start(folder: PathBuf, scene: String, format: AnimationFormat) -> Self {
        let (shots, inbox) = channel::<Shot>();
        let queued = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&queued);
        let thread = std::thread::Builder::new()
            .name("animation".into())
            .spawn(move || {
                let shots = inbox.iter().inspect(|_| {
                    counter.fetch_sub(1, Ordering::Relaxed);
                });
                match format {
                    AnimationFormat::Gif => write_gif(shots, &folder, &scene),
                    AnimationFormat::PngSequence => png_sequence::write(shots, &folder, &scene),
                }
            });
        Self {
            shots: Some(shots),
            queued,
            thread: thread.ok(),
        }
    }

    /// Reserves a place in the queue for the next shot; `None` while it is full.
    pub fn reserve(&self) -> Option<ShotSender> {
        let shots = self.shots.clone()?;
        if self.queued.load(Ordering::Relaxed) >= MAX_QUEUED_SHOTS {
            return None;
        }
        self.queued.fetch_add(1, Ordering::Relaxed);
        let queued = Arc::clone(&self.queued);
        Some(ShotSender {
            shots,
            queued,
            is_used: false,
        })
    }

    /// Ends the recording.
    pub fn end(&mut self) {
        self.shots = None;
    }

    /// The file or folder once it is complete, or the error; `None` before.
    pub fn result(&mut self) -> Option<Result<PathBuf, String>> {
        let is_done = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        is_done.then(|| self.wait())
    }

    /// Waits until the file or folder is complete.
    pub fn wait(&mut self) -> Result<PathBuf, String> {
        self.end();
        let no_thread = || Err("no thread could be started".to_string());
        self.thread.take().map_or_else(no_thread, |thread| {
            let stopped = |_| Err("the animation could not be written".to_string());
            thread.join().unwrap_or_else(stopped)
        })
    }
}

fn write_gif(
    shots: impl Iterator<Item = Shot>,
    folder: &Path,
    scene: &str,
) -> Result<PathBuf, String> {
    let mut shots = shots.map(|shot| {
        let factor = shot.size[0].div_ceil(MAX_WIDTH);
        shot.downscaled(factor)
    });
    let first = shots.next().ok_or("nothing was recorded")?;
    let (file, path) = new_file::create(folder, scene, "panes", "gif")?;
    new_file::whole_or_removed(path, write_shots(first, shots, file))
}

/// Writes shots, each until the time of the next one. Shots of another size than the first are skipped, and equal ones are merged.
fn write_shots(
    first: Shot,
    rest: impl Iterator<Item = Shot>,
    file: File,
) -> Result<(), gif::EncodingError> {
    let [width, height] = first
        .size
        .map(|side| side.min(usize::from(u16::MAX)) as u16);
    let mut palette = Palette::learn(&first.rgb);
    let global = palette.colors().to_vec();
    let mut is_global = true;
    let mut encoder = Encoder::new(BufWriter::new(file), width, height, &global)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let begin = first.time;
    let hundredths = |time: f64| ((time - begin) * 100.0).round() as i64;
    let mut frame = |shot: &Shot, until: f64| {
        let (mut indices, error) = palette.apply(&shot.rgb);
        if palette.is_poor(error) {
            palette = Palette::learn(&shot.rgb);
            is_global = false;
            indices = palette.apply(&shot.rgb).0;
        }
        let delay = (hundredths(until) - hundredths(shot.time)).clamp(1, 6000) as u16;
        encoder.write_frame(&Frame {
            delay,
            width,
            height,
            palette: (!is_global).then(|| palette.colors().to_vec()),
            buffer: indices.into(),
            ..Frame::default()
        })
    };
    let mut shown = first;
    for shot in rest {
        if shot.size == shown.size && shot.rgb != shown.rgb {
            frame(&shown, shot.time)?;
            shown = shot;
        }
    }
    let until = shown.time + LAST_FRAME_DURATION;
    frame(&shown, until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shots_become_frames_that_last_until_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut animation = Animation::start(
            folder.path().into(),
            "my scene".into(),
            AnimationFormat::Gif,
        );
        for (red, time) in [(10, 0.0), (90, 0.05), (90, 0.1), (250, 0.2)] {
            let room = animation.reserve().expect("room");
            room.send(Shot::plain(red, time, [8, 4]));
            // the thread takes them as they come
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let room = animation.reserve().expect("room");
        room.send(Shot::plain(1, 0.3, [5, 5]));
        let path = animation.wait().expect("written");
        assert!(path.ends_with("my_scene-panes.gif"), "{path:?}");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let file = File::open(&path).expect("there");
        let read = options.read_info(std::io::BufReader::new(file));
        let mut decoder = read.expect("a GIF");
        assert_eq!((decoder.width(), decoder.height()), (8, 4));
        let mut seen = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("sound") {
            seen.push((frame.delay, frame.buffer[0]));
        }
        let delays: Vec<u16> = seen.iter().map(|s| s.0).collect();
        assert_eq!(delays, [5, 15, 5]);
        for ((_, found), expected) in seen.iter().zip([10_u8, 90, 250]) {
            assert!(found.abs_diff(expected) < 8, "{seen:?}");
        }
    }

    #[test]
    fn nothing_is_left_of_an_animation_that_cannot_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut animation =
            Animation::start(folder.path().into(), "x".into(), AnimationFormat::Gif);
        assert_eq!(animation.wait(), Err("nothing was recorded".to_string()));
        assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 0);
        let mut animation = Animation::start(
            folder.path().join("missing"),
            "x".into(),
            AnimationFormat::Gif,
        );
        let room = animation.reserve().expect("room");
        room.send(Shot::plain(1, 0.0, [4, 4]));
        let error = animation.wait().expect_err("no folder");
        assert!(
            error.contains("x-panes.gif: ") && !error.contains('\n'),
            "{error}"
        );
    }

    #[test]
    fn the_queue_of_shots_is_bounded() {
        let animation = Animation::start(std::env::temp_dir(), "x".into(), AnimationFormat::Gif);
        let places: Vec<ShotSender> = std::iter::from_fn(|| animation.reserve())
            .take(99)
            .collect();
        assert_eq!(places.len(), MAX_QUEUED_SHOTS);
        assert!(animation.reserve().is_none());
        // an empty shot gives its place back
        let empty = Shot::plain(0, 0.0, [0, 0]);
        let mut places = places.into_iter();
        places.next().expect("one").send(empty);
        assert!(animation.reserve().is_some());
        // and so does one that is not used
        for _ in 0..9 {
            assert!(animation.reserve().is_some());
        }
    }
}
