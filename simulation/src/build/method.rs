//! From a scene to a running model, by any method.

use std::sync::Arc;

use pliant_adaptive::AdaptiveModel;
use pliant_core::asset::Progress;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;
use pliant_lattice::LatticeModel;
use web_time::Instant;

use super::greens::{LiveFeed, sag_note};
use super::hand_parameters::check_hand_parameters;
use super::job::{BuiltMethod, Job};
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::parameters::{adaptive_params, lattice_params_of};
use crate::setup::Setup;

/// Builds one method for a scene: from the cache where possible, else by meshing and baking.
///
/// # Errors
/// [`BuildError::NotApplicable`] where the method cannot run this scene; others where meshing fails or the job is cancelled.
pub fn build_method(
    setup: &Setup,
    method: Method,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<BuiltMethod, BuildError> {
    build_opened(setup, method, cache, progress, None)
}

/// As [`build_method`]. `opened` receives a quasistatic body before its columns are solved; the body gets them as they finish, and the
/// complete asset at the end.
pub(crate) fn build_opened(
    setup: &Setup,
    method: Method,
    cache: &AssetCache,
    progress: &Progress,
    opened: Option<&(dyn Fn(BuiltMethod) + Sync)>,
) -> Result<BuiltMethod, BuildError> {
    let started = Instant::now();
    let mut notes = Vec::new();
    let feed = LiveFeed::default();
    let job = Job {
        progressive: opened.map(|opened| (&feed, opened)),
        ..Job::new(setup, method, cache, progress)
    };
    job.check_abilities()?;
    job.note_one_level(&mut notes);
    job.note_whole(&mut notes);
    let (model, from_cache): (Box<dyn DeformableModel>, bool) = match method {
        Method::Quasistatic if setup.is_group() => return Err(job.group_refusal()),
        Method::Adaptive if setup.is_group() => {
            let (group, hit) = job.adaptive_group(&mut notes)?;
            (Box::new(group), hit)
        }
        Method::Lattice if setup.is_group() => {
            let (group, hit) = job.lattice_group(&mut notes)?;
            (Box::new(group), hit)
        }
        Method::Adaptive => {
            let (asset, hit) = job.adaptive(&mut notes)?;
            let params = adaptive_params(setup);
            let model = AdaptiveModel::new(Arc::new(asset), params).map_err(|e| job.refused(&e))?;
            (Box::new(model), hit)
        }
        Method::Quasistatic => {
            let (asset, hit) = job.quasistatic(&mut notes)?;
            notes.extend(sag_note(setup, &asset));
            let asset = Arc::new(asset);
            feed.finish(&asset);
            (Box::new(job.quasistatic_model(asset)?), hit)
        }
        Method::Lattice => {
            let (asset, hit) = job.lattice(&mut notes)?;
            let params = lattice_params_of(setup, &asset)?;
            let model = LatticeModel::new(Arc::new(asset), &params);
            (Box::new(model.map_err(|e| job.refused(&e))?), hit)
        }
    };
    check_hand_parameters(setup, method, model.as_ref())?;
    Ok(BuiltMethod {
        method,
        model,
        seconds: started.elapsed().as_secs_f64(),
        from_cache,
        notes,
    })
}
