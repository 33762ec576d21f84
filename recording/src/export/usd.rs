//! Universal Scene Description as text: a mesh a method with positions over time, and with triangles over time where it is cut.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::asset::bytes::WholeFile;

use super::error::ExportError;
use super::surfaces::{extent, for_each_surface};
use super::whole_file::{unwritable, whole_file};
use crate::contents::{Skin, Surface};
use crate::reader::Recording;

pub(super) const FILE: &str = "recording.usda";

pub(super) fn write(
    recording: &Recording<'_>,
    folder: &Path,
    progress: &Progress,
) -> Result<(), ExportError> {
    let path = &folder.join(FILE);
    let failed = |e: io::Error| unwritable(path, &e);
    let rate = frame_rate(recording.header.frame_duration);
    let last = recording.surface_frames().last().map_or(0, |f| f + 1);
    whole_file(path, |out| {
        write!(
            out,
            "#usda 1.0\n(\n    defaultPrim = \"recording\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n    startTimeCode = 0\n    endTimeCode = {last}\n    timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n)\n\ndef Xform \"recording\"\n{{\n"
        )
        .map_err(failed)?;
        for k in 0..recording.header.methods.len() {
            write_mesh(recording, k, out, &failed, progress)?;
        }
        writeln!(out, "}}").map_err(failed)
    })
}

/// Frames per second of frames of `duration` seconds, with the fewest digits that give the same duration.
fn frame_rate(duration: f64) -> f64 {
    let exact = 1.0 / duration;
    let rounded = (0..16_usize).filter_map(|digits| format!("{exact:.digits$e}").parse().ok());
    let mut same = rounded.filter(|rate: &f64| 1.0 / rate == duration);
    same.next().unwrap_or(exact)
}

/// Writes the mesh of method number `method`. Time codes count frames: 0 is the skin at rest, 1 the end of the first frame.
fn write_mesh(
    recording: &Recording<'_>,
    method: usize,
    out: &mut WholeFile,
    failed: &impl Fn(io::Error) -> ExportError,
    progress: &Progress,
) -> Result<(), ExportError> {
    let skin = &recording.skin;
    let name = recording.header.methods[method].method.name();
    let mut head = || -> io::Result<()> {
        write!(
            out,
            "    def Mesh \"{name}\"\n    {{\n        uniform token subdivisionScheme = \"none\"\n"
        )?;
        if !recording.has_cuts(method) {
            write!(out, "        int[] faceVertexCounts = ")?;
            write_counts(out, skin)?;
            write!(out, "\n        int[] faceVertexIndices = ")?;
            write_corners(out, skin)?;
            writeln!(out)?;
        }
        writeln!(out, "        point3f[] points.timeSamples = {{")
    };
    head().map_err(failed)?;
    let mut extents = Vec::new();
    // the triangles from each time code on at which they change
    let mut topologies: Vec<(usize, Option<Arc<Skin>>)> = vec![(0, None)];
    let mut add = |code: usize, surface: Surface| -> Result<(), ExportError> {
        let (_, positions) = surface.shown(skin);
        let mut sample = || -> io::Result<()> {
            write!(out, "            {code}: ")?;
            write_list(out, positions, write_point)?;
            writeln!(out, ",")
        };
        sample().map_err(failed)?;
        extents.push((code, extent(positions)));
        let cut = surface.cut.map(|cut| cut.skin);
        let pointer = |cut: &Option<Arc<Skin>>| cut.as_ref().map(Arc::as_ptr);
        if topologies.last().map(|(_, last)| pointer(last)) != Some(pointer(&cut)) {
            topologies.push((code, cut));
        }
        Ok(())
    };
    add(0, Surface::from(skin.rest.clone()))?;
    for_each_surface(recording, method, (0, 1), progress, |stored| {
        add(stored.frame + 1, stored.surface)
    })?;
    let mut tail = || -> io::Result<()> {
        if topologies.len() > 1 {
            write_topologies(out, skin, &topologies)?;
        }
        write!(
            out,
            "        }}\n        float3[] extent.timeSamples = {{\n"
        )?;
        for (code, corners) in &extents {
            write!(out, "            {code}: ")?;
            write_list(out, corners, write_point)?;
            writeln!(out, ",")?;
        }
        write!(out, "        }}\n    }}\n")
    };
    tail().map_err(failed)
}

/// Writes the triangles from each time code on; `None` for those of the skin.
fn write_topologies(
    out: &mut WholeFile,
    skin: &Skin,
    topologies: &[(usize, Option<Arc<Skin>>)],
) -> io::Result<()> {
    type WriteOne = fn(&mut WholeFile, &Skin) -> io::Result<()>;
    let both: [(&str, WriteOne); 2] = [
        ("faceVertexCounts", write_counts),
        ("faceVertexIndices", write_corners),
    ];
    for (name, write_one) in both {
        write!(out, "        }}\n        int[] {name}.timeSamples = {{\n")?;
        for (code, cut) in topologies {
            write!(out, "            {code}: ")?;
            write_one(out, cut.as_deref().unwrap_or(skin))?;
            writeln!(out, ",")?;
        }
    }
    Ok(())
}

fn write_counts(out: &mut WholeFile, skin: &Skin) -> io::Result<()> {
    write_list(out, &skin.triangles, |out, _| write!(out, "3"))
}

fn write_corners(out: &mut WholeFile, skin: &Skin) -> io::Result<()> {
    write_list(out, skin.triangles.as_flattened(), |out, v| {
        write!(out, "{v}")
    })
}

fn write_point(out: &mut WholeFile, [x, y, z]: &[f32; 3]) -> io::Result<()> {
    write!(out, "({x:?}, {y:?}, {z:?})")
}

fn write_list<T>(
    out: &mut WholeFile,
    items: &[T],
    write_one: impl Fn(&mut WholeFile, &T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "[")?;
    for (k, item) in items.iter().enumerate() {
        if k > 0 {
            write!(out, ", ")?;
        }
        write_one(out, item)?;
    }
    write!(out, "]")
}

#[cfg(test)]
mod tests {
    use super::frame_rate;

    #[test]
    fn the_frame_rate_is_the_one_that_a_scene_writes() {
        for (rate, text) in [
            (60.0, "60"),
            (29.97, "29.97"),
            (23.976, "23.976"),
            (1000.0, "1000"),
            (0.1, "0.1"),
            (100.0 / 3.0, "33.333333333333336"),
        ] {
            assert_eq!(frame_rate(1.0 / rate).to_string(), text);
        }
    }
}
