//! VTK files: the legacy format, text and big-endian, and the XML formats VTU and VTP (VTK User's Guide, "VTK File Formats").

mod blocks;
pub(crate) mod legacy;
mod lists;
mod lz4;
mod xml;
pub(crate) mod xml_file;

use crate::io::formats::format::Format;

/// The legacy format.
pub(crate) static LEGACY: Format = Format {
    name: "VTK",
    matches: |head| head.start.starts_with(b"# vtk DataFile"),
    read: |bytes, _, options| legacy::read(bytes, options),
};

/// VTU and VTP.
pub(crate) static XML: Format = Format {
    name: "VTK XML",
    matches: |head| head.start.starts_with(b"<") && head.contains(b"<VTKFile"),
    read: |bytes, _, options| xml_file::read(bytes, options),
};
