//! Arguments of the command that advises a method.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use pliant_simulation::advice::Goal;

use crate::args::Import;

#[derive(Debug, Args)]
pub struct Advise {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub source: OsString,
    /// Median computing time that a frame may take on this machine, ms
    #[arg(
        long,
        value_name = "X",
        default_value_t = Goal::DEFAULT_BUDGET_MS.to_string(),
        allow_hyphen_values = true
    )]
    pub budget_ms: String,
    /// Largest error of the force that is accepted, relative to the same scene on fine finite elements: 2% or 0.02
    #[arg(
        long,
        value_name = "E",
        default_value_t = percent(Goal::DEFAULT_ERROR),
        allow_hyphen_values = true
    )]
    pub error: String,
    /// Largest error of the skin that is accepted (root mean square), over the diagonal of the body: 1% or 0.01
    #[arg(
        long,
        value_name = "E",
        default_value_t = percent(Goal::DEFAULT_SKIN_ERROR),
        allow_hyphen_values = true
    )]
    pub skin_error: String,
    /// Methods: adaptive,quasistatic,lattice
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub methods: Vec<String>,
    /// Simulated seconds; the default is the duration of the scene, at most 6
    #[arg(long, value_name = "S")]
    pub duration: Option<f64>,
    /// Run the advised scene again, and a poke that is less deep with a reference of its own, and say whether cost and error are as advised
    #[arg(long)]
    pub confirm: bool,
    /// Folder of the page and of the advised scene
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub import: Import,
}

/// A share as it is written on the command line.
fn percent(share: f64) -> String {
    format!("{}%", share * 100.0)
}
