//! What is seen of the bodies: colours, edges, an overlay, and which panes are shown. In the bar, or in a menu where the bar has no room for them.

use egui::containers::menu::MenuButton;
use egui::{Button, Checkbox, ComboBox, Response, Ui};
use pliant_core::scene::Method;

use super::open::stays_open;
use super::{button, width};
use crate::panels::Context;
use crate::panels::commands::{ADVICE, EDGES, FIT, pane_of, show_layer, switch_occlusion};
use crate::state::{Layer, UiState, drawn, shown};
use crate::style;

/// What the bar leaves out, from nothing to most of it. Each level leaves out what those before it do; what can be clicked moves into a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// All of the bar is shown.
    Nothing,
    /// The word beside the colours.
    Label,
    /// The overlay, and which panes are shown.
    Panes,
    /// The edges, and fitting the view.
    View,
    /// Advice.
    Advice,
    /// The colours.
    Colour,
    /// Gravity, the theme and help.
    Window,
}

impl LeftOut {
    /// All of them, in their order.
    pub const LEVELS: [Self; 7] = [
        Self::Nothing,
        Self::Label,
        Self::Panes,
        Self::View,
        Self::Advice,
        Self::Colour,
        Self::Window,
    ];
}

/// A choice of one method, or of none.
struct Choice {
    name: &'static str,
    /// what is said where no method is chosen
    none: &'static str,
    hint: &'static str,
    chosen: fn(&mut UiState) -> &mut Option<Method>,
}

/// Whose skin is drawn over those of the others.
const OVERLAY: Choice = Choice {
    name: "Overlay",
    none: "none",
    hint: "the skin of one method as a wireframe over those of the others (O)",
    chosen: |state| &mut state.overlay,
};

/// Who has the whole window.
const PANES: Choice = Choice {
    name: "Panes",
    none: "all",
    hint: "one method alone (M, or a double click on its name); X shows the next one in its place",
    chosen: |state| &mut state.maximised,
};

impl Choice {
    /// Shows what can be chosen.
    fn values(&self, ui: &mut Ui, cx: &mut Context<'_>) {
        let all = methods(cx);
        let has_none = (self.chosen)(cx.state).is_none();
        let is_none = has_none && !(self.is_of_panes() && hides_any(cx));
        if ui.selectable_label(is_none, self.none).clicked() {
            *(self.chosen)(cx.state) = None;
            if self.is_of_panes() {
                cx.state.hidden.clear();
            }
        }
        let chosen = (self.chosen)(cx.state);
        for method in all {
            ui.selectable_value(chosen, Some(method), style::title(method));
        }
    }

    fn is_of_panes(&self) -> bool {
        self.name == PANES.name
    }
}

/// Shows what fits into the bar.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>, left_out: LeftOut) {
    if left_out < LeftOut::Colour {
        colour(ui, cx, left_out < LeftOut::Label);
    }
    if left_out < LeftOut::View {
        edges(ui, cx);
    }
    if left_out < LeftOut::Panes && has_several_panes(cx) {
        menu(ui, cx, &OVERLAY);
        menu(ui, cx, &PANES);
    }
    if left_out < LeftOut::View {
        FIT.button(ui, cx, Button::new("Fit"));
    }
}

/// The menu of what the bar leaves out; `window` shows what [`LeftOut::Window`] moves into it.
pub fn more(
    ui: &mut Ui,
    cx: &mut Context<'_>,
    left_out: LeftOut,
    window: impl FnOnce(&mut Ui, &mut Context<'_>),
) {
    if left_out < LeftOut::Panes {
        return;
    }
    let menu = MenuButton::new("More").config(stays_open());
    let (button, _) = menu.ui(ui, |ui| {
        if left_out >= LeftOut::Colour {
            let title = format!("Colour: {}", cx.state.layer.label());
            ui.menu_button(title, |ui| colours(ui, cx));
        }
        if left_out >= LeftOut::View {
            edges(ui, cx);
            FIT.button(ui, cx, Button::new("Fit"));
        }
        if has_several_panes(cx) {
            row(ui, cx, &OVERLAY);
            row(ui, cx, &PANES);
            visible_panes(ui, cx);
        }
        if left_out >= LeftOut::Advice && advice(ui, cx).clicked() {
            ui.close();
        }
        if left_out >= LeftOut::Window {
            window(ui, cx);
        }
    });
    button.on_hover_text("controls for which this bar has no room");
}

/// Opens or closes the panel of advice.
pub fn advice(ui: &mut Ui, cx: &mut Context<'_>) -> Response {
    let button = button::toggle(cx.state.advice.open, "Advice");
    ADVICE.button(ui, cx, button)
}

/// Width of the menu of colours: wide enough for each choice, so that nothing moves when another one is taken, points.
pub fn colour_width(ui: &Ui, cx: &Context<'_>) -> f32 {
    let mut choices = Layer::choices(cx.snapshot);
    // a choice of the scene before may still be there
    choices.push(cx.state.layer.clone());
    let labels: Vec<String> = choices.iter().map(Layer::label).collect();
    width::choices(ui, labels.iter().map(String::as_str))
}

/// Width of a menu of methods, points.
pub fn method_width(ui: &Ui) -> f32 {
    let titles = Method::ALL.map(style::title).into_iter();
    width::choices(ui, titles.chain([OVERLAY.none, PANES.none]))
}

/// Whether there is anything to lay over each other, or to leave out.
pub fn has_several_panes(cx: &Context<'_>) -> bool {
    methods(cx).len() > 1
}

fn colour(ui: &mut Ui, cx: &mut Context<'_>, has_label: bool) {
    let name = has_label.then(|| ui.label(style::secondary(ui, "Colour")));
    // all choices without a scroll bar, where the window has the room
    let height = (ui.ctx().content_rect().height() - 80.0).max(120.0);
    let menu = ComboBox::from_id_salt("layer")
        .selected_text(cx.state.layer.label())
        .width(colour_width(ui, cx))
        .height(height)
        .show_ui(ui, |ui| colours(ui, cx));
    let menu = menu.response.on_hover_text("what the colours show");
    if let Some(name) = name {
        menu.labelled_by(name.id);
    }
}

fn colours(ui: &mut Ui, cx: &mut Context<'_>) {
    for choice in Layer::choices(cx.snapshot) {
        let is_chosen = cx.state.layer == choice;
        if ui.selectable_label(is_chosen, choice.label()).clicked() {
            ui.close();
            if !is_chosen {
                show_layer(cx, choice);
            }
        }
    }
    ui.separator();
    let mut is_on = !cx.state.no_occlusion;
    let hint = "hollows of the skin are darker; half as much under the colours of a quantity";
    let button = ui.checkbox(&mut is_on, "Ambient occlusion");
    if button.on_hover_text(hint).changed() {
        switch_occlusion(cx);
    }
}

fn edges(ui: &mut Ui, cx: &mut Context<'_>) {
    let button = button::toggle(cx.state.wireframe, "Edges");
    EDGES.button(ui, cx, button);
}

/// A choice of a method as a menu.
fn menu(ui: &mut Ui, cx: &mut Context<'_>, choice: &Choice) {
    let label = ui.label(style::secondary(ui, choice.name));
    let chosen = *(choice.chosen)(cx.state);
    let none = match choice.is_of_panes() && hides_any(cx) {
        true => "some",
        false => choice.none,
    };
    let menu = ComboBox::from_id_salt(choice.name)
        .selected_text(chosen.map_or(none, style::title))
        .width(method_width(ui))
        .show_ui(ui, |ui| {
            choice.values(ui, cx);
            if choice.is_of_panes() {
                ui.separator();
                visible_panes(ui, cx);
            }
        });
    let menu = menu.response.labelled_by(label.id);
    menu.on_hover_text(choice.hint);
}

/// The same as a row of a menu.
fn row(ui: &mut Ui, cx: &mut Context<'_>, choice: &Choice) {
    ui.horizontal(|ui| {
        let name = ui.label(style::secondary(ui, choice.name));
        name.on_hover_text(choice.hint);
        choice.values(ui, cx);
    });
}

/// Hides panes, and shows them again.
fn visible_panes(ui: &mut Ui, cx: &mut Context<'_>) {
    let visible = drawn(cx.snapshot, None, &cx.state.hidden);
    for k in shown(cx.snapshot) {
        let method = cx.snapshot.panes[k].method;
        let command = pane_of(method);
        let refused = (command.refused)(cx);
        let mut is_on = visible.contains(&k);
        let field = Checkbox::new(&mut is_on, format!("Show {}", style::title(method)));
        let field = ui.add_enabled(refused.is_none(), field);
        let is_changed = field.changed();
        field
            .on_hover_text(command.about)
            .on_disabled_hover_text(refused.unwrap_or_default());
        if is_changed {
            (command.run)(ui.ctx(), cx);
        }
    }
}

/// Whether a pane is hidden.
fn hides_any(cx: &Context<'_>) -> bool {
    let visible = drawn(cx.snapshot, None, &cx.state.hidden);
    visible.len() < shown(cx.snapshot).len()
}

/// The methods that have a pane.
fn methods(cx: &Context<'_>) -> Vec<Method> {
    let panes = shown(cx.snapshot).into_iter();
    panes.map(|k| cx.snapshot.panes[k].method).collect()
}
