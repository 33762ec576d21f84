//! The choice of how the skin is computed: by the processor or the graphics card.

use egui::{Id, Ui};

use crate::panels::Context;
use crate::skin::SkinChoice;
use crate::style;

/// Shows the choice if some method has one.
pub(super) fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    if cx.snapshot.panes.iter().all(|p| p.binding.is_none()) {
        return;
    }
    ui.horizontal(|ui| {
        let name = ui.label(style::secondary(ui, "Skin"));
        menu(ui, cx, name.id);
    });
}

fn menu(ui: &mut Ui, cx: &mut Context<'_>, name: Id) {
    ui.add_enabled_ui(cx.state.skin_refused.is_none(), |ui| {
        let menu = egui::ComboBox::from_id_salt("skin")
            .selected_text(cx.state.skin.label())
            .width(120.0)
            .show_ui(ui, |ui| {
                for choice in SkinChoice::ALL {
                    ui.selectable_value(&mut cx.state.skin, choice, choice.label())
                        .on_hover_text(choice.about());
                }
            });
        let refused = cx.state.skin_refused.clone().unwrap_or_default();
        menu.response
            .labelled_by(name)
            .on_hover_text(cx.state.skin.about())
            .on_disabled_hover_text(refused);
    });
}
