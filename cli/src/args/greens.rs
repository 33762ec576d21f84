//! Arguments of commands on baked assets, mostly Green's functions.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::args::Import;
use crate::args::import::positive;

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
    /// Further supports that `pliant rebase --release` can release, besides those that the scene names; finite elements only
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "SUPPORT,...",
        conflicts_with = "columns"
    )]
    pub releasable: Vec<String>,
    /// Compress by wavelets, on the skin if it has subdivision connectivity, else on a semi-regular remesh; with finite elements the dense columns are never stored
    #[arg(long, value_parser = ["linear", "butterfly", "modified-butterfly", "none"], conflicts_with_all = ["columns", "part", "merge", "mpi"])]
    pub wavelet: Option<String>,
    /// Threshold below which wavelet details are dropped, as a share of the largest block of their column; the default is 0.05
    #[arg(long, value_name = "E", requires = "wavelet", conflicts_with = "rms")]
    pub epsilon: Option<f64>,
    /// Largest relative error of all columns that compression may cause, by a sample of them, instead of --epsilon
    #[arg(long, value_name = "E", requires = "wavelet", value_parser = positive)]
    pub rms: Option<f64>,
    /// Keep all coefficients within this number of edges of a column's own vertex; use 2.2 if tractions beside a contact matter
    #[arg(long, value_name = "EDGES", requires = "wavelet", value_parser = positive)]
    pub near_field: Option<f64>,
    /// Take neighbours in supports as zero instead of leaving them out; fewer coefficients are kept beside supports
    #[arg(long, requires = "wavelet")]
    pub zero_outside: bool,
    /// Weigh vertices equally in coarse means instead of by their areas
    #[arg(long, requires = "wavelet")]
    pub unit_areas: bool,
    /// Use samples instead of means as coarse values; the file is smaller and less accurate
    #[arg(long, requires = "wavelet")]
    pub unlifted: bool,
    /// Also solve for the columns of tractions on the hats of each coarser level, as constraints of that level have them, and print their size and error; finite elements only
    #[arg(long, requires = "wavelet")]
    pub hats: bool,
    /// Compress as a hierarchical matrix with at most this relative error in any column (0.01 suits most bodies); works for any mesh
    #[arg(long, value_name = "E", conflicts_with_all = ["columns", "wavelet"], value_parser = positive)]
    pub hierarchical: Option<f64>,
    /// Take the columns from an array instead: three rows for each skin vertex, three columns for each vertex pushed (m/N)
    #[arg(long = "import", value_name = "FILE.npy", conflicts_with = "generator")]
    pub columns: Option<PathBuf>,
    /// File of the numbers of the skin vertices that were pushed; the default is all vertices
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
    /// Merge the parts of N processes; the result has the same bits as that of one process
    #[arg(long, value_name = "N", requires = "out", conflicts_with = "columns", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub merge: Option<u16>,
    /// Run as one of the processes that mpirun or srun started: they share assembly and columns, and write one file with the same bits as that of one process (feature `mpi`)
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
    /// Further skin vertices whose displacement is printed
    #[arg(long, value_delimiter = ',', value_name = "V,...")]
    pub at: Vec<u32>,
}

#[derive(Debug, Args)]
pub struct Rebase {
    /// File that `pliant gf --out` wrote
    #[arg(value_name = "FILE.pgf")]
    pub file: PathBuf,
    /// Support to release; it must have been baked as releasable (`pliant gf --releasable`, or `quasistatic.releasable` in the scene)
    #[arg(long, value_name = "SUPPORT")]
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
    /// Wall time to run, s
    #[arg(long, value_name = "S")]
    pub seconds: Option<f64>,
    /// Write each tick to this file: time, tip, force, mode
    #[arg(long, value_name = "FILE.csv")]
    pub trace: Option<PathBuf>,
    /// Play the tip positions of a file that --trace wrote, instead of the script
    #[arg(long, value_name = "FILE.csv", conflicts_with = "udp")]
    pub play: Option<PathBuf>,
    /// Receive tip positions over UDP at this address and answer with forces, in packets of three little-endian f64
    #[arg(long, value_name = "HOST:PORT")]
    pub udp: Option<String>,
    /// Radius of the pressure masks, m; the default is that of the scene's first tool that is neither a floor nor a blade, but at least two edges
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub radius: Option<f64>,
    /// Depth of the script below the resting skin, m; the default is 2 % of the diagonal
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub depth: Option<f64>,
    /// Coefficients of friction while sticking and sliding; the default is those of the same tool
    #[arg(long, value_name = "S,K")]
    pub friction: Option<String>,
    /// Largest stiffness that the device renders, N/m
    #[arg(long, value_name = "N/m", default_value = "1000", value_parser = positive)]
    pub stiffness: f64,
    /// Between vertices, use the stiffness of the surface itself instead of interpolating that of the vertices
    #[arg(long)]
    pub consistent: bool,
    /// Feel the normals of this finer mesh of the body on its skin; it is read and placed as the body's mesh
    #[arg(long, value_name = "MESH")]
    pub detail: Option<PathBuf>,
    /// Move the scene's first tool that is neither a floor nor a blade, with all nodes that it touches, instead of a single point
    #[arg(long, conflicts_with_all = ["radius", "friction", "consistent", "detail"])]
    pub tool: bool,
    /// Move all tools of the scene as the fingers of one hand, each along its path; with --udp a packet has the positions of all tools
    #[arg(long, conflicts_with_all = ["tool", "play", "depth", "radius", "friction", "consistent", "detail"])]
    pub hand: bool,
    /// Number of other threads that are kept busy meanwhile
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u8).range(0..=64))]
    pub load: u8,
    #[command(flatten)]
    pub import: Import,
}
