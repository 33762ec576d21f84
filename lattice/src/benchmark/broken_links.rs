//! Frames that break links, and steps of bodies with broken links.

use std::hint::black_box;

use pliant_core::bench::{BenchCase, Work};

use crate::benchmark::blocks::step_work;
use crate::benchmark::breaking_block::BreakingBlock;

pub(crate) fn fracture(particles: [usize; 3], breaks: usize) -> Result<BenchCase, String> {
    let mut block = BreakingBlock::new(particles, 1).map_err(|e| e.to_string())?;
    let links = (13 * block.particle_count()) as f64;
    let work = Work {
        // ends of all links
        bytes: 8.0 * links,
        flops: 9.0 * links,
        double: true,
    };
    Ok(BenchCase::new(breaks, 1.0, work, move || {
        black_box(block.frame(breaks));
    }))
}

pub(crate) fn with_broken_links(particles: [usize; 3], breaks: usize) -> Result<BenchCase, String> {
    let mut block = BreakingBlock::new(particles, 1).map_err(|e| e.to_string())?;
    block.frame(breaks);
    let count = block.particle_count();
    let work = step_work(count, false);
    Ok(BenchCase::new(breaks, count as f64, work, move || {
        block.step();
    }))
}
