//! Green's functions of a scene's body, without a model: in one process or several.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;
use pliant_quasistatic::bake::{BakeControl, BakeShare, ColumnJournal};
use pliant_quasistatic::team::Team;
use pliant_quasistatic::{BakeError, GreensAsset};

use super::bake::BakedGreens;
use crate::build::job::Job;
use crate::cache::AssetCache;
use crate::error::BuildError;
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
    let notes = setup.note_texts_of(Method::Quasistatic);
    let mut notes: Vec<String> = notes.map(str::to_string).collect();
    let (asset, _) = job.quasistatic(&mut notes)?;
    notes.extend(asset.notes.iter().cloned());
    Ok((Arc::new(asset), notes))
}

/// Green's functions of a scene's body, baked anew. A journal keeps finished columns: a bake that was stopped goes on from there, with the same bits. The caller
/// removes the journal when the asset is stored.
///
/// # Errors
/// As [`build_method`](crate::build::build_method).
pub fn greens_functions(
    setup: &Setup,
    journal: Option<&dyn ColumnJournal>,
    progress: &Progress,
) -> Result<BakedGreens, BuildError> {
    with_job(setup, progress, |job| {
        if let Some(asset) = job.asset_from_file()? {
            return Ok(BakedGreens::from_file(asset));
        }
        let control = BakeControl {
            journal,
            ..BakeControl::new(progress)
        };
        let baked = job.bake_greens(&control)?;
        baked.map_err(|e| job.refused(&e))
    })
}

/// Solves one share of the columns into `journal`, as one of several processes. Returns the number of its columns.
///
/// When all processes are done, a bake with their journals ([`crate::cache::journal::MergedJournals`]) makes the asset of a single process, to the bit.
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
        if job.asset_from_file()?.is_some() {
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
            Ok(baked) => Ok(3 * baked.asset.nodes()),
        }
    })
}

/// As [`greens_functions`], together with the other processes of `team`. Each of them calls this with a journal of its own; the first gets the result, the
/// others `None`. The asset is that of a single process, to the bit.
///
/// # Errors
/// As [`build_method`](crate::build::build_method); code `TeamFailed` where another process could not go on.
pub fn greens_with_team(
    setup: &Setup,
    journal: Option<&dyn ColumnJournal>,
    team: &Team<'_>,
    progress: &Progress,
) -> Result<Option<BakedGreens>, BuildError> {
    with_job(setup, progress, |job| {
        if let Some(asset) = job.asset_from_file()? {
            return Ok((team.rank() == 0).then(|| BakedGreens::from_file(asset)));
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
