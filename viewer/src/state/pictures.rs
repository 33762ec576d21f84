//! Requested pictures and animations, and their progress.

/// Shortest and longest animation of the next seconds, s.
pub const DURATION_RANGE: std::ops::RangeInclusive<f64> = 1.0..=60.0;

/// How an animation is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnimationFormat {
    /// A file of at most 256 colours that repeats itself.
    Gif,
    /// A folder of numbered pictures, all of them as they were seen.
    PngSequence,
}

/// What is saved as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureRequest {
    /// The whole window as it is.
    Window,
    /// The panes alone.
    Panes,
    /// The panes during the next seconds, as an animation.
    Next(AnimationFormat),
    /// The panes during the marked part of the timeline, as an animation.
    Marked(AnimationFormat),
    /// Ends the animation that is being recorded, and saves it.
    Stop,
}

/// Choices for pictures, and what is being made.
#[derive(Debug, Clone, PartialEq)]
pub struct Pictures {
    /// A request that was not started yet.
    pub request: Option<PictureRequest>,
    /// Length of an animation of the next seconds, s.
    pub seconds: f64,
    /// First and last frame of the marked part of the timeline, as far as they are set.
    pub marks: [Option<u64>; 2],
    /// What is being recorded, in words; `None` while nothing is.
    pub recording: Option<String>,
    /// What is being written.
    pub writing: Option<String>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            request: None,
            seconds: 5.0,
            marks: [None; 2],
            recording: None,
            writing: None,
        }
    }
}

impl Pictures {
    /// Marks frame `now` as the beginning (0) or the end (1). A mark beyond the other one moves it, too.
    pub fn mark(&mut self, end: usize, now: u64) {
        let [begin, last] = &mut self.marks;
        match end {
            0 => {
                *begin = Some(now);
                *last = last.map(|last| last.max(now));
            }
            _ => {
                *last = Some(now);
                *begin = begin.map(|begin| begin.min(now));
            }
        }
    }

    /// The marked part of a timeline from frame `first` to frame `last`: a missing mark is the end of the timeline. `None` without a mark, and where the part is
    /// empty.
    pub fn part(&self, first: u64, last: u64) -> Option<[u64; 2]> {
        if self.marks == [None; 2] {
            return None;
        }
        let begin = self.marks[0].unwrap_or(first).max(first);
        let end = self.marks[1].unwrap_or(last).min(last);
        (begin < end).then_some([begin, end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_lies_between_the_marks_and_within_the_timeline() {
        let mut pictures = Pictures::default();
        assert_eq!(pictures.part(0, 100), None);
        pictures.mark(0, 30);
        assert_eq!(pictures.part(0, 100), Some([30, 100]));
        pictures.mark(1, 60);
        assert_eq!(pictures.part(40, 100), Some([40, 60]));
        assert_eq!(pictures.part(60, 100), None, "it was dropped");
        pictures.mark(0, 80);
        assert_eq!(pictures.marks, [Some(80), Some(80)]);
        pictures.mark(1, 20);
        assert_eq!(pictures.marks, [Some(20), Some(20)]);
        assert_eq!(pictures.part(0, 100), None);
    }
}
