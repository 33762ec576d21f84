//! From a scene to running models: the only place that names all three solvers.

use std::sync::Arc;
use std::time::Instant;

use pliant_adaptive::{AdaptiveModel, LodHierarchy};
use pliant_core::asset::{KeyHasher, Progress};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;
use pliant_lattice::{LatticeAsset, LatticeModel};

use crate::cache::AssetCache;
use crate::error::{BuildError, variant_name};
use crate::geometry::{coarsest_levels, geometry_for};
use crate::live::LiveFeed;
use crate::parameters::{adaptive_params, lattice_params};
use crate::setup::Setup;

mod greens;
mod stored;

pub use greens::{
    greens_asset, greens_functions, greens_share, greens_with_team, resumable_greens_functions,
};

/// Computing time a frame where the scene gives none, ms of the nominal machine: half a frame, for two other methods run beside it.
pub(crate) const DEFAULT_BUDGET_MS: f64 = 8.0;

/// A model that is ready to run.
pub struct BuiltMethod {
    /// Which method.
    pub method: Method,
    /// The model at rest.
    pub model: Box<dyn DeformableModel>,
    /// Wall time it took, s.
    pub seconds: f64,
    /// Whether the asset came from the cache.
    pub from_cache: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}

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

/// As [`build_method`]; a quasistatic body whose columns take their time is `opened` before they are there, and what is opened gets them as they
/// finish and the whole asset at the end.
///
/// # Errors
/// As [`build_method`].
pub fn build_opened(
    setup: &Setup,
    method: Method,
    cache: &AssetCache,
    progress: &Progress,
    opened: Option<&(dyn Fn(BuiltMethod) + Sync)>,
) -> Result<BuiltMethod, BuildError> {
    let started = Instant::now();
    let mut notes = setup.notes.clone();
    let feed = LiveFeed::default();
    let job = Job {
        live: opened.map(|opened| (&feed, opened)),
        ..Job::new(setup, method, cache, progress)
    };
    let (model, from_cache): (Box<dyn DeformableModel>, bool) = match method {
        Method::Quasistatic if setup.is_group() => return Err(job.one_body_only()),
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
            let asset = Arc::new(asset);
            feed.whole(&asset);
            (Box::new(job.quasistatic_model(asset)?), hit)
        }
        Method::Lattice => {
            let (asset, hit) = job.lattice(&mut notes)?;
            let model = LatticeModel::new(Arc::new(asset), &lattice_params(setup));
            (Box::new(model.map_err(|e| job.refused(&e))?), hit)
        }
    };
    Ok(BuiltMethod {
        method,
        model,
        seconds: started.elapsed().as_secs_f64(),
        from_cache,
        notes,
    })
}

/// Levels of a preview.
const PREVIEW_LEVELS: usize = 2;

/// The adaptive method on its coarsest levels alone, where the whole hierarchy is not in the cache and would take much longer: something to touch until it is there. `None` for
/// other methods, for groups of bodies, and where it fails: the whole build says why.
pub fn build_preview(
    setup: &Setup,
    method: Method,
    cache: &AssetCache,
    progress: &Progress,
) -> Option<BuiltMethod> {
    if method != Method::Adaptive || setup.is_group() {
        return None;
    }
    let whole = Job::new(setup, method, cache, progress);
    let params = adaptive_params(setup);
    let key = whole.key(pliant_adaptive::key(&setup.geometry, &params));
    let read = |bytes: &[u8]| LodHierarchy::from_bytes(bytes).ok();
    if whole.cached(key, &mut Vec::new(), read).is_some() {
        return None;
    }
    let mut coarse = setup.clone();
    coarsest_levels(&mut coarse, PREVIEW_LEVELS)?;
    build_method(&coarse, method, cache, progress).ok()
}

#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) method: Method,
    cache: &'a AssetCache,
    progress: &'a Progress,
    /// what a quasistatic body that is being baked is opened with
    live: Option<(&'a LiveFeed, &'a (dyn Fn(BuiltMethod) + Sync))>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(
        setup: &'a Setup,
        method: Method,
        cache: &'a AssetCache,
        progress: &'a Progress,
    ) -> Self {
        Self {
            setup,
            method,
            cache,
            progress,
            live: None,
        }
    }

    /// The same for one kind of several bodies.
    pub(crate) fn of_kind(&self, kind: &'a Setup) -> Self {
        Self {
            setup: kind,
            ..*self
        }
    }

    pub(crate) fn adaptive(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(LodHierarchy, bool), BuildError> {
        let params = adaptive_params(self.setup);
        let key = self.key(pliant_adaptive::key(&self.setup.geometry, &params));
        if let Some(asset) = self.cached(key, notes, |b| LodHierarchy::from_bytes(b).ok()) {
            return Ok((asset, true));
        }
        let mut made = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut made, self.progress)?;
        let asset = pliant_adaptive::bake::bake_with(&geometry, params.calibration, self.progress)
            .map_err(|e| self.refused(&e))?;
        self.keep(key, made, &asset.to_bytes(), notes);
        Ok((asset, false))
    }

    pub(crate) fn lattice(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(LatticeAsset, bool), BuildError> {
        let params = lattice_params(self.setup);
        let mut key = KeyHasher::new("lattice parameters", 1);
        key.bytes("parameters", format!("{params:?}").as_bytes());
        key.bytes(
            "geometry",
            &pliant_lattice::key(&self.setup.geometry, &params)
                .0
                .to_le_bytes(),
        );
        let key = self.key(key.finish());
        if let Some(asset) = self.cached(key, notes, |b| LatticeAsset::from_bytes(b).ok()) {
            return Ok((asset, true));
        }
        let mut made = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut made, self.progress)?;
        let asset = pliant_lattice::bake(&geometry, &params, self.progress)
            .map_err(|e| self.refused(&e))?;
        self.keep(key, made, &asset.to_bytes(), notes);
        Ok((asset, false))
    }

    /// A solver's refusal: a cancellation, or a reason why this method cannot run this scene.
    pub(crate) fn refused<E: std::error::Error>(&self, error: &E) -> BuildError {
        let code = variant_name(error);
        if code == "Cancelled" {
            return BuildError::Cancelled;
        }
        BuildError::NotApplicable {
            method: self.method,
            code,
            reason: error.to_string(),
        }
    }
}
