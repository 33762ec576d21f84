//! What a tool does not get back from the body that it presses.

use pliant_core::contact::{Tool, ToolWrench};

/// A press of a tool, from the first frame in which it feels a force to the first one in which it feels none again.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Press {
    /// Most work that the tool had put into the body, J.
    pub work: f64,
    /// Work that it did not get back, J: the area of its loop of force over travel. A sum over frames, which may be a little negative.
    pub lost: f64,
}

impl Press {
    /// The work that the tool did not get back, over the most that it had put in.
    pub fn lost_fraction(&self) -> f64 {
        self.lost / self.work
    }
}

/// Looks for the press of a tool with the most work.
#[derive(Debug, Clone, Default)]
pub(super) struct PressSearch {
    /// what it felt in the last frame
    before: ToolWrench,
    current: Press,
    largest: Option<Press>,
}

impl PressSearch {
    /// Adds a frame of the tool. The wrench on it is the mean over the frame, or that at its end.
    pub(super) fn add(&mut self, tool: &Tool, wrench: &ToolWrench, is_mean: bool) {
        let before = std::mem::replace(&mut self.before, *wrench);
        let begin = if is_mean { *wrench } else { before };
        let motion = tool.end.position - tool.begin.position;
        let turn = (tool.end.orientation * tool.begin.orientation.inverse()).scaled_axis();
        let gained =
            (begin.force + wrench.force).dot(&motion) + (begin.torque + wrench.torque).dot(&turn);
        self.current.lost -= 0.5 * gained;
        self.current.work = self.current.work.max(self.current.lost);
        if wrench.force.norm() == 0.0 {
            let ended = std::mem::take(&mut self.current);
            if ended.work > self.largest.map_or(0.0, |press| press.work) {
                self.largest = Some(ended);
            }
        }
    }

    /// The ended press with the most work; `None` where the tool has not pressed and let go.
    pub(super) fn largest(&self) -> Option<Press> {
        self.largest
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::boundary::Friction;
    use pliant_core::math::Vec3;

    use super::*;

    /// Stiffness of what is pressed, N/m.
    const STIFFNESS: f64 = 500.0;

    /// Presses to a depth (m) and lets go, in 20 frames, with a drag (N) against the motion.
    fn press(search: &mut PressSearch, depth: f64, drag: f64, is_mean: bool) {
        let depth_at = |frame: i32| depth * f64::from(10 - (10 - frame).abs()) / 10.0;
        let mut tool = Tool::floor(Vec3::y(), Friction::None);
        for frame in 1..=20 {
            let [begin, end] = [frame - 1, frame].map(depth_at);
            tool.begin.position.y = -begin;
            tool.end.position.y = -end;
            let felt = if is_mean { 0.5 * (begin + end) } else { end };
            let push = STIFFNESS * felt + drag * (end - begin).signum();
            // the last frame ends where the first one began
            let push = if frame < 20 || is_mean { push } else { 0.0 };
            let wrench = ToolWrench {
                force: Vec3::y() * push,
                torque: Vec3::zeros(),
            };
            search.add(&tool, &wrench, is_mean);
        }
        tool.begin = tool.end;
        search.add(&tool, &ToolWrench::default(), is_mean);
    }

    #[test]
    fn a_spring_gives_all_work_back_and_a_drag_takes_its_force_times_the_way() {
        for is_mean in [true, false] {
            let mut search = PressSearch::default();
            assert_eq!(search.largest(), None);
            press(&mut search, 0.01, 0.0, is_mean);
            let of_spring = search.largest().expect("a press");
            let elastic = 0.5 * STIFFNESS * 1e-4;
            assert!((of_spring.work / elastic - 1.0).abs() < 1e-12);
            assert!(of_spring.lost_fraction().abs() < 1e-12, "{of_spring:?}");
            // a smaller press does not replace it
            press(&mut search, 0.005, 0.1, is_mean);
            assert_eq!(search.largest(), Some(of_spring));
        }
        let mut search = PressSearch::default();
        press(&mut search, 0.01, 0.1, true);
        let dragged = search.largest().expect("a press");
        assert!((dragged.lost / (0.1 * 0.02) - 1.0).abs() < 1e-12);
        let put_in = 0.5 * STIFFNESS * 1e-4 + 0.1 * 0.01;
        assert!((dragged.work / put_in - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_torque_does_work_on_a_tool_that_turns() {
        let mut search = PressSearch::default();
        let mut tool = Tool::floor(Vec3::y(), Friction::None);
        tool.end.orientation = nalgebra::UnitQuaternion::new(Vec3::y() * 0.2);
        let wrench = ToolWrench {
            force: Vec3::x(),
            torque: Vec3::y() * -3.0,
        };
        search.add(&tool, &wrench, true);
        tool.begin = tool.end;
        search.add(&tool, &ToolWrench::default(), true);
        let press = search.largest().expect("a press");
        assert!((press.work - 0.6).abs() < 1e-12 && press.lost == press.work);
    }
}
