//! Elements that may be crushed within a frame, and when they are looked at.
//!
//! The steps of a frame belong to the shapes at its beginning. A body that falls on a floor meets it in the middle of a frame, and moves on by several elements until the frame ends. The elements at
//! the floor are then crushed, stiffen, and become unstable. So these elements are looked at again each time that the fastest of their corners has moved by a part of an edge. Where one is crushed, its
//! neighbours follow, and are watched from then on.

use pliant_core::math::Vec3;

/// Motion of the fastest corner between two looks, over the mean edge. A corner that moves less than that in the whole frame is not looked at.
const MOTION_SHARE: f64 = 0.25;

/// Elements that may be crushed within the present frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct CrushWatch {
    /// ascending
    elements: Vec<u32>,
    /// speed of the fastest corner of any of them towards what touches it, at most, m/s
    max_speed: f64,
    /// buffer: for each node whether it is a corner of a crushed element
    is_crushed: Vec<bool>,
}

impl CrushWatch {
    /// Begins a frame of `duration` seconds: watches the elements that have a corner on which constraints act, and a corner that moves fast enough to be crushed. `velocities` are those of the nodes,
    /// and `tool_speed` that of the fastest constraint, m/s; `edge` is the mean edge, m.
    pub fn begin_frame(
        &mut self,
        tets: &[[u32; 4]],
        touched: &[bool],
        velocities: &[Vec3],
        tool_speed: f64,
        (edge, duration): (f64, f64),
    ) {
        self.clear();
        for (t, tet) in (0..).zip(tets) {
            if !tet.iter().any(|&n| touched[n as usize]) {
                continue;
            }
            let speeds = tet.iter().map(|&n| velocities[n as usize].norm());
            let speed = speeds.fold(0.0, f64::max) + tool_speed;
            if speed * duration >= MOTION_SHARE * edge {
                self.elements.push(t);
                self.max_speed = self.max_speed.max(speed);
            }
        }
    }

    /// Watches also the elements that share a corner with a watched one for which `is_crushed` is true.
    pub fn spread(&mut self, tets: &[[u32; 4]], nodes: usize, is_crushed: impl Fn(u32) -> bool) {
        self.is_crushed.clear();
        self.is_crushed.resize(nodes, false);
        for &t in self.elements.iter().filter(|t| is_crushed(**t)) {
            for n in tets[t as usize] {
                self.is_crushed[n as usize] = true;
            }
        }
        let previous = std::mem::take(&mut self.elements);
        let mut previous = previous.into_iter().peekable();
        for (t, tet) in (0..).zip(tets) {
            let is_watched = previous.next_if_eq(&t).is_some();
            if is_watched || tet.iter().any(|&n| self.is_crushed[n as usize]) {
                self.elements.push(t);
            }
        }
    }

    /// Watches nothing.
    pub fn clear(&mut self) {
        self.elements.clear();
        self.max_speed = 0.0;
    }

    /// The elements, ascending.
    pub fn elements(&self) -> &[u32] {
        &self.elements
    }

    /// Steps of `step` seconds between two looks at elements with this mean `edge`, m. `None` where nothing is watched.
    pub fn stride(&self, edge: f64, step: f64) -> Option<u32> {
        let steps = MOTION_SHARE * edge / (self.max_speed * step);
        // as float to integer conversions saturate, also for steps of no length
        (!self.elements.is_empty()).then(|| (steps as u32).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements in a row, one node each, of which the first two are touched.
    fn watch(speeds: [f64; 4], tool_speed: f64) -> CrushWatch {
        let tets: Vec<[u32; 4]> = (0..4).map(|n| [n; 4]).collect();
        let velocities = speeds.map(|speed| Vec3::new(0.0, -speed, 0.0));
        let touched = [true, true, false, false];
        let mut watch = CrushWatch::default();
        watch.begin_frame(&tets, &touched, &velocities, tool_speed, (0.01, 0.02));
        watch
    }

    #[test]
    fn touched_elements_are_watched_that_move_by_a_part_of_an_edge_in_the_frame() {
        // a quarter of 0.01 m in 0.02 s
        let falling = watch([2.0, 0.13, 2.0, 0.0], 0.0);
        assert_eq!(falling.elements(), [0, 1]);
        assert_eq!(watch([2.0, 0.12, 2.0, 0.0], 0.0).elements(), [0]);
        let resting = watch([0.0, 0.1, 2.0, 2.0], 0.0);
        assert!(resting.elements().is_empty());
        assert_eq!(resting.stride(0.01, 1e-4), None);
        // a tool comes
        assert_eq!(watch([0.0; 4], 1.0).elements(), [0, 1]);
    }

    #[test]
    fn the_faster_they_are_the_more_often_they_are_looked_at() {
        let looks = |speed: f64, step: f64| watch([speed; 4], 0.0).stride(0.01, step);
        // 2.5 mm at 2 m/s take 1.25 ms
        assert_eq!(looks(2.0, 1e-4), Some(12));
        assert_eq!(looks(20.0, 1e-4), Some(1));
        assert_eq!(looks(2.0, 5e-5), Some(25));
        assert_eq!(looks(2.0, 0.01), Some(1));
        assert_eq!(looks(f64::NAN, 1e-4), None);
    }

    #[test]
    fn the_neighbours_of_a_crushed_element_are_watched_from_then_on() {
        // a row of elements, each of which shares a node with the next one
        let tets: Vec<[u32; 4]> = (0..6).map(|t| [t, t, t, t + 1]).collect();
        let velocities = [-Vec3::y(); 7];
        let touched = [true, false, false, true, false, false, false];
        let mut watch = CrushWatch::default();
        watch.begin_frame(&tets, &touched, &velocities, 0.0, (0.01, 0.02));
        assert_eq!(watch.elements(), [0, 2, 3]);
        watch.spread(&tets, 7, |t| t == 3);
        assert_eq!(watch.elements(), [0, 2, 3, 4]);
        watch.spread(&tets, 7, |t| t == 0 || t == 4);
        assert_eq!(watch.elements(), [0, 1, 2, 3, 4, 5]);
        watch.spread(&tets, 7, |_| false);
        assert_eq!(watch.elements(), [0, 1, 2, 3, 4, 5]);
    }
}
