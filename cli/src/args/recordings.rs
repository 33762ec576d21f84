//! Arguments of recordings: writing them during a run, and the commands that read them.

use std::path::PathBuf;

use clap::Args;

/// How a run is recorded.
#[derive(Debug, Clone, Default, Args)]
pub struct Record {
    /// Write a recording: the scene, and for each frame the forces, probes, tools and the hash of each surface
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Store the surfaces of every N-th frame in the recording; 0 stores none
    #[arg(long, value_name = "N", default_value = "2", requires = "record", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub record_every: u32,
}

#[derive(Debug, Args)]
pub struct Replay {
    /// File that --record wrote
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
}

#[derive(Debug, Args)]
pub struct Inspect {
    /// Recording, Green's functions (.pgf), or a file of the cache
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub struct Export {
    /// File that --record wrote
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
    /// Formats: vtk,gltf,usd,obj,csv
    #[arg(long, required = true, value_delimiter = ',', value_name = "LIST")]
    pub to: Vec<String>,
    /// Folder of the files
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
