//! One method of one scene while it is built: takes its asset from the cache, or meshes, bakes and stores it.

use pliant_adaptive::{AdaptiveParams, LodHierarchy};
use pliant_core::asset::{AssetKey, KeyHasher, Progress};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;
use pliant_lattice::{LatticeAsset, LatticeParams};

use super::geometry::geometry_for;
use super::greens::LiveFeed;
use crate::cache::AssetCache;
use crate::error::{BuildError, variant_name};
use crate::parameters::{adaptive_params, lattice_params};
use crate::setup::Setup;

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
    /// What the user should know of the build; the scene has notes of its own.
    pub notes: Vec<String>,
}

/// Receives a quasistatic body whose columns are still being baked.
pub(super) type OpenedCallback<'a> = &'a (dyn Fn(BuiltMethod) + Sync);

/// What a build needs: the scene, the method, the cache and the progress.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) method: Method,
    pub(super) cache: &'a AssetCache,
    pub(super) progress: &'a Progress,
    /// where columns go as they finish, and who receives the body before that
    pub(super) progressive: Option<(&'a LiveFeed, OpenedCallback<'a>)>,
}

impl<'a> Job<'a> {
    /// A build of `method` that is not opened before it is complete.
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
            progressive: None,
        }
    }

    /// The same job for one kind of bodies.
    pub(crate) fn of_kind(&self, kind: &'a Setup) -> Self {
        Self {
            setup: kind,
            ..*self
        }
    }

    /// The levels of finite elements, and whether they came from the cache.
    pub(crate) fn adaptive(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(LodHierarchy, bool), BuildError> {
        let params = adaptive_params(self.setup);
        let key = self.adaptive_key(&params);
        if let Some(asset) = self.load_cached(key, notes, |b| LodHierarchy::from_bytes(b).ok()) {
            return Ok((asset, true));
        }
        let mut bake_notes = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut bake_notes, self.progress)?;
        let asset = pliant_adaptive::bake::bake_with(&geometry, params.calibration, self.progress)
            .map_err(|e| self.refused(&e))?;
        self.store(key, bake_notes, &asset.to_bytes(), notes);
        Ok((asset, false))
    }

    /// The lattice, and whether it came from the cache.
    pub(crate) fn lattice(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(LatticeAsset, bool), BuildError> {
        let params = lattice_params(self.setup);
        let key = self.lattice_key(&params);
        if let Some(asset) = self.load_cached(key, notes, |b| LatticeAsset::from_bytes(b).ok()) {
            return Ok((asset, true));
        }
        let mut bake_notes = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut bake_notes, self.progress)?;
        let asset = pliant_lattice::bake(&geometry, &params, self.progress)
            .map_err(|e| self.refused(&e))?;
        self.store(key, bake_notes, &asset.to_bytes(), notes);
        Ok((asset, false))
    }

    fn adaptive_key(&self, params: &AdaptiveParams) -> AssetKey {
        self.key(pliant_adaptive::key(&self.setup.geometry, params))
    }

    fn lattice_key(&self, params: &LatticeParams) -> AssetKey {
        let mut key = KeyHasher::new("lattice parameters", 1);
        key.bytes("parameters", format!("{params:?}").as_bytes());
        let geometry = pliant_lattice::key(&self.setup.geometry, params);
        key.bytes("geometry", &geometry.0.to_le_bytes());
        self.key(key.finish())
    }

    /// Whether levels or lattice are in the cache; false for Green's functions.
    pub(super) fn is_baked(&self) -> bool {
        let key = match self.method {
            Method::Adaptive => self.adaptive_key(&adaptive_params(self.setup)),
            Method::Lattice => self.lattice_key(&lattice_params(self.setup)),
            Method::Quasistatic => return false,
        };
        self.cache.has_file(self.method.name(), key)
    }

    /// A solver's refusal: a cancellation, or a reason why this method cannot run this scene.
    pub(crate) fn refused<E: std::error::Error>(&self, error: &E) -> BuildError {
        let code = variant_name(error);
        match code.as_str() {
            "Cancelled" => BuildError::Cancelled,
            code => self.not_applicable(code, error.to_string()),
        }
    }

    /// Why this method cannot run this scene, with a remedy.
    pub(super) fn not_applicable(&self, code: &str, reason: impl Into<String>) -> BuildError {
        BuildError::NotApplicable {
            method: self.method,
            code: code.into(),
            reason: reason.into(),
        }
    }
}
