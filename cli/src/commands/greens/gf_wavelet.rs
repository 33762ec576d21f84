//! `pliant gf --wavelet`: Green's functions compressed by wavelets.

use pliant_core::scene::GreensGenerator;
use pliant_quasistatic::compression::transform::{
    MissingNeighbours, TransformSpec, WaveletAreas, WaveletBasis,
};
use pliant_quasistatic::greens::wavelets::{Threshold, WaveletSpec};
use pliant_simulation::build::compressed_greens;
use pliant_simulation::journal::{ColumnJournal, FileJournal};
use pliant_simulation::scenes::LoadedScene;

use super::baked::{journal_file, print, store};
use super::compressed::Compressed;
use crate::args::Gf;
use crate::failure::Failure;
use crate::output::Done;
use crate::session::Session;

/// Default threshold.
const EPSILON: f64 = 0.05;

/// Bakes, compresses and prints the figures.
pub fn gf(
    session: &Session,
    args: &Gf,
    wavelet: &str,
    loaded: &LoadedScene,
) -> Result<Done, Failure> {
    let generator = match loaded.description.body.quasistatic.generator {
        GreensGenerator::BemConstant => {
            return Err(Failure::bad_input(
                "NotSemiRegular",
                "--wavelet needs a node at each vertex, and constant elements have one in each triangle",
                "use --generator fem or bem-linear",
            ));
        }
        GreensGenerator::BemLinear => "bem-linear",
        GreensGenerator::Fem | GreensGenerator::Asset => "fem",
    };
    if args.hats && generator != "fem" {
        return Err(Failure::bad_input(
            "NeedsFiniteElements",
            "--hats solves for columns of coarse tractions, which only finite elements do",
            "use --generator fem",
        ));
    }
    let spec = spec_of(args, wavelet)?;
    let watch = session.output.watch(&session.progress);
    let setup = session.prepare(loaded)?;
    let part = args.out.as_deref().map(journal_file);
    let journal = part.as_deref().map(FileJournal::new);
    let kept = journal.as_ref().map(|j| j as &dyn ColumnJournal);
    let compressed = compressed_greens(&setup, &spec, args.hats, kept, &session.progress)?;
    let bytes = compressed.asset.to_bytes();
    store(session, args, &bytes)?;
    if let Some(part) = part {
        // the bake is complete and needs no journal
        let _ = std::fs::remove_file(part);
    }
    drop(watch);
    let Some(matrix) = compressed.wavelets() else {
        return Ok(Done::without_json());
    };
    let figures = Compressed::new(wavelet, &compressed, matrix, bytes.len());
    let asset = compressed.dense.as_ref().unwrap_or(&compressed.asset);
    let baked = (asset, &compressed.times, compressed.boundary_vertices);
    Ok(print(session, args, generator, baked, Some(&figures)))
}

/// The specification from the options.
fn spec_of(args: &Gf, wavelet: &str) -> Result<WaveletSpec, Failure> {
    let epsilon = args.epsilon.unwrap_or(EPSILON);
    if !(0.0..=1.0).contains(&epsilon) {
        return Err(Failure::bad_input(
            "BadThreshold",
            format!("--epsilon {epsilon} is out of range"),
            "use a number from 0 to 1; 0.05 suits most bodies",
        ));
    }
    if let Some(error) = args.rms.filter(|error| *error > 1.0) {
        return Err(Failure::bad_input(
            "BadThreshold",
            format!("--rms {error} is out of range"),
            "use a relative error above 0 and up to 1; 0.05 suits most bodies",
        ));
    }
    Ok(WaveletSpec {
        transform: TransformSpec {
            basis: match wavelet {
                "butterfly" => WaveletBasis::Butterfly,
                "modified-butterfly" => WaveletBasis::ModifiedButterfly,
                _ => WaveletBasis::Linear,
            },
            lifted: !args.unlifted,
            missing: if args.zero_outside {
                MissingNeighbours::Zero
            } else {
                MissingNeighbours::Renormalise
            },
            areas: if args.unit_areas {
                WaveletAreas::Unit
            } else {
                WaveletAreas::Nodal
            },
        },
        threshold: args
            .rms
            .map_or(Threshold::Epsilon(epsilon), Threshold::Error),
        near_field: args.near_field,
    })
}
