//! Export formats by name.

/// A file format of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExportFormat {
    /// One VTP file a surface, and collections with their times: ParaView.
    Vtk,
    /// One GLB file with a mesh a method, animated by morph targets: Blender, browsers.
    Gltf,
    /// One USD file as text with a mesh a method and positions over time.
    Usd,
    /// One OBJ file a surface.
    Obj,
    /// Forces, probes, points inside and poses of tools in a table.
    Csv,
}

pliant_core::named!(ExportFormat {
    Vtk => "vtk",
    Gltf => "gltf",
    Usd => "usd",
    Obj => "obj",
    Csv => "csv",
});
