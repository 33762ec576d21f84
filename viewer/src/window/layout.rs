//! Layout of the panes.

use egui::{Rect, Vec2};

use crate::style;

/// Rectangles of header and picture of pane `k` of `count` in `all`.
pub fn pane(all: Rect, k: usize, count: usize) -> (Rect, Rect) {
    let count = count.max(1) as f32;
    let width = ((all.width() - style::GAP * (count - 1.0)) / count).max(1.0);
    let left = all.left() + k as f32 * (width + style::GAP);
    let whole = Rect::from_min_size(
        egui::pos2(left, all.top()),
        Vec2::new(width, all.height().max(1.0)),
    );
    let head = style::HEADER_HEIGHT.min(whole.height() * 0.5);
    (
        Rect::from_min_size(whole.min, Vec2::new(width, head)),
        Rect::from_min_max(egui::pos2(left, whole.top() + head), whole.max),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
