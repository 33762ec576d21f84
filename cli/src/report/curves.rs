//! Curves inside of frames, as a table that spreadsheets read.

use std::fmt::Write as _;

use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_recording::export::csv_line;
use pliant_simulation::compare::{Comparison, MethodRun};

use super::metric_columns::{MetricColumns, write_field};

/// The columns are the time, and for each method the force of each tool and grab (N), each probe (m), and for each point inside the displacement (m), the stress, and
/// the stress of von Mises (Pa). The forces and probes of the reference come next, where there is one, then the metrics of each method, and the distance of the skins of each two
/// methods (root mean square and largest, m).
pub fn curves_csv(comparison: &Comparison) -> String {
    let metrics: Vec<MetricColumns<'_>> = comparison
        .runs()
        .map(|(method, run)| MetricColumns::new(method, &run.metrics))
        .collect();
    let mut text = csv_line(&heads(comparison, &metrics));
    let reference = comparison.reference();
    let frames = comparison
        .runs()
        .map(|(_, run)| run.frames)
        .max()
        .unwrap_or(0);
    for frame in 0..frames {
        let _ = write!(
            text,
            "{:.6}",
            (frame + 1) as f64 * comparison.frame_duration
        );
        for (_, run) in comparison.runs() {
            write_run(&mut text, run, frame);
        }
        if let Some(reference) = reference {
            for curve in &reference.fine.forces {
                write_field(&mut text, curve.get(frame).copied());
            }
            for curve in &reference.fine.probes {
                write_position(&mut text, curve.get(frame));
            }
        }
        for columns in &metrics {
            columns.write(&mut text, frame);
        }
        for pair in &comparison.pairs {
            let distance = pair.curve.get(frame);
            write_field(&mut text, distance.map(|d| d.rms));
            write_field(&mut text, distance.map(|d| d.max));
        }
        text.push('\n');
    }
    text
}

fn heads(comparison: &Comparison, metrics: &[MetricColumns<'_>]) -> Vec<String> {
    let mut heads = vec!["time_s".to_string()];
    for (method, run) in comparison.runs() {
        let kind = method.name();
        for (name, _) in &run.force_curves {
            heads.push(format!("{kind}.force.{name}_n"));
        }
        for (name, _) in &run.probe_curves {
            heads.extend(probe_heads(kind, name));
        }
        for point in &run.point_curves {
            heads.extend(
                PointState::COLUMNS.map(|column| format!("{kind}.inside.{}.{column}", point.name)),
            );
        }
    }
    if comparison.reference().is_some() {
        let names = comparison.setup.force_names();
        heads.extend(names.map(|name| format!("reference.force.{name}_n")));
        for probe in &comparison.setup.probes {
            heads.extend(probe_heads("reference", &probe.name));
        }
    }
    heads.extend(metrics.iter().flat_map(MetricColumns::heads));
    for pair in &comparison.pairs {
        let names = format!("distance.{}.{}", pair.a.name(), pair.b.name());
        heads.extend(["rms", "max"].map(|what| format!("{names}.{what}_m")));
    }
    heads
}

fn probe_heads(of: &str, name: &str) -> [String; 3] {
    ["x", "y", "z"].map(|axis| format!("{of}.probe.{name}.{axis}_m"))
}

/// Writes the values of a method in a frame, without metrics, each after a comma.
fn write_run(text: &mut String, run: &MethodRun, frame: usize) {
    for (_, curve) in &run.force_curves {
        write_field(text, curve.get(frame).copied());
    }
    for (_, curve) in &run.probe_curves {
        write_position(text, curve.get(frame));
    }
    for point in &run.point_curves {
        let _ = match point.states.get(frame) {
            Some(s) => {
                let [x, y, z]: [f64; 3] = s.displacement.into();
                let values = [x, y, z].into_iter().chain(s.stress);
                let mut values = values.chain([s.von_mises()]);
                values.try_for_each(|value| write!(text, ",{value:e}"))
            }
            None => write!(text, "{}", ",".repeat(PointState::COLUMNS.len())),
        };
    }
}

fn write_position(text: &mut String, position: Option<&Vec3>) {
    for axis in 0..3 {
        write_field(text, position.map(|p| p[axis]));
    }
}
