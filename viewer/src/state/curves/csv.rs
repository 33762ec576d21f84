//! The curves as comma-separated values.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant_core::scene::Method;
use pliant_simulation::snapshot::WorldSnapshot;
use pliant_simulation::world::METRICS;

use super::curve::Curve;
use super::history::History;
use crate::state::new_file::sanitized;

impl History {
    /// All curves of the panes of a snapshot, except that of the servo loop, which has other times: a column of times in s, then columns named by method, quantity and unit, then the
    /// metrics and the distances between skins. A missing value is an empty field. A curve without values has no column.
    pub fn csv(&self, snapshot: &WorldSnapshot) -> String {
        let methods: Vec<Method> = snapshot.panes.iter().map(|p| p.method).collect();
        let mut columns: Vec<(String, &Curve)> = Vec::new();
        for (curves, method) in self.curves.iter().zip(&methods) {
            let name = |what: &str, unit: &str| format!("{}_{what}_{unit}", method.name());
            columns.push((name("force", "N"), &curves.force));
            for (k, probe) in curves.probes.iter().enumerate() {
                // existing scripts use this name for the first one
                let what = match (k, self.probe_names.get(k)) {
                    (0, _) => "probe".to_string(),
                    (_, Some(name)) => format!("probe_{}", sanitized(name)),
                    (k, None) => format!("probe_{}", k + 1),
                };
                columns.push((name(&what, "m"), probe));
            }
            for ([moved, stress], point) in curves.points.iter().zip(&self.point_names) {
                let point = sanitized(point);
                columns.push((name(&format!("{point}_displacement"), "m"), moved));
                columns.push((name(&format!("{point}_von_mises"), "Pa"), stress));
            }
        }
        // after all columns that existing scripts use
        for (curves, method) in self.curves.iter().zip(&methods) {
            for (curve, metric) in curves.metrics.iter().zip(METRICS) {
                let unit = match metric.unit {
                    "" => String::new(),
                    unit => format!("_{unit}"),
                };
                columns.push((format!("{}_{}{unit}", method.name(), metric.name), curve));
            }
        }
        for (k, (curves, method)) in self.curves.iter().zip(&methods).enumerate() {
            // the distance is symmetric
            for ([rms, max], other) in curves.distances.iter().zip(&methods).skip(k + 1) {
                let pair = format!("{}_distance_{}", method.name(), other.name());
                columns.push((format!("{pair}_rms_m"), rms));
                columns.push((format!("{pair}_max_m"), max));
            }
        }
        columns.retain(|(_, curve)| !curve.is_empty());
        // times are not negative, so that their bits have the same order
        let mut rows: BTreeMap<u64, Vec<Option<f64>>> = BTreeMap::new();
        for (k, (_, curve)) in columns.iter().enumerate() {
            for [time, value] in curve.points() {
                let row = rows.entry(time.to_bits()).or_default();
                row.resize(columns.len(), None);
                row[k] = Some(value);
            }
        }
        let mut text = String::from("time_s");
        for (name, _) in &columns {
            text.push(',');
            text.push_str(name);
        }
        text.push('\n');
        for (time, row) in rows {
            // writing to a string cannot fail
            let _ = write!(text, "{}", f64::from_bits(time));
            for value in row {
                text.push(',');
                if let Some(value) = value {
                    let _ = write!(text, "{value}");
                }
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::ForceSource;

    #[test]
    fn a_row_has_all_methods_at_one_time_and_empty_fields_for_missing_values() {
        let mut snapshot = crate::testing::snapshot();
        let source = ForceSource::of(&snapshot, false);
        let mut history = History::default();
        for k in 1..=3 {
            if k == 2 {
                snapshot.panes[2].state = pliant_simulation::snapshot::PaneState::Ready;
            }
            crate::testing::run_to(&mut snapshot, 15 * k);
            history.record(&snapshot, &source);
        }
        let text = history.csv(&snapshot);
        let lines: Vec<&str> = text.lines().collect();
        let head =
            "time_s,adaptive_force_N,adaptive_tendon_displacement_m,adaptive_tendon_von_mises_Pa,";
        let last = snapshot.panes[2].method.name();
        assert_eq!(lines[0], format!("{head}{last}_force_N"));
        assert_eq!(lines[1], "0.25,5,0.002,3000,");
        assert_eq!(lines[2], "0.5,5,0.002,3000,0");
        assert_eq!(lines.len(), 4);
    }
}
