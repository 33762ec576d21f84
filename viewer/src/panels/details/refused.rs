//! The line below a parameter whose value the model did not take.

use egui::{FontId, Role, Ui, WidgetInfo};
use pliant_core::inspect::{ParameterError, ParameterInfo, ParameterValue};
use pliant_simulation::snapshot::{PaneSnapshot, RefusedValue};

use super::values::text;
use crate::state::Edits;
use crate::style;

/// Tells what was refused, which range holds, and what is used. The change is not there to be undone.
pub fn show(
    ui: &mut Ui,
    pane: &PaneSnapshot,
    info: &ParameterInfo,
    present: &ParameterValue,
    edits: &mut Edits,
) {
    let mut all = pane.refused.iter();
    let Some(refused) = all.find(|refused| refused.name == info.name) else {
        return;
    };
    edits.remove_refused(pane.method, info.name, &refused.value);
    row(ui, &line(refused, present, info));
}

/// The line in words.
fn line(refused: &RefusedValue, present: &ParameterValue, info: &ParameterInfo) -> String {
    let why = match &refused.error {
        ParameterError::OutOfRange { min, max, .. } => {
            let [min, max] = [min, max].map(|x| text(&ParameterValue::Number(*x), info));
            format!("allowed: {min} to {max}")
        }
        ParameterError::NeedsBake(_) => "it acts only after preparing again".into(),
        ParameterError::Unknown(_) => "the model does not know it".into(),
    };
    format!(
        "{} is refused; {}. In use: {}",
        text(&refused.value, info),
        why,
        text(present, info)
    )
}

/// A row of the grid as wide as the panel, whatever its columns are.
fn row(ui: &mut Ui, line: &str) {
    let color = style::alarm(ui.visuals().dark_mode);
    let room = ui.clip_rect().right() - ui.cursor().left() - ui.spacing().item_spacing.x;
    let font = FontId::proportional(11.5);
    let galley = ui
        .painter()
        .layout(line.to_string(), font, color, room.max(60.0));
    let size = egui::vec2(1.0, galley.size().y);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    ui.painter().galley(rect.min, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, line));
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use pliant_core::inspect::ParameterEffect;

    use super::*;

    fn told(error: ParameterError) -> String {
        let info = ParameterInfo {
            name: "young",
            unit: "Pa",
            help: "",
            min: 100.0,
            max: 1e9,
            effect: ParameterEffect::Immediate,
        };
        let refused = RefusedValue {
            name: "young".into(),
            value: ParameterValue::Number(5.0),
            error,
        };
        line(&refused, &ParameterValue::Number(20000.0), &info)
    }

    #[test]
    fn the_line_says_what_was_refused_the_range_and_what_is_used() {
        let range = ParameterError::OutOfRange {
            name: "young".into(),
            min: 100.0,
            max: 5e6,
        };
        for (error, why) in [
            (range, "allowed: 100 Pa to 5,000,000 Pa"),
            (
                ParameterError::NeedsBake("young".into()),
                "it acts only after preparing again",
            ),
        ] {
            let line = format!("5 Pa is refused; {why}. In use: 20,000 Pa");
            assert_eq!(told(error), line);
        }
    }
}
