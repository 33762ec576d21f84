//! Green's functions of a scene's body: baked, from the cache or from a file, in one process or several, and opened before they are complete.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::scene::Method;
use pliant_quasistatic::bake::bake_controlled;
use pliant_quasistatic::bake::{BakeControl, BakeShare, ColumnJournal, Published, StageTimes};
use pliant_quasistatic::team::Team;
use pliant_quasistatic::{BakeError, GreensAsset, QuasistaticModel};

use crate::build::{BuiltMethod, Job};
use crate::cache::AssetCache;
use crate::error::BuildError;
use crate::geometry::geometry_for;
use crate::given_columns::place;
use crate::journal::FileJournal;
use crate::quasistatic_parameters::{load_points, quasistatic_params};
use crate::setup::Setup;

/// Green's functions of a scene's body, from the cache where possible, and what was remarked on the way.
///
/// # Errors
/// As [`build_method`](crate::build::build_method).
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
/// As [`build_method`](crate::build::build_method).
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
/// As [`build_method`](crate::build::build_method).
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
/// As [`build_method`](crate::build::build_method).
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
/// As [`build_method`](crate::build::build_method); code `TeamFailed` where another process could not go on.
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

impl Job<'_> {
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

    pub(super) fn quasistatic(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(GreensAsset, bool), BuildError> {
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
    pub(super) fn quasistatic_model(
        &self,
        asset: Arc<GreensAsset>,
    ) -> Result<QuasistaticModel, BuildError> {
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
}
