//! VTK files: the legacy format, text and big-endian, and the XML formats VTU and VTP (VTK User's Guide, "VTK File Formats").

mod blocks;
pub(crate) mod legacy;
mod lists;
mod lz4;
mod xml;
pub(crate) mod xml_file;

use crate::io::formats::format::{Format, never};

/// The legacy format.
pub(crate) static LEGACY: Format = Format {
    name: "VTK",
    begins: |head| head.start.starts_with(b"# vtk DataFile"),
    resembles: never,
    read: |bytes, _, options| legacy::read(bytes, options),
};

/// VTU and VTP.
pub(crate) static XML: Format = Format {
    name: "VTK XML",
    begins: |head| head.start.starts_with(b"<") && head.contains(b"<VTKFile"),
    resembles: never,
    read: |bytes, _, options| xml_file::read(bytes, options),
};
