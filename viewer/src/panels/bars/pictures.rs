//! The menu of what can be saved: pictures of the window, animations of the panes, and the scene with the motion of the hand.

use egui::{Button, RichText, Ui};
use pliant_simulation::command::Command;

use crate::panels::Context;
use crate::state::{PictureRequest, SECONDS};
use crate::style;

/// The menu.
pub fn menu(ui: &mut Ui, cx: &mut Context<'_>) {
    if cx.state.pictures.recording.is_some() {
        let stop = Button::new(RichText::new("Stop recording").color(ui.visuals().error_fg_color));
        if ui
            .add(stop)
            .on_hover_text("keeps what there is (V)")
            .clicked()
        {
            cx.state.pictures.request = Some(PictureRequest::Stop);
        }
        return;
    }
    let hint = "pictures, animations, and the scene with what the hand did";
    let button = ui.menu_button("Save", |ui| {
        ui.set_min_width(270.0);
        entry(ui, cx, PictureRequest::Window, "Window as PNG", "P");
        entry(ui, cx, PictureRequest::Panes, "Panes as PNG", "shift P");
        ui.separator();
        let seconds = cx.state.pictures.seconds;
        let next = format!("Next {seconds:.0} s of the panes as GIF");
        entry(ui, cx, PictureRequest::Next, &next, "V");
        ui.horizontal(|ui| {
            let name = ui.label(faint(ui, "Length"));
            let field = egui::DragValue::new(&mut cx.state.pictures.seconds)
                .range(SECONDS)
                .max_decimals(0)
                .speed(0.1)
                .suffix(" s");
            ui.add(field).labelled_by(name.id);
        });
        ui.separator();
        let marked = "Marked part of the panes as GIF";
        entry(ui, cx, PictureRequest::Marked, marked, "shift V");
        ui.horizontal(|ui| {
            let now = cx.snapshot.timeline.now;
            for (end, name, key) in [(0, "Begins here", "["), (1, "Ends here", "]")] {
                let button = ui.add(Button::new(name).shortcut_text(key));
                if button
                    .on_hover_text("marks the moment that is shown")
                    .clicked()
                {
                    cx.state.pictures.mark(end, now);
                }
            }
            if ui.button("No marks").clicked() {
                cx.state.pictures.marks = [None; 2];
            }
        });
        ui.separator();
        let scene = Button::new("Scene with the motion of the hand").shortcut_text("ctrl S");
        let hint = "a text that `pliant run`, `compare` and the window repeat: the tool, grabs, blades and gravity of the last two minutes at most, and the material; changes in Details are not in it";
        let has_scene = cx.snapshot.setup.is_some();
        if ui
            .add_enabled(has_scene, scene)
            .on_hover_text(hint)
            .clicked()
        {
            cx.commands.push(Command::WriteScene);
            ui.close();
        }
        ui.separator();
        ui.label(faint(ui, "Files are new ones in the present folder."));
    });
    button.response.on_hover_text(hint);
}

fn faint(ui: &Ui, text: &str) -> RichText {
    let color = style::faint(ui.visuals().dark_mode);
    RichText::new(text).small().color(color)
}

fn entry(ui: &mut Ui, cx: &mut Context<'_>, request: PictureRequest, name: &str, key: &str) {
    let button = Button::new(name).shortcut_text(key);
    let why = "mark a part of the timeline first: [ begins, ] ends it";
    let button = ui.add_enabled(can(cx, request), button);
    if button.on_disabled_hover_text(why).clicked() {
        cx.state.pictures.request = Some(request);
        ui.close();
    }
}

/// Whether there is anything to take.
pub fn can(cx: &Context<'_>, request: PictureRequest) -> bool {
    let timeline = &cx.snapshot.timeline;
    let part = cx.state.pictures.part(timeline.first, timeline.last);
    request != PictureRequest::Marked || part.is_some()
}
