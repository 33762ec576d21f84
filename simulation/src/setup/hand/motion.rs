//! What a hand did, frame by frame.

use std::ops::Range;

use pliant_core::math::Vec3;

use super::parameter::{HandParameter, merged_over};
use crate::world::Interaction;

/// What a hand did in a window, frame by frame. Frames count from time zero.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HandMotion {
    /// Frames a second.
    pub frame_rate: f64,
    /// Frames that are known.
    pub frames: u64,
    /// Frames in which it moved the tool, ascending, with the positions of the tool at their ends, m.
    pub tool: Vec<(u64, Vec3)>,
    /// What it held, one after the other.
    pub grabs: Vec<HandHold>,
    /// What it pulled at with a force, one after the other.
    pub pulls: Vec<HandHold>,
    /// Frames in which it moved a blade, ascending, with the ends of its edge when they begin and when they end, m.
    pub blades: Vec<(u64, [[Vec3; 2]; 2])>,
    /// Frames with gravity where the scene has none.
    pub gravity: Vec<Range<u64>>,
    /// Parameters that it set, in their order: frames never descend.
    pub parameters: Vec<HandParameter>,
}

/// Skin vertices that a hand held, or pulled at, for some frames.
#[derive(Debug, Clone, PartialEq)]
pub struct HandHold {
    /// The first of these frames.
    pub first: u64,
    /// Skin vertices, ascending.
    pub vertices: Vec<u32>,
    /// For each frame the displacement from rest at which they were held, m; of a pull the force on all of them together, N.
    pub values: Vec<Vec3>,
}

impl HandHold {
    /// The first frame in which they are free again.
    pub fn end(&self) -> u64 {
        self.first + self.values.len() as u64
    }
}

impl HandMotion {
    /// The motion in a scene with `frame_rate` frames a second and the hand `before` in it, from the input of each frame, ascending, and from the parameters that were set.
    pub(crate) fn recorded<'a>(
        before: Option<&Self>,
        frame_rate: f64,
        inputs: impl Iterator<Item = (u64, &'a Interaction)>,
        parameters: &[HandParameter],
    ) -> Self {
        let mut now = Self {
            frame_rate,
            parameters: parameters.to_vec(),
            ..Self::default()
        };
        for (frame, interaction) in inputs {
            now.add(frame, interaction);
        }
        if let Some(last) = parameters.last() {
            // what is set before the first frame needs a motion to stand in, too
            now.frames = now.frames.max(last.frame).max(1);
        }
        match before {
            Some(before) => now.merged_over(before),
            None => now,
        }
    }

    /// The same hand without the parameters that it set: what it does to all methods alike. `None` where it did nothing else.
    pub(crate) fn without_parameters(&self) -> Option<Self> {
        self.moves().then(|| Self {
            parameters: Vec::new(),
            ..self.clone()
        })
    }

    fn add(&mut self, frame: u64, interaction: &Interaction) {
        self.frames = frame + 1;
        self.tool
            .extend(interaction.tool_position.map(|place| (frame, place)));
        if let Some(grab) = &interaction.grab {
            hold(&mut self.grabs, frame, &grab.vertices, grab.displacement);
        }
        if let Some(pull) = &interaction.pull {
            hold(&mut self.pulls, frame, &pull.vertices, pull.force);
        }
        let blade = interaction.blade.iter();
        self.blades
            .extend(blade.map(|blade| (frame, [blade.from, blade.to])));
        if interaction.gravity_on {
            match self.gravity.last_mut().filter(|span| span.end == frame) {
                Some(span) => span.end = frame + 1,
                None => self.gravity.push(frame..frame + 1),
            }
        }
    }

    /// Merges this motion over that of another hand, which continues where this one does nothing, like a user who takes over while a window repeats a scene.
    fn merged_over(mut self, before: &Self) -> Self {
        let moved_frames: Vec<u64> = self.tool.iter().map(|(frame, _)| *frame).collect();
        let kept = before.tool.iter();
        self.tool
            .extend(kept.filter(|(frame, _)| moved_frames.binary_search(frame).is_err()));
        self.tool.sort_by_key(|(frame, _)| *frame);
        self.grabs.extend(before.grabs.iter().cloned());
        self.grabs.sort_by_key(|grab| grab.first);
        self.pulls.extend(before.pulls.iter().cloned());
        self.pulls.sort_by_key(|pull| pull.first);
        self.blades.extend(&before.blades);
        self.blades.sort_by_key(|(frame, _)| *frame);
        self.gravity.extend(before.gravity.iter().cloned());
        self.gravity.sort_by_key(|span| span.start);
        self.parameters = merged_over(self.parameters, &before.parameters);
        self.frames = self.frames.max(before.frames);
        self
    }

    /// Whether it did anything.
    pub fn is_idle(&self) -> bool {
        !self.moves() && self.parameters.is_empty()
    }

    /// Whether it did anything but to set parameters.
    pub fn moves(&self) -> bool {
        !(self.tool.is_empty()
            && self.grabs.is_empty()
            && self.pulls.is_empty()
            && self.blades.is_empty()
            && self.gravity.is_empty())
    }

    /// Whether a run has to last as long as the motion to repeat all of it: parameters that were set before the first frame need no time.
    pub(crate) fn takes_time(&self) -> bool {
        self.moves() || self.parameters.iter().any(|set| set.frame > 0)
    }

    /// What it pulls at in a frame, and with which force, N.
    pub(crate) fn pulls_in(&self, frame: u64) -> impl Iterator<Item = (&[u32], Vec3)> {
        self.pulls.iter().filter_map(move |pull| {
            let k = usize::try_from(frame.checked_sub(pull.first)?).ok()?;
            Some((&pull.vertices[..], *pull.values.get(k)?))
        })
    }

    /// The edges of its blades in a frame, when it begins and when it ends, m.
    pub(crate) fn blades_in(&self, frame: u64) -> impl Iterator<Item = &[[Vec3; 2]; 2]> {
        let first = self.blades.partition_point(|(f, _)| *f < frame);
        let after = self.blades[first..].iter();
        after
            .take_while(move |(f, _)| *f == frame)
            .map(|(_, edges)| edges)
    }

    /// Whether it has gravity switched on in a frame. After its last frame that stays as it was.
    pub(crate) fn gravity_in(&self, frame: u64) -> bool {
        let frame = frame.min(self.frames.saturating_sub(1));
        self.gravity.iter().any(|span| span.contains(&frame))
    }
}

/// Adds a frame in which the hand holds `vertices` with a displacement or a force: extends the last hold of `holds`, or starts another one.
fn hold(holds: &mut Vec<HandHold>, frame: u64, vertices: &[u32], value: Vec3) {
    if vertices.is_empty() {
        return;
    }
    let goes_on = |last: &&mut HandHold| last.end() == frame && last.vertices == vertices;
    match holds.last_mut().filter(goes_on) {
        Some(last) => last.values.push(value),
        None => holds.push(HandHold {
            first: frame,
            vertices: vertices.to_vec(),
            values: vec![value],
        }),
    }
}
