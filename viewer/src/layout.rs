//! Where everything stands: bar above, details at the right, curves below, panes in the middle.

use egui::{Frame, Margin, Panel, Rect, Ui, Vec2};

use pliant_simulation::snapshot::WorldSnapshot;

use crate::history::ForceSource;
use crate::panels::{Context, details, notices, plots, top_bar};
use crate::style;

/// Shows everything around the panes.
pub fn frame(ui: &mut Ui, cx: &mut Context<'_>, source: &ForceSource) {
    let fill = ui.visuals().panel_fill;
    let padded = |x: i8, y: i8| {
        Frame::new()
            .fill(fill)
            .inner_margin(Margin::symmetric(x, y))
    };
    Panel::top("bar")
        .frame(padded(12, 7))
        .show_separator_line(false)
        .show(ui, |ui| top_bar::show(ui, cx));
    if notices::wanted(cx) {
        Panel::top("notices")
            .frame(padded(12, 6))
            .show(ui, |ui| notices::show(ui, cx));
    }
    if cx.state.details {
        Panel::right("details")
            .frame(padded(12, 8))
            .default_size(290.0)
            .size_range(220.0..=460.0)
            .show(ui, |ui| details::show(ui, cx));
    }
    Panel::bottom("curves")
        .frame(padded(12, 8))
        .default_size(168.0)
        .size_range(90.0..=420.0)
        .resizable(true)
        .show_separator_line(false)
        .show(ui, |ui| plots::show(ui, cx, source));
}

/// Numbers of the panes that are shown: those of the methods that the scene asks for; all of them before there is a scene.
pub fn shown(snapshot: &WorldSnapshot) -> Vec<usize> {
    let asked = |k: &usize| match (&snapshot.setup, snapshot.panes.get(*k)) {
        (Some(setup), Some(pane)) => setup.description.methods.contains(&pane.method),
        _ => true,
    };
    (0..snapshot.panes.len()).filter(asked).collect()
}

/// Strip and picture of pane `k` of `count` in `all`.
pub fn pane(all: Rect, k: usize, count: usize) -> (Rect, Rect) {
    let count = count.max(1) as f32;
    let width = ((all.width() - style::GAP * (count - 1.0)) / count).max(1.0);
    let left = all.left() + k as f32 * (width + style::GAP);
    let whole = Rect::from_min_size(
        egui::pos2(left, all.top()),
        Vec2::new(width, all.height().max(1.0)),
    );
    let head = style::HEADER.min(whole.height() * 0.5);
    (
        Rect::from_min_size(whole.min, Vec2::new(width, head)),
        Rect::from_min_max(egui::pos2(left, whole.top() + head), whole.max),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_the_scene_leaves_out_has_no_pane() {
        let mut snapshot = crate::testing::snapshot();
        assert_eq!(shown(&snapshot), [0, 1, 2]);
        let mut setup =
            pliant_simulation::setup::Setup::clone(snapshot.setup.as_deref().expect("a scene"));
        setup.description.methods = vec![snapshot.panes[2].method];
        snapshot.setup = Some(setup.into());
        assert_eq!(shown(&snapshot), [2]);
        snapshot.setup = None;
        assert_eq!(shown(&snapshot), [0, 1, 2]);
    }

    #[test]
    fn panes_are_equal_and_leave_thin_gaps() {
        let all = Rect::from_min_size(egui::pos2(10.0, 20.0), Vec2::new(904.0, 500.0));
        let panes: Vec<(Rect, Rect)> = (0..3).map(|k| pane(all, k, 3)).collect();
        for (head, picture) in &panes {
            assert!((head.width() - 300.0).abs() < 1e-3 && (picture.width() - 300.0).abs() < 1e-3);
            assert_eq!(head.bottom(), picture.top());
            assert_eq!(picture.bottom(), all.bottom());
        }
        assert!((panes[1].0.left() - panes[0].0.right() - style::GAP).abs() < 1e-3);
        assert!((panes[2].0.right() - all.right()).abs() < 1e-3);
        let tiny = pane(Rect::ZERO, 0, 0);
        assert!(tiny.1.height() >= 0.0);
    }
}
