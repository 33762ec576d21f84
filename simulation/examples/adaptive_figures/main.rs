//! Figures 4a, 4b, 5a, 5b, 6 and 8 of Debunne, Desbrun, Cani and Barr (2001) with our bodies, and a table of what the paper claims beside what we measure.
//!
//! `cargo run --release -p pliant-simulation --example adaptive_figures -- FOLDER [quick]`, or `cargo xtask figures adaptive`. The paper gives no material for
//! its cube; ours is that of the converged reference (curves) and a softer one (shapes), so that forms of curves are compared, not values.

mod claims;
mod curves;
mod shapes;

use std::error::Error;
use std::path::Path;

/// What can go wrong: meshes, scenes and files of the figures.
pub type Failed = Box<dyn Error>;

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().map_or(".", String::as_str));
    let quick = arguments.iter().any(|a| a == "quick");
    std::fs::create_dir_all(folder)?;
    curves::write(folder, quick)?;
    shapes::deformed_cubes(folder)?;
    shapes::three_materials(folder, quick)?;
    claims::write(folder, quick)?;
    println!("written to {}", folder.display());
    Ok(())
}
