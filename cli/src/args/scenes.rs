//! Arguments of commands that run methods or time kernels.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use pliant_core::scene::ReferenceChoice;

use crate::args::{Import, Record};

/// What `--reference` does, for the commands that have it.
const REFERENCE: &str = "Compare with a reference, the same scene on fine finite elements: none, estimate (few nodes, fast), dynamic (the default if no value is given), static (without inertia), linear (linear elasticity), or explained (dynamic, and the causes of the differences); computing it takes seconds to minutes, once";

#[derive(Debug, Args)]
pub struct View {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub sources: Vec<OsString>,
    /// Start the simulation at once
    #[arg(long)]
    pub play: bool,
    /// How the deformed skin of the lattice is computed: by the processor (cpu), or by the graphics card, which reads the particles from a texture (texture) or draws batches of triangles (batches; batch-colors gives each batch a colour)
    #[arg(long, value_name = "WAY", value_parser = ["cpu", "texture", "batches", "batch-colors"])]
    pub skin: Option<String>,
    /// Size of the window in points
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Compute the deformed skin by the graphics driver and by the processor, compare both, and print differences and times; opens no window
    #[arg(long, conflicts_with_all = ["play", "size", "exit_after", "screenshot", "stats", "skin"])]
    pub check_skin: bool,
    /// Close the window after this number of seconds
    #[arg(long, value_name = "S")]
    pub exit_after: Option<f64>,
    /// Write the last frame to this file
    #[arg(long, value_name = "FILE.png")]
    pub screenshot: Option<PathBuf>,
    /// Write frame statistics to this file when the window closes
    #[arg(long, value_name = "FILE.json")]
    pub stats: Option<PathBuf>,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args, Default)]
pub struct Compare {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub source: OsString,
    /// Methods: adaptive,quasistatic,lattice
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub methods: Vec<String>,
    /// Simulated seconds
    #[arg(long, value_name = "S")]
    pub duration: Option<f64>,
    /// Folder of the report
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Draw no pictures
    #[arg(long)]
    pub no_pictures: bool,
    /// Draw four pictures per simulated second instead of one
    #[arg(long, conflicts_with = "no_pictures")]
    pub all_pictures: bool,
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "dynamic", help = REFERENCE, value_parser = ReferenceChoice::NAMES)]
    pub reference: Option<String>,
    #[command(flatten)]
    pub record: Record,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Run {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub source: OsString,
    /// adaptive, quasistatic or lattice
    #[arg(long, value_name = "M")]
    pub method: String,
    /// Frames to simulate
    #[arg(long, value_name = "N")]
    pub frames: Option<usize>,
    /// Run in real time
    #[arg(long, conflicts_with = "record")]
    pub realtime: bool,
    /// Computing time per frame for the adaptive method, ms, instead of the scene's
    #[arg(long, value_name = "X")]
    pub budget_ms: Option<f64>,
    /// Count the budget by work units of a nominal machine (work; the same result everywhere) or by processor time (time; the default with --realtime)
    #[arg(long, value_name = "work or time", conflicts_with = "record")]
    pub budget_by: Option<String>,
    /// Halve a budget by time from this simulated second on
    #[arg(long, value_name = "S")]
    pub halve_budget_at: Option<f64>,
    /// Explain which resolution the adaptive method uses at this place (m, at rest) at the end of the run, and why
    #[arg(
        long,
        value_name = "x,y,z",
        allow_hyphen_values = true,
        conflicts_with = "record"
    )]
    pub explain: Option<String>,
    /// Write the forces, probes and points inside the body of each frame to this file; with --realtime, --budget-by or --explain: forces, active nodes, work units and processor time
    #[arg(long, value_name = "FILE.csv")]
    pub curves: Option<PathBuf>,
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "dynamic", help = REFERENCE, value_parser = ReferenceChoice::NAMES, conflicts_with_all = ["realtime", "budget_by", "explain"])]
    pub reference: Option<String>,
    #[command(flatten)]
    pub record: Record,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Oscillate {
    /// Element models
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub model: Vec<String>,
    /// Node counts
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub nodes: Vec<usize>,
    /// Make the half at the free end one level finer
    #[arg(long)]
    pub mixed: bool,
    /// Run only elements without calibration, not also the calibrated ones
    #[arg(long)]
    pub uncalibrated: bool,
    /// Young's modulus, Pa
    #[arg(long, value_name = "Pa")]
    pub young: Option<f64>,
    /// Poisson's ratio
    #[arg(long, value_name = "v")]
    pub poisson: Option<f64>,
    /// Density, kg/m3
    #[arg(long, value_name = "d")]
    pub density: Option<f64>,
    /// Gravity, m/s2, downwards
    #[arg(long, value_name = "g")]
    pub gravity: Option<f64>,
    /// Edge length, or edge lengths x,y,z, m
    #[arg(long, value_name = "m or x,y,z", allow_hyphen_values = true)]
    pub size: Option<String>,
    /// Simulated seconds
    #[arg(long, value_name = "S")]
    pub duration: Option<f64>,
    /// Folder for the plot and the JSON
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Bench {
    /// Names of kernels; all kernels if none is given
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// One problem size instead of the usual ones; what it counts depends on the kernel
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub size: Option<u32>,
    /// List the kernels and stop
    #[arg(long)]
    pub list: bool,
}

#[derive(Debug, Args)]
pub struct Schema {
    /// Write it to FILE
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
