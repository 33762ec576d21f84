//! The blade in the hand of a user.

use pliant_core::contact::cutting::{BladeEdge, BladeSweep};
use pliant_core::math::Vec3;

/// The motion of a blade's edge in a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct PointerBlade {
    /// Ends of the edge when the frame begins, m.
    pub from: [Vec3; 2],
    /// Ends of the edge when the frame ends, m.
    pub to: [Vec3; 2],
    /// Whether the blade is lifted when the frame ends.
    pub is_lifted: bool,
}

impl PointerBlade {
    /// A blade at rest with its edge between these ends (m).
    pub fn new(edge: [Vec3; 2]) -> Self {
        Self {
            from: edge,
            to: edge,
            is_lifted: false,
        }
    }

    /// The blade at the beginning of the next frame; `None` for one that was lifted.
    pub fn next(self) -> Option<Self> {
        (!self.is_lifted).then(|| Self::new(self.to))
    }

    /// The surface that the edge sweeps.
    pub(super) fn sweep(&self) -> BladeSweep {
        Self::sweep_between(&[self.from, self.to])
    }

    /// The surface between two positions of an edge, each given by its ends, m.
    pub(super) fn sweep_between(edges: &[[Vec3; 2]; 2]) -> BladeSweep {
        let [from, to] = edges.map(|ends| BladeEdge::new(ends, transverse_axis(ends[1] - ends[0])));
        BladeSweep::new(from, to)
    }
}

/// The coordinate axis that is most nearly perpendicular to a direction.
fn transverse_axis(along: Vec3) -> Vec3 {
    let mut axis = Vec3::zeros();
    axis[along.iamin()] = 1.0;
    axis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_that_is_dragged_sweeps_what_lies_between() {
        let edge = |x: f64| [Vec3::new(x, 0.0, -1.0), Vec3::new(x, 0.0, 1.0)];
        let blade = PointerBlade {
            to: edge(1.0),
            ..PointerBlade::new(edge(0.0))
        };
        let crossed = |x: f64| {
            let sweep = blade.sweep();
            sweep.crossing([Vec3::new(x, -1.0, 0.0), Vec3::new(x, 1.0, 0.0)])
        };
        assert!(crossed(0.5).is_some_and(|share| (share - 0.5).abs() < 1e-6));
        assert_eq!((crossed(-0.5), crossed(1.5)), (None, None));
        let next = blade.clone().next().expect("it is still held");
        assert_eq!(next, PointerBlade::new(edge(1.0)));
        assert!(!next.sweep().moves());
        let lifted = PointerBlade {
            is_lifted: true,
            ..blade
        };
        assert_eq!(lifted.next(), None);
    }
}
