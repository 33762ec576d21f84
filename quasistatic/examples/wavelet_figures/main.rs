//! Figures 1, 8, 9 and 13 to 22 and tables II and III of James and Pai (2003) with our numbers, and what the paper left open: the near field, equal weights
//! of vertices, the progressive file, blocks of held vertices, and hierarchical matrices beside wavelets.
//!
//! `cargo run --release -p pliant-quasistatic --example wavelet_figures -- FOLDER [quick]`, or `cargo xtask figures wavelets [quick]`. The body has the size and the levels
//! of the paper's rabbit, but another shape. `quick` uses the rabbit of 642 vertices. Times are the least of several repetitions on one thread.

mod bars;
mod bases;
mod block_kinds;
mod body;
mod coarse_columns;
mod extraction;
mod form_times;
mod forms;
mod near_field;
mod pictures;
mod precomputation;
mod progressive_file;
mod resolution;
mod summation;
mod table;
mod timing;

use std::path::Path;

use body::{Body, Failure};
use pictures::{dragon, reconstructions};
use table::Table;
use timing::on_one_thread;

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().unwrap_or_else(|| ".".to_string());
    let quick = words.next().is_some_and(|word| word == "quick");
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let finest = if quick { 3 } else { 4 };
    // table II says how long it takes on one thread
    let bodies = (2..=finest).map(|levels| on_one_thread(|| Body::rabbit(levels)));
    let bodies: Vec<Body> = bodies.collect::<Result<_, _>>()?;
    let body = bodies.last().ok_or("there is no body")?;
    let mut table = Table::default();
    precomputation::write(&bodies, folder, &mut table)?;
    reconstructions::write(body, folder, &mut table)?;
    dragon::write(folder, &mut table)?;
    bars::write(body, folder, &mut table)?;
    bars::write_unit(body, &mut table)?;
    bases::write(body, folder, &mut table)?;
    resolution::write(&bodies, folder, &mut table)?;
    for body in bodies.iter().filter(|b| b.levels > 2) {
        summation::write(body, folder, &mut table)?;
        near_field::write(body, &mut table)?;
    }
    coarse_columns::write(&bodies, folder, &mut table)?;
    extraction::write(&bodies, &mut table)?;
    progressive_file::write(body, &mut table)?;
    block_kinds::write(&mut table)?;
    table.write(folder)?;
    print!("{}", table.text());
    forms::write(body, folder)?;
    println!("written to {}", folder.display());
    Ok(())
}
