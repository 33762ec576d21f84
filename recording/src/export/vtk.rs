//! ParaView: a VTP file for each surface, and PVD collections with their times.

use std::io::Write;
use std::path::Path;

use pliant_core::asset::Progress;

use super::error::ExportError;
use super::surfaces::for_each_surface;
use super::whole_file::written_file;
use crate::contents::Skin;
use crate::reader::Recording;

/// The skin at rest, with which every animation begins.
const REST: &str = "vtk/rest.vtp";

/// The collection of all methods, each of which is a part.
const ALL: &str = "vtk/recording.pvd";

fn surface_file(method: &str, frame: usize) -> String {
    format!("vtk/{method}-{frame:06}.vtp")
}

pub(super) fn files(recording: &Recording<'_>) -> Vec<String> {
    let mut files = vec![ALL.to_string(), REST.to_string()];
    for method in &recording.header.methods {
        let name = method.method.name();
        files.push(format!("vtk/{name}.pvd"));
        let frames = recording.surface_frames();
        files.extend(frames.map(|frame| surface_file(name, frame)));
    }
    files
}

pub(super) fn write(
    recording: &Recording<'_>,
    folder: &Path,
    progress: &Progress,
) -> Result<(), ExportError> {
    let skin = &recording.skin;
    write_surface(&folder.join(REST), skin, &skin.rest, 0.0)?;
    let mut all = Vec::new();
    for (k, method) in recording.header.methods.iter().enumerate() {
        let name = method.method.name();
        let mut entries = vec![(0.0, k, name, REST.to_string())];
        for_each_surface(recording, k, (0, 1), progress, |stored| {
            let file = surface_file(name, stored.frame);
            let (shown, positions) = stored.surface.shown(skin);
            write_surface(&folder.join(&file), shown, positions, stored.time)?;
            entries.push((stored.time, k, name, file));
            Ok(())
        })?;
        // in its own collection a method is part 0
        let alone = entries.iter().cloned();
        let alone = alone.map(|(time, _, name, file)| (time, 0, name, file));
        let alone: Vec<Entry<'_>> = alone.collect();
        write_collection(&folder.join(format!("vtk/{name}.pvd")), &alone)?;
        all.extend(entries);
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    write_collection(&folder.join(ALL), &all)
}

/// Time (s), part, its name, and the file.
type Entry<'a> = (f64, usize, &'a str, String);

fn write_collection(path: &Path, entries: &[Entry<'_>]) -> Result<(), ExportError> {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (time, part, name, file) in entries {
        let file = file.trim_start_matches("vtk/");
        text += &format!(
            "<DataSet timestep=\"{time}\" part=\"{part}\" name=\"{name}\" file=\"{file}\"/>\n"
        );
    }
    text += "</Collection>\n</VTKFile>\n";
    written_file(path, |out| out.write_all(text.as_bytes()))
}

/// Writes one surface with its displacement from rest, as raw bytes after the tags.
fn write_surface(
    path: &Path,
    skin: &Skin,
    positions: &[[f32; 3]],
    time: f64,
) -> Result<(), ExportError> {
    let pairs = positions.iter().zip(&skin.rest);
    let displacement = pairs.flat_map(|(x, rest)| [0, 1, 2].map(|axis| x[axis] - rest[axis]));
    let offsets = (1..=skin.triangles.len()).map(|k| 3 * k as u32);
    let corners = skin.triangles.as_flattened().iter();
    let arrays: [Vec<u8>; 5] = [
        time.to_le_bytes().to_vec(),
        displacement.flat_map(f32::to_le_bytes).collect(),
        positions
            .as_flattened()
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect(),
        corners.flat_map(|v| v.to_le_bytes()).collect(),
        offsets.flat_map(u32::to_le_bytes).collect(),
    ];
    let mut starts = [0; 5];
    let mut next = 0;
    for (start, array) in starts.iter_mut().zip(&arrays) {
        *start = next;
        next += 8 + array.len();
    }
    let [time_at, displacement_at, points_at, corners_at, offsets_at] = starts;
    let (points, triangles) = (positions.len(), skin.triangles.len());
    let head = format!(
        "<?xml version=\"1.0\"?>
<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">
<PolyData>
<FieldData>
<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"appended\" offset=\"{time_at}\"/>
</FieldData>
<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"{triangles}\">
<PointData Vectors=\"displacement\">
<DataArray type=\"Float32\" Name=\"displacement\" NumberOfComponents=\"3\" format=\"appended\" offset=\"{displacement_at}\"/>
</PointData>
<Points>
<DataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"{points_at}\"/>
</Points>
<Polys>
<DataArray type=\"UInt32\" Name=\"connectivity\" format=\"appended\" offset=\"{corners_at}\"/>
<DataArray type=\"UInt32\" Name=\"offsets\" format=\"appended\" offset=\"{offsets_at}\"/>
</Polys>
</Piece>
</PolyData>
<AppendedData encoding=\"raw\">
_"
    );
    written_file(path, |out| {
        out.write_all(head.as_bytes())?;
        for array in &arrays {
            out.write_all(&(array.len() as u64).to_le_bytes())?;
            out.write_all(array)?;
        }
        out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    })
}
