//! Curves as a table: where tools were, and what each method found.

use std::borrow::Cow;
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

/// The columns are the time, position and orientation (quaternion) of each tool, and for each method the norm of the force of each tool and grab, the force on the body, the torque on the body about the
/// origin of the tool, each probe, and for each point inside displacement, stress, and the stress of von Mises. Cells of frames that were not computed are empty.
fn table(recording: &Recording<'_>) -> String {
    let header = &recording.header;
    let heads = heads(header);
    let mut text = heads.join(",");
    text.push('\n');
    for frame in &recording.frames {
        // writing into a string cannot fail
        let _ = write!(text, "{}", frame.time);
        for pose in &frame.tools {
            cells(&mut text, pose.position.iter());
            cells(&mut text, pose.orientation.coords.iter());
        }
        for (found, described) in frame.methods.iter().zip(&header.methods) {
            if found.computed {
                row(&mut text, found);
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

fn heads(header: &Header) -> Vec<Cow<'static, str>> {
    let mut heads = vec!["time_s".to_string()];
    let axes = ["x", "y", "z"];
    for tool in &header.tools {
        heads.extend(axes.map(|axis| format!("tool.{tool}.{axis}_m")));
        heads.extend(["i", "j", "k", "w"].map(|part| format!("tool.{tool}.{part}")));
    }
    for method in &header.methods {
        let kind = method.method.name();
        for name in &header.tools {
            heads.push(format!("{kind}.force.{name}_n"));
            heads.extend(axes.map(|axis| format!("{kind}.force.{name}.{axis}_n")));
            heads.extend(axes.map(|axis| format!("{kind}.torque.{name}.{axis}_nm")));
        }
        for name in &header.grabs {
            heads.push(format!("{kind}.force.{name}_n"));
            heads.extend(axes.map(|axis| format!("{kind}.force.{name}.{axis}_n")));
        }
        for name in &header.probes {
            heads.extend(axes.map(|axis| format!("{kind}.probe.{name}.{axis}_m")));
        }
        for (name, _) in &method.inside {
            heads
                .extend(PointState::COLUMNS.map(|column| format!("{kind}.inside.{name}.{column}")));
        }
    }
    heads.into_iter().map(quoted).collect()
}

fn row(text: &mut String, found: &MethodFrame) {
    // what the tool does to the body; no minus before a zero
    let opposite = |x: &Vec3| x.map(|x| 0.0 - x);
    for wrench in &found.wrenches {
        cells(text, [wrench.force.norm()].iter());
        cells(text, opposite(&wrench.force).iter());
        cells(text, opposite(&wrench.torque).iter());
    }
    for force in &found.grabs {
        cells(text, [force.norm()].iter());
        cells(text, force.iter());
    }
    for probe in &found.probes {
        cells(text, probe.iter());
    }
    for point in &found.inside {
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

/// A field as RFC 4180 has it: what parts fields or lines stands in quotes.
fn quoted(field: String) -> Cow<'static, str> {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")).into(),
        false => field.into(),
    }
}
