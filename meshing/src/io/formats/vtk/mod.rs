//! VTK files: the legacy format, text and big-endian, and the XML formats VTU and VTP (VTK User's Guide, "VTK File Formats").

mod blocks;
pub(crate) mod legacy;
mod lists;
mod lz4;
mod xml;
pub(crate) mod xml_file;
