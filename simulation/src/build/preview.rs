//! A coarse model within a second, to be touched until the one that the scene asks for is baked.

use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::geometry::{MIN_CELLS, automatic_cells, coarsest_levels};
use super::job::{BuiltMethod, Job};
use super::method::build_method;
use crate::cache::AssetCache;
use crate::setup::Setup;

/// Levels of an adaptive preview.
const LEVELS: usize = 2;

/// A coarse model, where the one that the scene asks for is not in the cache and takes much longer to bake.
///
/// - The adaptive method has its two coarsest levels.
/// - The lattice has the fewest cells that it would have, and regions that are not fitted to finite elements.
/// - The quasistatic method has none: with few boundary nodes its forces were up to ten times too large or too small on thin parts (meshes of a bunny and of a rocker arm, 250 to 500 nodes). It opens without columns instead, and gets them as they are solved.
///
/// Forces of unfitted lattices were 1.1 to 2.8 times those of fitted ones on six meshes, after a tenth of a second in place of two seconds.
///
/// `None` for groups of bodies, and for a lattice that may be cut or break: it would be whole again when the fitted one takes its place. `None` also where the preview fails: the build of the full model then says why.
pub(crate) fn build_preview(
    setup: &Setup,
    method: Method,
    cache: &AssetCache,
    progress: &Progress,
) -> Option<BuiltMethod> {
    if setup.is_group() || Job::new(setup, method, cache, progress).is_baked() {
        return None;
    }
    let mut coarse = setup.clone();
    match method {
        Method::Adaptive => coarsest_levels(&mut coarse, LEVELS)?,
        Method::Lattice => coarse_lattice(&mut coarse)?,
        Method::Quasistatic => return None,
    }
    build_method(&coarse, method, cache, progress).ok()
}

/// Leaves out the fit of regions, which takes most of the time, and makes the cells large; `None` for a lattice that is not fitted or may be cut.
fn coarse_lattice(setup: &mut Setup) -> Option<()> {
    let may_separate = setup.description.body.fracture.breaks() || setup.has_blades();
    let lattice = &setup.description.body.lattice;
    let is_fitted = !lattice.uncalibrated && !setup.geometry.supports.is_empty();
    if !is_fitted || may_separate || lattice.toughness.is_some() {
        return None;
    }
    let cells = match (lattice.cell, lattice.cells_longest) {
        (Some(_), _) => None,
        (None, Some(cells)) => Some(cells),
        // a stiff body has fewer
        (None, None) => Some(automatic_cells(setup)),
    };
    let lattice = &mut setup.description.body.lattice;
    lattice.uncalibrated = true;
    lattice.cells_longest = cells.map(|cells| cells.min(MIN_CELLS));
    Some(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::world::World;
    use crate::world::testing::{setup_of, step};

    const SCENE: &str = r#"
        schema = 1
        name = "pad"
        gravity = [0.0, 0.0, 0.0]
        methods = ["adaptive", "lattice"]
        [[body]]
        name = "pad"
        mesh = { procedural = "sphere", longest = 0.1, edge = 0.006 }
        material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.5 }
        support = [ { name = "base", select = { lowest = 0.03 } } ]
        adaptive = { nodes = [60, 200, 800] }
    "#;

    /// A ball that presses 10 mm deep into the highest place.
    fn press(top: f64) -> String {
        let (above, below) = (top + 0.021, top + 0.01);
        format!(
            r#"
            [[tool]]
            name = "ball"
            shape = {{ sphere = {{ radius = 0.02 }} }}
            motion = {{ path = "press" }}
            [[path]]
            name = "press"
            keys = [ {{ t = 0.0, at = [0.0, {above}, 0.0] }}, {{ t = 0.3, at = [0.0, {below}, 0.0] }} ]
            "#
        )
    }

    /// The force on the tool after half a second, N, and the nodes of the model.
    fn force_and_nodes(setup: &Setup, built: BuiltMethod) -> (f64, usize) {
        let mut world = World::new(built.method, built.model, Arc::new(setup.clone()));
        step(&mut world, 30);
        let nodes = world.model().stats().total_nodes;
        (world.output().wrenches[0].force.norm(), nodes)
    }

    #[test]
    fn previews_are_coarser_and_have_similar_forces_and_none_is_made_of_what_is_cached() {
        let folder = tempfile::tempdir().expect("a folder");
        let alone = setup_of(SCENE);
        let heights = alone.skin().positions.iter().map(|x| x.y);
        let top = heights.fold(f64::NEG_INFINITY, f64::max);
        let setup = setup_of(format!("{SCENE}{}", press(top)));
        let cache = AssetCache::open(Some(folder.path()));
        let progress = Progress::new();
        for method in [Method::Adaptive, Method::Lattice] {
            let preview = build_preview(&setup, method, &cache, &progress).expect("a preview");
            let (coarse, few) = force_and_nodes(&setup, preview);
            let whole = build_method(&setup, method, &cache, &progress).expect("built");
            let (fine, many) = force_and_nodes(&setup, whole);
            let is_coarser = few < many || method == Method::Lattice;
            assert!(is_coarser, "{method:?}: {few} of {many} nodes");
            let ratio = coarse / fine;
            assert!(
                (0.6..1.7).contains(&ratio),
                "{method:?}: {coarse} N, {fine} N"
            );
            assert!(build_preview(&setup, method, &cache, &progress).is_none());
        }
    }
}
