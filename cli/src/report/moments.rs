//! The moments of which the page has pictures.

use pliant_core::contact::tool::Tool;
use pliant_core::diagnostics::capitalised;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::Method;
use pliant_simulation::compare::Comparison;
use serde_json::{Value, json};

use super::pictures::most_active_frame;

/// Most pictures of a method.
const MAX_COUNT: usize = 3;

/// A moment that the page shows, the same for all methods.
pub(super) struct ShownMoment<'a> {
    /// What it tells, one name or several.
    names: Vec<&'static str>,
    /// The frame, from 0.
    frame: usize,
    /// The end of the frame, s.
    time: f64,
    /// Tools in it.
    pub(super) tools: &'a [Tool],
    /// The skin of each method that can run.
    pub(super) skins: Vec<(Method, &'a SurfaceFrame)>,
}

impl ShownMoment<'_> {
    /// What it tells, and its time.
    pub(super) fn caption(&self) -> String {
        let names = self.names.join(" and ").replace('_', " ");
        format!("{}, at {:.3} s", capitalised(&names), self.time)
    }
}

/// At most three moments in the order of time: those that the comparison found, then the one of the largest motion in the kept frames, which are four a second. None where no skins were kept.
pub(super) fn shown_moments(comparison: &Comparison) -> Vec<ShownMoment<'_>> {
    let found = comparison.moments.iter().map(|moment| {
        let skins = moment.skins.iter().map(|(method, skin)| (*method, skin));
        ShownMoment {
            names: vec![moment.kind.name()],
            frame: moment.frame,
            time: (moment.frame + 1) as f64 * comparison.frame_duration,
            tools: &moment.tools,
            skins: skins.collect(),
        }
    });
    let mut shown: Vec<ShownMoment<'_>> = Vec::new();
    for moment in found.chain(largest_motion(comparison)) {
        match shown.iter().position(|s| s.frame == moment.frame) {
            Some(k) => shown[k].names.extend(moment.names),
            None if shown.len() < MAX_COUNT => shown.push(moment),
            None => {}
        }
    }
    shown.sort_by_key(|moment| moment.frame);
    shown
}

/// The kept frame in which the bodies have moved most; `None` where no skins were kept.
fn largest_motion(comparison: &Comparison) -> Option<ShownMoment<'_>> {
    let kept: Vec<&[SurfaceFrame]> = comparison
        .runs()
        .map(|(_, run)| run.kept.as_slice())
        .collect();
    let k = most_active_frame(&comparison.setup, &kept);
    let time = *comparison.kept_times.get(k)?;
    let skins = comparison
        .runs()
        .filter_map(|(method, run)| Some((method, run.kept.get(k)?)));
    Some(ShownMoment {
        names: vec!["largest_motion"],
        frame: ((time / comparison.frame_duration).round() as usize).saturating_sub(1),
        time,
        tools: comparison.kept_tools.get(k).map_or(&[][..], Vec::as_slice),
        skins: skins.collect(),
    })
}

/// The moments as JSON.
pub(super) fn moments_json(comparison: &Comparison) -> Value {
    let moments = shown_moments(comparison);
    let moments = moments.iter().map(
        |moment| json!({ "names": moment.names, "frame": moment.frame, "time_s": moment.time }),
    );
    moments.collect()
}
