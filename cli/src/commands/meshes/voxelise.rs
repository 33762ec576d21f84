//! `pliant voxelise`: the lattice's cells as a file.

use std::time::Instant;

use pliant_core::math::numbers::decimal;
use pliant_core::mesh::VoxelParticles;
use pliant_meshing::io::write_vtu_voxels;
use pliant_meshing::voxelise::{CellSize, Fill, VoxelOptions, voxelise_with};
use serde_json::{Value, json};

use super::source::{load_surface, print_repairs};
use crate::args::Voxelise;
use crate::failure::Failure;
use crate::machine::peak_megabytes;
use crate::output::{CELLS, Done, refuse_foreign};
use crate::session::Session;

/// Runs the command.
pub fn voxelise(session: &Session, args: &Voxelise) -> Result<Done, Failure> {
    refuse_foreign(&args.out, &CELLS)?;
    let watch = session.output.watch(&session.progress);
    let (surface, repaired) = load_surface(&args.mesh, &args.import, &session.progress)?;
    let options = VoxelOptions {
        size: CellSize::Longest(args.cells_longest as usize),
        fill: match args.fill.as_str() {
            "shell" => Fill::Shell,
            _ => Fill::Solid,
        },
        split_cells: !args.no_split,
    };
    let started = Instant::now();
    let voxels = voxelise_with(&surface, &options, &session.progress)?;
    let seconds = started.elapsed().as_secs_f64();
    session.progress.stage("numbering");
    let grid = &voxels.grid;
    let particles = VoxelParticles::new(grid);
    let component = particles.components(grid);
    let components = component.iter().max().map_or(0, |&c| c as usize + 1);
    session.progress.stage("writing");
    write_vtu_voxels(&args.out, grid, &particles, &component)
        .map_err(|e| Failure::unwritable(&args.out, &e))?;
    drop(watch);
    session.output.line(format!(
        "{} cells of {} m kept of a grid of {} x {} x {}; {} of them split, {} copies in all; {} particles in {components} piece{}; {:.0} % of the body's volume; written to {}",
        grid.kept_count(),
        decimal(grid.cell),
        grid.dims[0],
        grid.dims[1],
        grid.dims[2],
        voxels.split_cells,
        grid.copy_count(),
        particles.len(),
        if components == 1 { "" } else { "s" },
        voxels.volume_ratio * 100.0,
        args.out.display()
    ));
    print_repairs(session, &repaired);
    for warning in &voxels.warnings {
        session.output.line(format!("warning: {warning}"));
    }
    let warnings: Vec<Value> = voxels
        .warnings
        .iter()
        .map(|w| json!({ "code": w.code(), "message": w.to_string() }))
        .collect();
    Ok(Done::new(json!({
        "cells": grid.kept_count(), "cell": grid.cell, "dims": grid.dims, "particles": particles.len(),
        "copies": grid.copy_count(), "split_cells": voxels.split_cells, "components": components,
        "volume_ratio": voxels.volume_ratio, "warnings": warnings, "repaired": repaired,
        "seconds": seconds, "peak_mb": peak_megabytes(), "file": args.out.display().to_string(),
    })))
}
