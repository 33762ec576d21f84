//! Arguments of commands on meshes.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::args::Import;

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
    /// Tetrahedral mesher
    #[arg(long, default_value = "stuffing", value_parser = ["stuffing", "tetgen"])]
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
    /// Number of times that the base is subdivided
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub levels: u8,
    /// Number of triangles of the base; the default is as few as the shape allows
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
    /// solid; or shell, the cells of the surface only
    #[arg(long, default_value = "solid", value_parser = ["solid", "shell"])]
    pub fill: String,
    /// Do not split cells at gaps that are thinner than a cell; the parts on both sides are then joined
    #[arg(long)]
    pub no_split: bool,
    #[command(flatten)]
    pub import: Import,
}
