//! From a scene to running models: the only place that names all three solvers.

use std::sync::Arc;
use std::time::Instant;

use pliant_adaptive::{AdaptiveModel, LodHierarchy};
use pliant_core::asset::{AssetKey, KeyHasher, Progress};
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;
use pliant_lattice::{LatticeAsset, LatticeModel};
use pliant_quasistatic::bake::bake_controlled;
use pliant_quasistatic::greens::table::SharedBytes;
use pliant_quasistatic::greens::{BakeControl, BakeShare, ColumnJournal, Published, StageTimes};
use pliant_quasistatic::team::Team;
use pliant_quasistatic::{BakeError, GreensAsset, QuasistaticModel};

use crate::cache::AssetCache;
use crate::error::{BuildError, variant_name};
use crate::geometry::{geometry_for, geometry_recipe};
use crate::given_columns::place;
use crate::journal::FileJournal;
use crate::live::LiveFeed;
use crate::parameters::{adaptive_params, lattice_params};
use crate::quasistatic_parameters::{load_points, quasistatic_params};
use crate::setup::Setup;

/// Computing time a frame where the scene gives none, ms of the nominal machine: half a frame, for two other methods run beside it.
pub(crate) const DEFAULT_BUDGET_MS: f64 = 8.0;

/// An asset in the cache begins at a multiple of so many bytes, after the remarks.
const ASSET_ALIGNMENT: usize = 64;

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

/// As [`build_method`]; a quasistatic body whose columns take their time is `opened` before they are there, and what is opened gets them as they finish and the whole asset at the end.
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

/// Green's functions of a scene's body, from the cache where possible, and what was remarked on the way.
///
/// # Errors
/// As [`build_method`].
pub fn greens_asset(
    setup: &Setup,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<(Arc<GreensAsset>, Vec<String>), BuildError> {
    let job = Job::new(setup, Method::Quasistatic, cache, progress);
    let mut notes = setup.notes.clone();
    let (asset, _) = job.quasistatic(&mut notes)?;
    notes.extend(asset.notes.iter().cloned());
    Ok((Arc::new(asset), notes))
}

/// Green's functions of a scene's body, baked anew: the asset, the wall time of its stages, and the number of boundary vertices with the held ones.
///
/// # Errors
/// As [`build_method`].
pub fn greens_functions(
    setup: &Setup,
    progress: &Progress,
) -> Result<(GreensAsset, StageTimes, usize), BuildError> {
    resumable_greens_functions(setup, None, progress)
}

/// As [`greens_functions`], keeping finished columns: a bake that was stopped goes on from there, with the same bits. The journal is left to the
/// caller, who removes it when the asset is stored.
///
/// # Errors
/// As [`build_method`].
pub fn resumable_greens_functions(
    setup: &Setup,
    journal: Option<&dyn ColumnJournal>,
    progress: &Progress,
) -> Result<(GreensAsset, StageTimes, usize), BuildError> {
    with_job(setup, progress, |job| {
        if let Some(asset) = job.given()? {
            let vertices = asset.skin.vertex_count();
            return Ok((asset, StageTimes::default(), vertices));
        }
        let control = BakeControl {
            journal,
            ..BakeControl::new(progress)
        };
        let baked = job.bake_greens(&control)?;
        baked.map_err(|e| job.refused(&e))
    })
}

/// Solves one share of the columns into `journal`, as one of several processes: the number of its columns. Where all processes are done, a bake with their
/// journals ([`crate::journal::MergedJournals`]) makes the asset of a single process, to the bit.
///
/// # Errors
/// As [`build_method`].
pub fn greens_share(
    setup: &Setup,
    journal: &dyn ColumnJournal,
    share: BakeShare,
    progress: &Progress,
) -> Result<usize, BuildError> {
    with_job(setup, progress, |job| {
        if job.given()?.is_some() {
            return Ok(0);
        }
        let control = BakeControl {
            journal: Some(journal),
            share: Some(share),
            ..BakeControl::new(progress)
        };
        match job.bake_greens(&control)? {
            Err(BakeError::ShareDone { columns, .. }) => Ok(columns),
            Err(other) => Err(job.refused(&other)),
            Ok((asset, ..)) => Ok(3 * asset.nodes()),
        }
    })
}

/// As [`resumable_greens_functions`] with the other processes of `team`, each of which calls this with a journal of its own: what the first of them has, `None` for the
/// others. The asset is that of a single process, to the bit.
///
/// # Errors
/// As [`build_method`]; code `TeamFailed` where another process could not go on.
pub fn greens_with_team(
    setup: &Setup,
    journal: Option<&dyn ColumnJournal>,
    team: &Team<'_>,
    progress: &Progress,
) -> Result<Option<(GreensAsset, StageTimes, usize)>, BuildError> {
    with_job(setup, progress, |job| {
        if let Some(asset) = job.given()? {
            let vertices = asset.skin.vertex_count();
            return Ok((team.rank() == 0).then(|| (asset, StageTimes::default(), vertices)));
        }
        let control = BakeControl {
            journal,
            team: Some(team),
            ..BakeControl::new(progress)
        };
        match job.bake_greens(&control)? {
            Err(BakeError::ShareDone { .. }) => Ok(None),
            Err(other) => Err(job.refused(&other)),
            Ok(baked) => Ok(Some(baked)),
        }
    })
}

fn with_job<T>(
    setup: &Setup,
    progress: &Progress,
    work: impl FnOnce(&Job<'_>) -> Result<T, BuildError>,
) -> Result<T, BuildError> {
    let cache = AssetCache::disabled();
    let job = Job::new(setup, Method::Quasistatic, &cache, progress);
    job.require_support()?;
    work(&job)
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
    fn new(
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
        let asset = pliant_adaptive::bake::bake_with(&geometry, params.calibrate, self.progress)
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

    fn require_support(&self) -> Result<(), BuildError> {
        if self.setup.geometry.supports.is_empty() {
            return Err(BuildError::NotApplicable {
                method: self.method,
                code: "Unconstrained".into(),
                reason: "it needs a support: without one the body has no equilibrium\n  remedy: add a [[body.support]]".into(),
            });
        }
        Ok(())
    }

    /// The columns of the scene's file, where it names one.
    fn given(&self) -> Result<Option<GreensAsset>, BuildError> {
        let written = &self.setup.description.body.quasistatic.asset;
        let Some(written) = written else {
            return Ok(None);
        };
        let file = place(self.setup, written);
        let asset = crate::given_columns::read(self.setup, &file).map_err(|e| self.refused(&e))?;
        Ok(Some(asset))
    }

    /// The asset, the times of its stages and the number of boundary vertices, or why the solver has none; other failures outside.
    fn bake_greens(
        &self,
        control: &BakeControl<'_>,
    ) -> Result<Result<(GreensAsset, StageTimes, usize), BakeError>, BuildError> {
        let mut notes = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut notes, self.progress)?;
        let params = quasistatic_params(self.setup);
        let (mut asset, times) = match bake_controlled(&geometry, &params, control) {
            Ok(baked) => baked,
            Err(BakeError::JournalUnwritable { path, reason }) => {
                return Err(BuildError::Unwritable {
                    file: path,
                    reason: format!("finished columns cannot be kept: {reason}"),
                });
            }
            Err(other) => return Ok(Err(other)),
        };
        notes.append(&mut asset.notes);
        asset.notes = notes;
        let vertices = geometry
            .greens_level
            .as_ref()
            .map_or(0, |mesh| mesh.boundary().node_of_vertex.len());
        Ok(Ok((asset, times, vertices)))
    }

    fn quasistatic(&self, notes: &mut Vec<String>) -> Result<(GreensAsset, bool), BuildError> {
        self.require_support()?;
        if let Some(asset) = self.given()? {
            notes.extend(asset.notes.iter().cloned());
            return Ok((asset, true));
        }
        let params = quasistatic_params(self.setup);
        let key = self.key(pliant_quasistatic::bake::key(&self.setup.geometry, &params));
        if let Some(asset) = self.mapped(key, notes) {
            return Ok((asset, true));
        }
        let mut made = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut made, self.progress)?;
        let part = self.cache.part(self.method.name(), key);
        let journal = part.as_deref().map(FileJournal::new);
        let publish = |published| self.publish(published);
        let mut control = BakeControl {
            journal: journal
                .as_ref()
                .map(|journal| journal as &dyn ColumnJournal),
            ..BakeControl::new(self.progress)
        };
        if let Some((feed, _)) = &self.live {
            control.publish = Some(&publish);
            control.wanted = Some(feed.wanted());
        }
        let mut baked = bake_controlled(&geometry, &params, &control);
        if let Err(BakeError::JournalUnwritable { .. } | BakeError::JournalForeign { .. }) = &baked
        {
            // a cache that cannot be written is the same as none
            if let Some(part) = &part {
                let _ = std::fs::remove_file(part);
            }
            control.journal = None;
            baked = bake_controlled(&geometry, &params, &control);
        }
        let (asset, _) = baked.map_err(|e| self.refused(&e))?;
        self.keep(key, made, &asset.to_bytes(), notes);
        if let Some(part) = part {
            let _ = std::fs::remove_file(part);
        }
        Ok((asset, false))
    }

    /// A body that is being baked opens as soon as it is known but for its columns, which follow.
    fn publish(&self, published: Published) {
        let Some((feed, opened)) = &self.live else {
            return;
        };
        match published {
            Published::Asset(asset) => {
                // what is refused here is refused again, with its reason, when the bake is done
                let Ok(model) = self.quasistatic_model(Arc::from(asset)) else {
                    return;
                };
                opened(BuiltMethod {
                    method: self.method,
                    model: Box::new(feed.open(model)),
                    seconds: 0.0,
                    from_cache: false,
                    notes: Vec::new(),
                });
            }
            Published::Columns(columns) => feed.columns(columns),
        }
    }

    /// The model of an asset, scaled to the scene's stiffness and weight where the columns are a file's.
    fn quasistatic_model(&self, asset: Arc<GreensAsset>) -> Result<QuasistaticModel, BuildError> {
        let baked = asset.material;
        let mut model = QuasistaticModel::new(asset, &quasistatic_params(self.setup));
        let wanted = self.setup.geometry.material;
        for (name, baked, wanted) in [
            ("young", baked.elastic.young, wanted.elastic.young),
            ("density", baked.density, wanted.density),
        ] {
            if baked != wanted {
                let value = ParameterValue::Number(wanted);
                let set = model.set_parameter(name, value);
                set.map_err(|e| self.refused(&e))?;
            }
        }
        load_points(&mut model, self.setup).map_err(|e| self.refused(&e))?;
        Ok(model)
    }

    /// The solver's key of skin, material and supports, joined with how the rest of the geometry is made from them.
    fn key(&self, of_geometry: AssetKey) -> AssetKey {
        let mut hasher = KeyHasher::new(self.method.name(), 1);
        hasher.bytes("geometry", &of_geometry.0.to_le_bytes());
        hasher.bytes(
            "recipe",
            geometry_recipe(self.setup, self.method).as_bytes(),
        );
        hasher.bytes("program", env!("CARGO_PKG_VERSION").as_bytes());
        hasher.finish()
    }

    /// An asset from the cache, with the remarks that were made when it was baked.
    fn cached<A>(
        &self,
        key: AssetKey,
        notes: &mut Vec<String>,
        read: impl Fn(&[u8]) -> Option<A>,
    ) -> Option<A> {
        let bytes = self.cache.load(self.method.name(), key)?;
        let (remarks, begin) = remarks(&bytes)?;
        let asset = read(bytes.get(begin..)?)?;
        notes.extend(remarks);
        Some(asset)
    }

    /// Green's functions from the cache, their columns where they lie in the file.
    fn mapped(&self, key: AssetKey, notes: &mut Vec<String>) -> Option<GreensAsset> {
        let file = self.cache.map(self.method.name(), key)?;
        let (remarks, begin) = remarks(file.bytes())?;
        let bytes: Arc<dyn SharedBytes> = Arc::new(file.trimmed(begin, 0));
        let asset = GreensAsset::from_shared(&bytes).ok()?;
        notes.extend(remarks);
        Some(asset)
    }

    /// Stores an asset behind the remarks that were made on the way: length, text, asset.
    fn keep(&self, key: AssetKey, made: Vec<String>, asset: &[u8], notes: &mut Vec<String>) {
        let mut remarks = made.join("\n");
        // what is mapped later shall begin where wide loads like it
        let end = (8 + remarks.len()).next_multiple_of(ASSET_ALIGNMENT);
        remarks.extend(std::iter::repeat_n('\n', end - 8 - remarks.len()));
        let length = (remarks.len() as u64).to_le_bytes();
        let parts = [length.as_slice(), remarks.as_bytes(), asset];
        self.cache.store_parts(self.method.name(), key, &parts);
        notes.extend(made);
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

/// The remarks in front of a cached asset, and where it begins.
fn remarks(bytes: &[u8]) -> Option<(Vec<String>, usize)> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let text = std::str::from_utf8(rest.get(..length)?).ok()?;
    let lines = text.lines().filter(|line| !line.is_empty());
    Some((lines.map(str::to_string).collect(), 8 + length))
}
