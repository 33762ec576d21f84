//! The curves as comma-separated values.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pliant_simulation::snapshot::WorldSnapshot;

use super::curve::Curve;
use super::history::History;
use super::plotted::Plotted;
use crate::state::new_file::sanitized;

impl History {
    /// All curves of the panes of a snapshot, except that of the servo loop, which has other times: a column of times in s, then columns named by method, quantity and unit, then the
    /// metrics and the distances between skins. A missing value is an empty field. A curve without values has no column.
    pub fn csv(&self, snapshot: &WorldSnapshot) -> String {
        let name = |k: usize| snapshot.panes.get(k).map_or("", |pane| pane.method.name());
        let mut columns: Vec<(usize, String, &Curve)> = Vec::new();
        for (k, curves) in self.curves.iter().enumerate() {
            for (plotted, curve) in &curves.0 {
                // the later ones come after all columns that existing scripts use
                let (order, what) = match *plotted {
                    _ if curve.is_empty() => continue,
                    Plotted::Force => (0, "force_N".to_string()),
                    Plotted::Probe(probe) => (0, self.probe_column(probe)),
                    Plotted::PointDisplacement(point) => {
                        (0, format!("{}_displacement_m", self.point(point)))
                    }
                    Plotted::PointStress(point) => {
                        (0, format!("{}_von_mises_Pa", self.point(point)))
                    }
                    Plotted::Metric(metric) if metric.unit.is_empty() => {
                        (1, metric.name.to_string())
                    }
                    Plotted::Metric(metric) => (1, format!("{}_{}", metric.name, metric.unit)),
                    // the distance is symmetric
                    Plotted::Distance(other) if other > k => {
                        (2, format!("distance_{}_rms_m", name(other)))
                    }
                    Plotted::LargestDistance(other) if other > k => {
                        (2, format!("distance_{}_max_m", name(other)))
                    }
                    _ => continue,
                };
                columns.push((order, format!("{}_{what}", name(k)), curve));
            }
        }
        columns.sort_by_key(|(order, ..)| *order);
        // times are not negative, so that their bits have the same order
        let mut rows: BTreeMap<u64, Vec<Option<f64>>> = BTreeMap::new();
        for (k, (.., curve)) in columns.iter().enumerate() {
            for [time, value] in curve.points() {
                let row = rows.entry(time.to_bits()).or_default();
                row.resize(columns.len(), None);
                row[k] = Some(value);
            }
        }
        let mut text = String::from("time_s");
        for (_, name, _) in &columns {
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

    fn probe_column(&self, k: usize) -> String {
        match (k, self.probe_names.get(k)) {
            // existing scripts use this name for the first one
            (0, _) => "probe_m".to_string(),
            (_, Some(name)) => format!("probe_{}_m", sanitized(name)),
            (k, None) => format!("probe_{}_m", k + 1),
        }
    }

    fn point(&self, k: usize) -> String {
        let name = self.point_names.get(k);
        name.map(|name| sanitized(name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_all_methods_at_one_time_and_empty_fields_for_missing_values() {
        let mut snapshot = crate::testing::snapshot();
        let mut history = History::default();
        for k in 1..=3 {
            if k == 2 {
                snapshot.panes[2].state = pliant_simulation::snapshot::PaneState::Ready;
            }
            history.record_frame(&mut snapshot, 15 * k);
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
