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

impl ExportFormat {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Vtk, Self::Gltf, Self::Usd, Self::Obj, Self::Csv];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vtk => "vtk",
            Self::Gltf => "gltf",
            Self::Usd => "usd",
            Self::Obj => "obj",
            Self::Csv => "csv",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }
}
