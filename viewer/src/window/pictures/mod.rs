//! Pictures of the window and animations of its panes, written on their own threads.

mod animation;
mod palette;
mod png_sequence;
mod recorded_span;
mod shot;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use egui::{ColorImage, Rect};
use pliant_simulation::command::Command;

use self::animation::Animation;
use self::recorded_span::{Moment, RecordedSpan, Step};
pub use self::shot::Shot;
use crate::panels::Context;
use crate::state::{AnimationFormat, PictureRequest, new_file};

/// Result of a picture: its file, or an error.
type Saved = Result<PathBuf, String>;

/// Takes the pictures that the panels request.
pub struct PictureTaker {
    /// rectangle of the panes, points
    area: Rect,
    recording: Option<Recording>,
    /// animations whose last shots are being written
    ending: Vec<Animation>,
    /// pictures that are being written
    writing: usize,
    saved: (Sender<Saved>, Receiver<Saved>),
}

/// An animation that is being recorded.
struct Recording {
    animation: Animation,
    recorded_span: RecordedSpan,
    /// whether the requested shot has been taken
    taken: Arc<AtomicBool>,
    /// number of the scene that it shows
    scene: u64,
    /// the frame that the timeline shows again at the end
    back_to: Option<u64>,
}

impl Default for PictureTaker {
    fn default() -> Self {
        Self {
            area: Rect::NOTHING,
            recording: None,
            ending: Vec::new(),
            writing: 0,
            saved: channel(),
        }
    }
}

impl PictureTaker {
    /// Sets the rectangle of the panes in the window, points.
    pub fn panes_in(&mut self, area: Rect) {
        self.area = area;
    }

    /// Handles the request of the previous frame, so that its menu is closed.
    pub fn serve(&mut self, ctx: &egui::Context, cx: &mut Context<'_>) {
        match cx.state.pictures.request.take() {
            None => {}
            Some(PictureRequest::Window) => self.picture(ctx, cx, "window", None),
            Some(PictureRequest::Panes) => self.picture(ctx, cx, "panes", Some(self.area)),
            Some(PictureRequest::Stop) => self.stop_and_go_back(cx),
            Some(PictureRequest::Next(format)) => {
                let time = ctx.input(|i| i.time);
                let seconds = cx.state.pictures.seconds;
                self.record(cx, RecordedSpan::next(time, seconds), format, None);
            }
            Some(PictureRequest::Marked(format)) => {
                let timeline = &cx.snapshot.timeline;
                let part = cx.state.pictures.part(timeline.first, timeline.last);
                if let (Some(part), Some(setup)) = (part, &cx.snapshot.setup) {
                    cx.commands.push(Command::Pause);
                    let recorded_span = RecordedSpan::part(part, setup.frame_duration());
                    self.record(cx, recorded_span, format, Some(timeline.now));
                }
            }
        }
        self.step_recording(ctx, cx);
        self.update_status(ctx, cx);
    }

    /// Waits until all recordings are written: a program that ends would leave an incomplete file.
    pub fn finish(&mut self) {
        self.stop();
        for mut animation in self.ending.drain(..) {
            // the window that would show an error is closed
            let _ = animation.wait();
        }
        while self.writing > 0 && self.saved.1.recv_timeout(Duration::from_secs(10)).is_ok() {
            self.writing -= 1;
        }
    }

    /// Requests a picture of the next frame.
    fn picture(
        &mut self,
        ctx: &egui::Context,
        cx: &Context<'_>,
        what: &'static str,
        area: Option<Rect>,
    ) {
        let scene = new_file::scene_name(cx.snapshot).to_string();
        let scale = ctx.pixels_per_point();
        let (saved, wake) = (self.saved.0.clone(), ctx.clone());
        self.writing += 1;
        ctx.request_screenshot(move |image| {
            let saved_on_error = saved.clone();
            let write = move || {
                // fails if the window was closed
                let _ = saved.send(write_picture(&image, area, scale, &scene, what));
                wake.request_repaint();
            };
            if cfg!(target_family = "wasm") {
                // the only thread
                write();
                return;
            }
            let thread = std::thread::Builder::new().name("picture".into());
            if let Err(error) = thread.spawn(write) {
                let _ = saved_on_error.send(Err(format!("no thread could be started: {error}")));
            }
        });
        ctx.request_repaint();
    }

    fn record(
        &mut self,
        cx: &Context<'_>,
        recorded_span: RecordedSpan,
        format: AnimationFormat,
        back_to: Option<u64>,
    ) {
        self.stop();
        let scene = new_file::scene_name(cx.snapshot).to_string();
        self.recording = Some(Recording {
            animation: Animation::start(new_file::folder(), scene, format),
            recorded_span,
            taken: Arc::new(AtomicBool::new(true)),
            scene: cx.snapshot.scene_number,
            back_to,
        });
    }

    /// Ends the recording, and shows the frame again that was shown before it.
    fn stop_and_go_back(&mut self, cx: &mut Context<'_>) {
        let frame = self.recording.as_ref().and_then(|r| r.back_to);
        self.stop();
        cx.commands.extend(frame.map(Command::Seek));
    }

    fn stop(&mut self) {
        if let Some(mut recording) = self.recording.take() {
            recording.animation.end();
            self.ending.push(recording.animation);
        }
    }

    /// The next step of the animation.
    fn step_recording(&mut self, ctx: &egui::Context, cx: &mut Context<'_>) {
        let area = self.area;
        let Some(recording) = &mut self.recording else {
            return;
        };
        ctx.request_repaint();
        let timeline = &cx.snapshot.timeline;
        let mut place = recording.animation.reserve();
        let now = Moment {
            time: ctx.input(|i| i.time),
            frame: timeline.now,
            is_seeking: timeline.seek_target.is_some(),
            taken: recording.taken.load(Ordering::Relaxed) && place.is_some(),
        };
        match recording.recorded_span.step(now) {
            Step::Wait => {}
            Step::Send(command) => cx.commands.push(command),
            Step::Take(time) => {
                if let Some(place) = place.take() {
                    recording.taken.store(false, Ordering::Relaxed);
                    let (taken, scale) = (Arc::clone(&recording.taken), ctx.pixels_per_point());
                    ctx.request_screenshot(move |image| {
                        place.send(Shot::crop(&image, area, scale, time));
                        taken.store(true, Ordering::Relaxed);
                    });
                }
            }
            Step::Done => {
                self.stop_and_go_back(cx);
                return;
            }
        }
        if recording.scene != cx.snapshot.scene_number {
            self.stop();
        }
    }

    /// Updates the status of recordings and saved files.
    fn update_status(&mut self, ctx: &egui::Context, cx: &mut Context<'_>) {
        let time = ctx.input(|i| i.time);
        while let Ok(saved) = self.saved.1.try_recv() {
            self.writing = self.writing.saturating_sub(1);
            cx.state.saved = Some(saved);
        }
        self.ending.retain_mut(|animation| {
            let result = animation.result();
            let is_open = result.is_none();
            if let Some(saved) = result {
                cx.state.saved = Some(saved);
            }
            is_open
        });
        let pictures = &mut cx.state.pictures;
        pictures.recording = self
            .recording
            .as_ref()
            .map(|r| r.recorded_span.progress_text(time));
        pictures.writing = (!self.ending.is_empty()).then(|| "writing the animation".into());
        if !self.ending.is_empty() {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
    }
}

/// Writes the whole window, or its part in `area`.
fn write_picture(
    image: &ColorImage,
    area: Option<Rect>,
    scale: f32,
    scene: &str,
    what: &str,
) -> Saved {
    let shot = match area {
        Some(area) => Shot::crop(image, area, scale, 0.0),
        None => Shot::whole(image),
    };
    new_file::save(&new_file::folder(), scene, what, "png", &shot.png()?)
}
