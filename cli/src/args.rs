//! What can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Real-time deformable bodies by three methods on one scene, side by side.
#[derive(Debug, Parser)]
#[command(
    name = "pliant",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true
)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command has.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Print one JSON object, or write it to FILE (with the equals sign); progress then goes to standard error
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_missing_value = "-", value_name = "FILE")]
    pub json: Option<String>,
    /// Threads to use; results do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Seed of everything random (nothing is, yet)
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Folder of baked assets
    #[arg(long, global = true, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Bake everything anew and keep nothing
    #[arg(long, global = true, conflicts_with = "cache")]
    pub no_cache: bool,
    /// Vector instructions: auto takes the widest that the processor has; portable does without,
    /// slower, so that models in time give the same bits on every machine
    #[arg(long, global = true, value_name = "LEVEL", default_value = "auto", value_parser = ["auto", "portable"])]
    pub simd: String,
    /// More on what happens; twice for still more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// No progress
    #[arg(long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// How an imported mesh is read.
#[derive(Debug, Clone, Default, Args)]
pub struct Import {
    /// Unit of an imported mesh; without it the body is scaled to 0.3 m
    #[arg(long, value_parser = ["mm", "cm", "m", "in"])]
    pub units: Option<String>,
    /// Axis that points up in an imported mesh
    #[arg(long, value_parser = ["y", "z"])]
    pub up: Option<String>,
    /// auto mends, closes holes and wraps what cannot be mended otherwise, and reports how far the surface moved; off refuses what is no solid
    #[arg(long, default_value = "auto", value_parser = ["auto", "off"])]
    pub repair: String,
    /// Make walls of this thickness, m, around a surface that is no solid, as sheets are none
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub thickness: Option<f64>,
    /// The same as --repair auto
    #[arg(long, conflicts_with = "repair")]
    pub wrap: bool,
}

/// A length above 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err(format!("`{text}` is no length above 0")),
    }
}

impl Import {
    /// Metres per unit of the file, 1 where none is given.
    pub fn metres(&self) -> f64 {
        match self.units.as_deref() {
            Some("mm") => 0.001,
            Some("cm") => 0.01,
            Some("in") => 0.0254,
            _ => 1.0,
        }
    }

    /// Whether surfaces that are no solids are made ones.
    pub fn mends(&self) -> bool {
        self.repair != "off"
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the comparison viewer (also what `pliant` and `pliant SCENE or MESH` do)
    View(View),
    /// Run the methods on one scene without a window and write a report
    Compare(Compare),
    /// Run one method without a window and print its metrics
    Run(Run),
    /// Swing the clamped cube of Debunne et al. 2001 and judge it against pass bands
    Oscillate(Oscillate),
    /// Say what is wrong with a mesh, where, and whether it can be repaired
    Check(Check),
    /// Build levels of tetrahedra
    Mesh(Mesh),
    /// Rebuild a surface with subdivision connectivity
    Remesh(Remesh),
    /// Build the lattice
    Voxelise(Voxelise),
    /// Fill the cache
    Bake(Bake),
    /// Compute Green's functions and write them to a file
    Gf(Gf),
    /// Solve one boundary value problem on Green's functions from a file
    Solve(Solve),
    /// Hold a baked body elsewhere, or release a support, without another bake
    Rebase(Rebase),
    /// Feel a body: the 1 kHz loop of force feedback with a scripted, recorded or connected device
    Servo(Servo),
    /// Time kernels, and say how near they come to what this machine can do
    Bench(Bench),
    /// List the bundled scenes
    Scenes,
    /// Say what this machine offers
    Doctor,
}

#[derive(Debug, Args)]
pub struct View {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub sources: Vec<OsString>,
    /// Run at once
    #[arg(long)]
    pub play: bool,
    /// Who bends the skin of the lattice: cpu, or the graphics card from a texture or in batches of triangles, which can be coloured
    #[arg(long, value_name = "WAY", value_parser = ["cpu", "texture", "batches", "batch-colors"])]
    pub skin: Option<String>,
    /// Size of the window in points
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Bend the skin by the graphics driver and by the processor, compare both, and print figures; opens no window
    #[arg(long, conflicts_with_all = ["play", "size", "exit_after", "screenshot", "stats", "skin"])]
    pub check_skin: bool,
    /// Close after so many seconds
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

#[derive(Debug, Args)]
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
    /// Draw nothing
    #[arg(long)]
    pub no_pictures: bool,
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
    /// Keep in step with the clock
    #[arg(long)]
    pub realtime: bool,
    /// Computing time a frame for the adaptive method, ms, instead of the scene's
    #[arg(long, value_name = "X")]
    pub budget_ms: Option<f64>,
    /// Count the budget by work units of a nominal machine (work; the same result everywhere) or by processor time (time; the default with --realtime)
    #[arg(long, value_name = "work or time")]
    pub budget_by: Option<String>,
    /// Halve a budget by time from this simulated second on
    #[arg(long, value_name = "S")]
    pub halve_budget_at: Option<f64>,
    /// Say why the adaptive method computes this place (m, at rest) as finely as it does at the end
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub explain: Option<String>,
    /// Write forces, probes and points inside of each frame to this file
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["realtime", "budget_by", "explain"])]
    pub curves: Option<PathBuf>,
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
    /// Plain elements only, without the calibrated ones beside them
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
    /// Edge, or edges x,y,z, m
    #[arg(long, value_name = "m or x,y,z")]
    pub size: Option<String>,
    /// Simulated seconds
    #[arg(long, value_name = "S")]
    pub duration: Option<f64>,
    /// Folder for the plot and the JSON
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Check {
    /// Mesh file
    #[arg(value_name = "MESH")]
    pub mesh: PathBuf,
}

#[derive(Debug, Args)]
pub struct Mesh {
    /// Mesh file, or the name of a procedural body
    #[arg(value_name = "MESH")]
    pub mesh: OsString,
    /// Folder of the levels
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Number of levels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub levels: Option<u8>,
    /// Node counts, coarse to fine
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub nodes: Vec<usize>,
    /// Mean edge lengths in metres, coarse to fine, instead of node counts
    #[arg(long, value_delimiter = ',', value_name = "LIST", conflicts_with_all = ["nodes", "levels"])]
    pub edge: Vec<f64>,
    /// stuffing; stuffing-graded: larger tetrahedra inside; stuffing-thin: smaller ones in thin walls too; tetgen
    #[arg(long, default_value = "stuffing", value_parser = ["stuffing", "stuffing-graded", "stuffing-thin", "tetgen"])]
    pub mesher: String,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Remesh {
    /// Mesh file, or the name of a procedural body
    #[arg(value_name = "MESH")]
    pub mesh: OsString,
    /// Folder of the levels
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Times the base is subdivided
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub levels: u8,
    /// Triangles of the base; without it as few as the shape allows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=100_000))]
    pub base_faces: Option<u32>,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Voxelise {
    /// Mesh file, or the name of a procedural body
    #[arg(value_name = "MESH")]
    pub mesh: OsString,
    /// File of the cells
    #[arg(long, value_name = "FILE.vtu")]
    pub out: PathBuf,
    /// Cells along the longest side
    #[arg(long, value_name = "N", default_value = "24", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub cells_longest: u32,
    /// solid; shell, the cells of the surface only; or winding, for a surface with holes, which is then not repaired
    #[arg(long, default_value = "solid", value_parser = ["solid", "shell", "winding"])]
    pub fill: String,
    /// Let cells fuse what a gap thinner than a cell parts
    #[arg(long)]
    pub no_split: bool,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Bake {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub source: OsString,
    /// Only this method
    #[arg(long, value_name = "M")]
    pub method: Option<String>,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Gf {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub source: String,
    /// fem, bem-linear or bem-constant, instead of the scene's
    #[arg(long, value_parser = ["fem", "bem-constant", "bem-linear"])]
    pub generator: Option<String>,
    /// Supports that `pliant rebase --release` can let go of, besides those of the scene; finite elements only
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "SUPPORT,...",
        conflicts_with = "columns"
    )]
    pub releasable: Vec<String>,
    /// Compression: none in this version
    #[arg(long, value_parser = ["linear", "butterfly", "none"])]
    pub wavelet: Option<String>,
    /// Take the columns from an array instead: three rows for each skin vertex, three columns for each vertex pushed (m/N)
    #[arg(long = "import", value_name = "FILE.npy", conflicts_with = "generator")]
    pub columns: Option<PathBuf>,
    /// The skin vertices that were pushed, one number each; all of them where not given
    #[arg(long, value_name = "FILE", requires = "columns")]
    pub import_vertices: Option<PathBuf>,
    /// Three rows of three numbers for each skin vertex: displacement for gravity of 1 m/s² along x, y, z
    #[arg(long, value_name = "FILE.npy", requires = "columns")]
    pub import_gravity: Option<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE.pgf")]
    pub out: Option<PathBuf>,
    /// Solve the columns of process I of N (1/4 to 4/4) into FILE.pgf.part-I-of-N and stop; processes may run on several machines
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["columns", "merge"])]
    pub part: Option<String>,
    /// Put the parts of N processes together: the same bits as one process
    #[arg(long, value_name = "N", requires = "out", conflicts_with = "columns", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub merge: Option<u16>,
    /// As one of the processes that mpirun or srun started: they share assembly and columns, and write one file, the same bits as one process (feature `mpi`)
    #[arg(long, conflicts_with_all = ["columns", "part", "merge"])]
    pub mpi: bool,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Solve {
    /// File that `pliant gf --out` wrote
    #[arg(value_name = "FILE.pgf")]
    pub file: PathBuf,
    /// Skin vertex and its displacement in metres; may be repeated
    #[arg(
        long,
        value_name = "V:ux,uy,uz",
        required_unless_present = "load",
        allow_hyphen_values = true
    )]
    pub displace: Vec<String>,
    /// Point inside and the force on it in newtons, instead of the one in the file; may be repeated
    #[arg(long, value_name = "NAME:fx,fy,fz", allow_hyphen_values = true)]
    pub load: Vec<String>,
    /// Skin vertices whose displacement is printed besides
    #[arg(long, value_delimiter = ',', value_name = "V,...")]
    pub at: Vec<u32>,
}

#[derive(Debug, Args)]
pub struct Rebase {
    /// File that `pliant gf --out` wrote
    #[arg(value_name = "FILE.pgf")]
    pub file: PathBuf,
    /// Support to let go of; the bake was told to keep it releasable
    #[arg(long, value_name = "SUPPORT", required_unless_present = "hold")]
    pub release: Option<String>,
    /// Support to add: its name, and a group of the mesh, or numbers of skin vertices, or box, sphere or half_space with their numbers; may be repeated
    #[arg(long, value_name = "NAME=WHERE", allow_hyphen_values = true)]
    pub hold: Vec<String>,
    /// File to write
    #[arg(long, value_name = "NEW.pgf")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct Servo {
    /// Scene file, bundled scene, or mesh file
    #[arg(value_name = "SCENE or MESH")]
    pub source: OsString,
    /// Wall time to run
    #[arg(long, value_name = "S")]
    pub seconds: Option<f64>,
    /// Write each tick to this file: time, tip, force, mode
    #[arg(long, value_name = "FILE.csv")]
    pub trace: Option<PathBuf>,
    /// Play the tips of such a file instead of the script
    #[arg(long, value_name = "FILE.csv", conflicts_with = "udp")]
    pub play: Option<PathBuf>,
    /// Take tips from the network and answer with forces: packets of three little-endian f64 at this address
    #[arg(long, value_name = "HOST:PORT")]
    pub udp: Option<String>,
    /// Radius of the pressure masks, m; without it that of the scene's first tool, but at least two edges
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub radius: Option<f64>,
    /// Depth of the script below the resting skin, m; without it 2 % of the diagonal
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub depth: Option<f64>,
    /// Coefficients of friction while sticking and sliding; without it those of the scene's first tool
    #[arg(long, value_name = "S,K")]
    pub friction: Option<String>,
    /// Largest stiffness that the device renders, N/m
    #[arg(long, value_name = "N/m", default_value = "1000", value_parser = positive)]
    pub stiffness: f64,
    /// Stiffness between vertices as the surface has it, instead of interpolated from them
    #[arg(long)]
    pub consistent: bool,
    /// Move the scene's first tool with all nodes that it touches, instead of a single point
    #[arg(long, conflicts_with_all = ["radius", "friction", "consistent"])]
    pub tool: bool,
    /// Move all tools of the scene as the fingers of one hand, each along its path; with --udp a packet holds the places of all
    #[arg(long, conflicts_with_all = ["tool", "play", "depth", "radius", "friction", "consistent"])]
    pub hand: bool,
    /// Keep so many other threads busy meanwhile
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u8).range(0..=64))]
    pub load: u8,
    #[command(flatten)]
    pub import: Import,
}

#[derive(Debug, Args)]
pub struct Bench {
    /// Kernels; all without one
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// One size instead of the usual ones: what it counts depends on the kernel
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub size: Option<u32>,
    /// Name the kernels and stop
    #[arg(long)]
    pub list: bool,
}

/// Names of the commands, and of what clap adds.
const COMMANDS: [&str; 17] = [
    "view",
    "compare",
    "run",
    "oscillate",
    "check",
    "mesh",
    "remesh",
    "voxelise",
    "bake",
    "bench",
    "gf",
    "solve",
    "rebase",
    "servo",
    "scenes",
    "doctor",
    "help",
];
/// Commands of later versions, so that they are not taken for a file.
pub const LATER: [&str; 2] = ["export", "inspect"];
/// Options whose value is a word of its own.
const WITH_VALUE: [&str; 8] = [
    "--threads",
    "--seed",
    "--cache",
    "--simd",
    "--size",
    "--exit-after",
    "--screenshot",
    "--stats",
];

/// Puts `view` where no command was typed: `pliant`, `pliant bunny.stl` and `pliant --play bunny.stl` open the viewer.
pub fn with_default_command(mut typed: Vec<OsString>) -> Vec<OsString> {
    let mut at = 1;
    while at < typed.len() {
        let word = typed[at].to_string_lossy();
        if ["-h", "--help", "-V", "--version"].contains(&&*word) {
            return typed;
        }
        if !word.starts_with('-') || word == "-" || word == "--" {
            break;
        }
        at += if WITH_VALUE.contains(&&*word) { 2 } else { 1 };
    }
    let known = typed.get(at).is_some_and(|w| {
        let word = w.to_string_lossy();
        COMMANDS.contains(&&*word) || LATER.contains(&&*word)
    });
    if !known {
        typed.insert(1.min(typed.len()), "view".into());
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn filled(words: &[&str]) -> Vec<String> {
        with_default_command(words.iter().map(OsString::from).collect())
            .into_iter()
            .map(|w| w.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_mesh_or_nothing_opens_the_viewer() {
        assert_eq!(filled(&["pliant"]), ["pliant", "view"]);
        assert_eq!(filled(&["pliant", "a.stl"]), ["pliant", "view", "a.stl"]);
        assert_eq!(
            filled(&["pliant", "--threads", "2", "a.stl"]),
            ["pliant", "view", "--threads", "2", "a.stl"]
        );
        assert_eq!(
            filled(&["pliant", "--json", "compare", "poke"]),
            ["pliant", "--json", "compare", "poke"]
        );
        assert_eq!(filled(&["pliant", "--help"]), ["pliant", "--help"]);
        assert_eq!(filled(&["pliant", "--play"]), ["pliant", "view", "--play"]);
    }

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
