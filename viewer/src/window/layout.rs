//! Layout of the panes: side by side, or one below the other where they would be too narrow for the names of their methods.

use egui::{Rect, Vec2};

use crate::style;

/// Smallest width of a pane that stands beside others, points.
const MIN_WIDTH: f32 = 110.0;
/// Smallest height of a pane that stands below others, points.
const MIN_HEIGHT: f32 = 2.0 * style::LOW_HEADER_HEIGHT;
/// Height of a pane below which its header is low, points.
const LOW: f32 = 260.0;

/// Rectangles of header and picture of pane `k` of `count` in `all`.
pub fn pane(all: Rect, k: usize, count: usize) -> (Rect, Rect) {
    let count = count.max(1) as f32;
    let share = |length: f32| ((length - style::GAP * (count - 1.0)) / count).max(1.0);
    let (width, height) = (share(all.width()), share(all.height()));
    let (size, step) = if width < MIN_WIDTH && height >= MIN_HEIGHT {
        let size = Vec2::new(all.width().max(1.0), height);
        (size, Vec2::new(0.0, height + style::GAP))
    } else {
        let size = Vec2::new(width, all.height().max(1.0));
        (size, Vec2::new(width + style::GAP, 0.0))
    };
    let whole = Rect::from_min_size(all.min + step * k as f32, size);
    let head = match whole.height() < LOW {
        true => style::LOW_HEADER_HEIGHT,
        false => style::HEADER_HEIGHT,
    };
    whole.split_top_bottom_at_y(whole.top() + head.min(0.5 * whole.height()))
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

    #[test]
    fn panes_that_would_be_too_narrow_stand_below_each_other() {
        let narrow = Rect::from_min_size(egui::pos2(10.0, 20.0), Vec2::new(190.0, 304.0));
        let panes: Vec<(Rect, Rect)> = (0..3).map(|k| pane(narrow, k, 3)).collect();
        for (head, picture) in &panes {
            assert_eq!((head.width(), picture.width()), (190.0, 190.0));
            assert_eq!(head.height(), style::LOW_HEADER_HEIGHT);
            assert!((head.height() + picture.height() - 100.0).abs() < 1e-3);
        }
        assert!((panes[1].0.top() - panes[0].1.bottom() - style::GAP).abs() < 1e-3);
        assert!((panes[2].1.bottom() - narrow.bottom()).abs() < 1e-3);
        // too low as well: they stay side by side
        let small = Rect::from_min_size(egui::Pos2::ZERO, Vec2::new(190.0, 200.0));
        assert_eq!(pane(small, 1, 3).0.top(), 0.0);
    }
}
