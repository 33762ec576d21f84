//! Curves as a table: poses of tools, and the results of each method.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;

use super::error::ExportError;
use super::whole_file::written_file;
use crate::contents::{Header, MethodFrame};
use crate::reader::Recording;

pub(super) const FILE: &str = "recording.csv";

pub(super) fn write(recording: &Recording<'_>, folder: &Path) -> Result<(), ExportError> {
    let text = table(recording);
    written_file(&folder.join(FILE), |out| out.write_all(text.as_bytes()))
}

/// The columns are the time, then position and orientation (quaternion) of each tool. For each method, there are force on the body (norm and components) and torque on the body about the
/// origin of the tool for each tool, the force of each grab on the body, each probe, and displacement, stress and von Mises stress of each point inside. Cells of frames that were not computed are empty.
fn table(recording: &Recording<'_>) -> String {
    let header = &recording.header;
    let mut text = csv_line(&column_names(header));
    for frame in &recording.frames {
        // writing into a string cannot fail
        let _ = write!(text, "{}", frame.time);
        for pose in &frame.tools {
            cells(&mut text, pose.position.iter());
            cells(&mut text, pose.orientation.coords.iter());
        }
        for (result, described) in frame.methods.iter().zip(&header.methods) {
            if result.computed {
                write_result(&mut text, result);
            } else {
                let forces = 7 * header.tools.len() + 4 * header.grabs.len();
                let points = PointState::COLUMNS.len() * described.inside.len();
                text += &",".repeat(forces + 3 * header.probes.len() + points);
            }
        }
        text.push('\n');
    }
    text
}

fn column_names(header: &Header) -> Vec<String> {
    let mut names = vec!["time_s".to_string()];
    let axes = ["x", "y", "z"];
    for tool in &header.tools {
        names.extend(axes.map(|axis| format!("tool.{tool}.{axis}_m")));
        names.extend(["i", "j", "k", "w"].map(|part| format!("tool.{tool}.{part}")));
    }
    for method in &header.methods {
        let kind = method.method.name();
        for name in &header.tools {
            names.push(format!("{kind}.force.{name}_n"));
            names.extend(axes.map(|axis| format!("{kind}.force.{name}.{axis}_n")));
            names.extend(axes.map(|axis| format!("{kind}.torque.{name}.{axis}_nm")));
        }
        for name in &header.grabs {
            names.push(format!("{kind}.force.{name}_n"));
            names.extend(axes.map(|axis| format!("{kind}.force.{name}.{axis}_n")));
        }
        for name in &header.probes {
            names.extend(axes.map(|axis| format!("{kind}.probe.{name}.{axis}_m")));
        }
        for (name, _) in &method.inside {
            names
                .extend(PointState::COLUMNS.map(|column| format!("{kind}.inside.{name}.{column}")));
        }
    }
    names
}

fn write_result(text: &mut String, result: &MethodFrame) {
    // the force of the tool on the body; no minus before a zero
    let opposite = |x: &Vec3| x.map(|x| 0.0 - x);
    for wrench in &result.wrenches {
        cells(text, [wrench.force.norm()].iter());
        cells(text, opposite(&wrench.force).iter());
        cells(text, opposite(&wrench.torque).iter());
    }
    for force in &result.grabs {
        cells(text, [force.norm()].iter());
        cells(text, force.iter());
    }
    for probe in &result.probes {
        cells(text, probe.iter());
    }
    for point in &result.inside {
        cells(text, point.displacement.iter());
        cells(text, point.stress.iter());
        cells(text, [point.von_mises()].iter());
    }
}

fn cells<'a>(text: &mut String, values: impl Iterator<Item = &'a f64>) {
    for value in values {
        // writing into a string cannot fail
        let _ = write!(text, ",{value:e}");
    }
}

/// The line with the names of a table's columns. A name is in quotes where it contains a separator (RFC 4180). A name that occurs again is numbered: a tool and a grab may have the same name.
pub fn csv_line(names: &[String]) -> String {
    let mut taken = BTreeSet::new();
    let unique = names.iter().filter_map(|name| {
        let numbered = (2..).map(|k| format!("{name} ({k})"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        candidates.find(|candidate| taken.insert(candidate.clone()))
    });
    let fields: Vec<String> = unique.map(|name| quoted(&name).into_owned()).collect();
    fields.join(",") + "\n"
}

fn quoted(field: &str) -> Cow<'_, str> {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")).into(),
        false => field.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_quotes_stay_one_field() {
        assert_eq!(quoted("lattice.force.finger_n"), "lattice.force.finger_n");
        assert_eq!(quoted("tip, left"), "\"tip, left\"");
        assert_eq!(quoted("the \"tip\""), "\"the \"\"tip\"\"\"");
    }

    #[test]
    fn a_column_whose_name_occurs_again_gets_a_number() {
        let names = ["t", "k_n", "k_n", "k_n"].map(String::from);
        assert_eq!(csv_line(&names), "t,k_n,k_n (2),k_n (3)\n");
    }
}
