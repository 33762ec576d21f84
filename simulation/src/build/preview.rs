//! The adaptive method on its coarsest levels, to be touched until all of them are baked.

use pliant_adaptive::LodHierarchy;
use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::built::BuiltMethod;
use super::geometry::coarsest_levels;
use super::job::Job;
use super::method::build_method;
use crate::cache::AssetCache;
use crate::parameters::adaptive_params;
use crate::setup::Setup;

/// Levels of a preview.
const PREVIEW_LEVELS: usize = 2;

/// The adaptive method on its coarsest levels alone, where the whole hierarchy is not in the cache and would take much longer: something to touch until it is there.
///
/// `None` for other methods, for groups of bodies, and where it fails: the build of the whole hierarchy then says why.
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
    let params = adaptive_params(setup).ok()?;
    let key = whole.key(pliant_adaptive::key(&setup.geometry, &params));
    let read = |bytes: &[u8]| LodHierarchy::from_bytes(bytes).ok();
    if whole.cached(key, &mut Vec::new(), read).is_some() {
        return None;
    }
    let mut coarse = setup.clone();
    coarsest_levels(&mut coarse, PREVIEW_LEVELS)?;
    build_method(&coarse, method, cache, progress).ok()
}
