//! What there is to show, and what the reference says of it.

use pliant_simulation::snapshot::ReferenceStatus;

use crate::panels::Context;
use crate::state::{Curve, ForceSource, Plotted};

/// What there is to show, with its name; nothing where a scene has no tool, no grab, no probe and no point inside.
pub fn choices(cx: &Context<'_>, source: &ForceSource) -> Vec<(Plotted, String)> {
    let setup = cx.snapshot.setup.as_ref();
    let probes = setup.iter().flat_map(|s| &s.probes).enumerate();
    let mut all = Vec::new();
    if *source != ForceSource::Nothing {
        all.push((Plotted::Force, "Force".to_string()));
    }
    if cx.snapshot.felt.is_some() {
        all.push((Plotted::Felt, "Felt".to_string()));
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
    all
}

/// Height that the axis has at least, in the unit shown.
pub fn least_height(plotted: Plotted) -> f64 {
    match plotted {
        Plotted::Force | Plotted::Felt => 0.1,
        Plotted::Probe(_) | Plotted::PointDisplacement(_) => 1e-3,
        Plotted::PointStress(_) => 1.0,
    }
}

/// The curve of the reference from `begin` to `end` (s): force on the tools (N), or displacement of a probe (m). Where its script begins anew, the
/// curve is broken.
pub fn reference_curve(
    cx: &Context<'_>,
    source: &ForceSource,
    plotted: Plotted,
    (begin, end): (f64, f64),
) -> Option<Curve> {
    let ReferenceStatus::Ready(reference) = &cx.snapshot.reference else {
        return None;
    };
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
    let values: Vec<f64> = match (plotted, source) {
        (Plotted::Force, ForceSource::Tool(k, _)) => forces(*k)?,
        (Plotted::Force, ForceSource::Tools(all)) => together(all)?,
        (Plotted::Force, ForceSource::ScriptedGrab(_)) => forces(run.forces.len().checked_sub(1)?)?,
        (Plotted::Probe(k), _) => run.probes.get(k)?.iter().map(|v| v.norm()).collect(),
        _ => return None,
    };
    if values.is_empty() {
        return None;
    }
    let repeats = setup.tools.iter().any(|t| t.path.period().is_some());
    let frame = setup.frame_duration();
    let first = (begin.max(0.0) / frame).round() as usize;
    let last = (end / frame).round() as usize;
    let mut curve = Curve::default();
    for k in first..last {
        let index = if repeats { k % values.len() } else { k };
        if index == 0 && k > 0 {
            curve.interrupt();
        }
        if let Some(value) = values.get(index) {
            curve.push((k + 1) as f64 * frame, *value);
        }
    }
    Some(curve)
}
