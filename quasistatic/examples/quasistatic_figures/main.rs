//! Tables 1.1 to 1.3 and figures 1.5, 1.7 and 1.8 of James and Pai's chapter on haptics (2001), and the octahedron of *ArtDefo* (1999), with our numbers.
//!
//! `cargo run --release -p pliant-quasistatic --example quasistatic_figures -- FOLDER`, or `cargo xtask figures quasistatic`. Bodies differ from the paper's, so
//! that shapes of curves and ratios are compared, not values.

mod bodies;
mod held;
mod octahedron;
mod stiffness;
mod timings;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    stiffness::write(folder)?;
    octahedron::write(folder)?;
    timings::write(folder)?;
    println!("written to {}", folder.display());
    Ok(())
}
