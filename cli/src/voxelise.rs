//! `pliant voxelise`: the lattice's cells as a file.

use pliant_meshing::io::write_vtu_voxels;
use pliant_meshing::voxelise::{CellSize, Fill, voxel_volume_ratio, voxelise as build};
use serde_json::json;

use crate::args::Voxelise;
use crate::failure::Failure;
use crate::mesh::surface_of;
use crate::output::number;
use crate::session::Session;

/// Runs the command.
pub fn voxelise(session: &Session, args: &Voxelise) -> Result<u8, Failure> {
    let watch = session.output.watch(&session.progress);
    let (surface, repaired) = surface_of(&args.mesh, &args.import, &session.progress)?;
    let fill = if args.fill == "shell" {
        Fill::Shell
    } else {
        Fill::Solid
    };
    let grid = build(
        &surface,
        CellSize::Longest(args.cells_longest as usize),
        fill,
        &session.progress,
    )?;
    session.progress.stage("writing");
    write_vtu_voxels(&args.out, &grid).map_err(|e| Failure::unwritable(&args.out, &e))?;
    drop(watch);
    let ratio = voxel_volume_ratio(&grid, &surface);
    session.output.line(format!(
        "{} cells of {:.6} m kept of a grid of {} x {} x {}; {:.0} % of the body's volume; written to {}",
        grid.kept_count(),
        grid.cell,
        grid.dims[0],
        grid.dims[1],
        grid.dims[2],
        ratio * 100.0,
        args.out.display()
    ));
    session.output.json("voxelise", true, json!({
        "cells": grid.kept_count(), "cell": number(grid.cell), "dims": grid.dims, "volume_ratio": number(ratio),
        "repaired": repaired, "file": args.out.display().to_string(),
    }))?;
    Ok(0)
}
