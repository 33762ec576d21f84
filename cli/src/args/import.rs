//! How meshes are read.

use clap::Args;
use pliant_core::scene::MeshRepair;
use pliant_simulation::scenes::{ImportOptions, metres_of};

/// How an imported mesh is read.
#[derive(Debug, Clone, Default, Args)]
pub struct Import {
    /// Unit of an imported mesh. Without it a mesh that is dropped into a scene is scaled to 0.3 m, and mesh, remesh and voxelise take metres
    #[arg(long, value_parser = ["mm", "cm", "m", "in"])]
    pub units: Option<String>,
    /// Axis that points up in an imported mesh
    #[arg(long, value_parser = ["y", "z"])]
    pub up: Option<String>,
    /// auto repairs the mesh, closes holes, wraps the surface if nothing else helps, and reports how far the surface moved; off refuses a surface that is not a solid
    #[arg(long, default_value = "auto", value_parser = ["auto", "off"])]
    pub repair: String,
    /// Make walls of this thickness, m, around a surface that is not a solid, such as a sheet
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub thickness: Option<f64>,
    /// The same as --repair auto
    #[arg(long, conflicts_with = "repair")]
    pub wrap: bool,
}

/// A length above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err(format!("`{text}` is not a number above 0")),
    }
}

impl Import {
    /// Metres per unit of the file, 1 where none is given.
    pub fn metres(&self) -> f64 {
        let units = self.units.as_deref();
        units.and_then(metres_of).unwrap_or(1.0)
    }

    /// The same for the simulation.
    pub fn options(&self) -> ImportOptions {
        ImportOptions {
            units: self.units.clone(),
            z_up: self.up.as_deref() == Some("z"),
            repair: if self.repairs() {
                MeshRepair::Auto
            } else {
                MeshRepair::Off
            },
            thickness: self.thickness,
        }
    }

    /// The options as words, to repeat a command.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.units.as_ref().map(|u| format!("--units {u}")));
        words.extend(self.up.as_ref().map(|u| format!("--up {u}")));
        if !self.repairs() {
            words.push("--repair off".into());
        }
        words.extend(self.thickness.map(|t| format!("--thickness {t}")));
        words
    }

    /// Whether a surface that is no solid is repaired.
    pub fn repairs(&self) -> bool {
        self.repair != "off"
    }
}
