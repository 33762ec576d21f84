//! What there is to show, and what the reference says of it.

use pliant_simulation::reference::Reference;

use super::metrics::metrics;
use crate::panels::Context;
use crate::state::{Curve, ForceSource, Plotted};

/// What there is to show, with its name, the metrics last; nothing where a scene has no tool, no grab, no probe and no point inside, and nothing has run yet.
pub fn choices(cx: &Context<'_>, source: &ForceSource) -> Vec<(Plotted, String)> {
    let setup = cx.snapshot.setup.as_ref();
    let probes = setup.iter().flat_map(|s| &s.probes).enumerate();
    let mut all = Vec::new();
    if *source != ForceSource::Nothing {
        all.push((Plotted::Force, "Force".to_string()));
    }
    if cx.snapshot.force_feedback.is_some() {
        all.push((Plotted::ForceFeedback, "Felt".to_string()));
    }
    all.extend(probes.map(|(k, p)| (Plotted::Probe(k), format!("Probe {}", p.name))));
    let mut names: Vec<&str> = Vec::new();
    for pane in &cx.snapshot.panes {
        // panes with fewer points have the first ones
        for point in pane.points.iter().skip(names.len()) {
            names.push(&point.name);
        }
    }
    for (k, name) in names.into_iter().enumerate() {
        all.push((Plotted::PointDisplacement(k), format!("{name}: moved")));
        all.push((Plotted::PointStress(k), format!("{name}: stress")));
    }
    all.extend(metrics(cx));
    all
}

/// Height that the axis has at least, in the unit shown.
pub fn least_height(plotted: Plotted) -> f64 {
    match plotted {
        Plotted::Force | Plotted::ForceFeedback => 0.1,
        Plotted::PointStress(_) => 1.0,
        // energies of small bodies are small, too
        Plotted::Metric(_) if plotted.unit().0 == "mJ" => 1e-6,
        _ => 1e-3,
    }
}

/// What the curve of the reference is called.
pub fn reference_name(reference: &Reference) -> &'static str {
    match reference.is_estimate() {
        true => "Estimate",
        false => "Reference",
    }
}

/// The curve of the reference from `begin` to `end` (s): force on the tools (N), or displacement of a probe (m). Where its script begins anew, the
/// curve is broken. The reference of a touch has the frames of the touch alone.
pub fn reference_curve(
    cx: &Context<'_>,
    source: &ForceSource,
    plotted: Plotted,
    (begin, end): (f64, f64),
) -> Option<Curve> {
    let reference = cx.snapshot.reference.found()?;
    let setup = cx.snapshot.setup.as_ref()?;
    let run = &reference.fine;
    let forces = |curve: usize| run.forces.get(curve).cloned();
    let together = |all: &[usize]| -> Option<Vec<f64>> {
        let curves: Option<Vec<&Vec<f64>>> = all.iter().map(|&k| run.forces.get(k)).collect();
        let curves = curves?;
        let frames = curves.iter().map(|c| c.len()).min()?;
        let sum = |frame: usize| curves.iter().map(|c| c[frame]).sum::<f64>();
        Some((0..frames).map(sum).collect())
    };
    let touched = cx.snapshot.touched.as_ref();
    let values: Vec<f64> = match (plotted, source) {
        // a reference has the sizes of forces, and not their vectors
        (Plotted::Force, ForceSource::Hand(..)) => return None,
        (Plotted::Force, _) if touched.is_some() => forces(reference.force.as_ref()?.curve)?,
        (Plotted::Force, ForceSource::Tool(k, _)) => forces(*k)?,
        (Plotted::Force, ForceSource::Tools(all)) => together(all)?,
        (Plotted::Force, ForceSource::ScriptedGrab(_)) => forces(run.forces.len().checked_sub(1)?)?,
        (Plotted::Probe(k), _) => run.probes.get(k)?.iter().map(|v| v.norm()).collect(),
        _ => return None,
    };
    if values.is_empty() {
        return None;
    }
    let repeats = touched.is_none() && setup.tools.iter().any(|t| t.path.period().is_some());
    let origin = touched.map_or(0, |frames| frames.start as usize);
    let frame = setup.frame_duration();
    let first = (begin.max(0.0) / frame).round() as usize;
    let last = (end / frame).round() as usize;
    let mut curve = Curve::default();
    for k in first.max(origin)..last {
        let index = match repeats {
            true => k % values.len(),
            false => k - origin,
        };
        if index == 0 && k > 0 {
            curve.interrupt();
        }
        if let Some(value) = values.get(index) {
            curve.push((k + 1) as f64 * frame, *value);
        }
    }
    Some(curve)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_simulation::reference::{RecordedRun, ReferenceForce};
    use pliant_simulation::snapshot::ReferenceStatus;

    use super::*;
    use crate::state::UiState;
    use crate::testing::with_context;

    #[test]
    fn the_curve_of_a_touch_lies_where_the_hand_was() {
        let mut snapshot = crate::testing::snapshot();
        snapshot.touched = Some(120..180);
        snapshot.reference = ReferenceStatus::Ready(Arc::new(Reference {
            fine: RecordedRun {
                forces: vec![vec![0.0; 60], vec![4.0; 60]],
                ..RecordedRun::default()
            },
            coarse: None,
            // what the hand held, after the only tool
            force: Some(ReferenceForce {
                curve: 1,
                frames: vec![50, 51],
                force: 4.0,
                uncertainty: 0.1,
            }),
            ..Reference::default()
        }));
        let curve = |times| {
            with_context(&snapshot, &mut UiState::default(), |cx| {
                reference_curve(cx, &ForceSource::Grab, Plotted::Force, times)
            })
        };
        let found = curve((0.0, 10.0)).expect("a curve");
        // frames 120 to 179 end at 121/60 s to 3 s
        assert_eq!(found.at(2.5), Some(4.0));
        assert_eq!((found.at(1.9), found.at(3.2)), (None, None));
        let after = curve((4.0, 10.0)).expect("a curve");
        assert!(after.is_empty());
    }
}
