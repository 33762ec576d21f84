//! From the text of a scene to the parameters of the quasistatic method.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::scene::{ConstraintLevel, Fibres, GreensGenerator, VertexWeight};
use pliant_quasistatic::inside::InsideLoadError;
use pliant_quasistatic::params::{Generator, StiffnessPart, WORK_UNITS_PER_MS};
use pliant_quasistatic::{QuasistaticModel, QuasistaticParams};

use crate::setup::Setup;

/// What the scene asks of the quasistatic method.
pub(crate) fn quasistatic_params(setup: &Setup) -> QuasistaticParams {
    let description = &setup.description.body.quasistatic;
    let defaults = QuasistaticParams::default();
    let part = |weight: &VertexWeight| match weight {
        VertexWeight::Part { select, factor } => Some(StiffnessPart::Region {
            selection: select.clone(),
            factor: *factor,
        }),
        VertexWeight::Attribute(name) => {
            let values = setup.attribute(name)?;
            Some(StiffnessPart::Skin(Arc::clone(values)))
        }
    };
    let zero = setup.description.nu0.then_some(0.0);
    QuasistaticParams {
        generator: match description.generator {
            GreensGenerator::Fem => Generator::Fem,
            GreensGenerator::BemLinear => Generator::BemLinear,
            GreensGenerator::BemConstant => Generator::BemConstant,
            // a file is read, not baked
            GreensGenerator::Asset => Generator::default(),
        },
        elements: description.elements,
        loads: description.loads,
        max_contacts: description.max_contacts.unwrap_or(defaults.max_contacts),
        stiffness: description.stiffness.iter().filter_map(part).collect(),
        fibres: description.fibres.map(|fibres| Fibres {
            poisson: zero.or(fibres.poisson),
            ..fibres
        }),
        inside: description.inside.clone(),
        releasable: description.releasable.clone(),
        hierarchical: description.hierarchical,
        constraint_level: description.constraint_level,
        budget: description
            .budget_ms
            .map(|ms| (ms * WORK_UNITS_PER_MS) as u64),
        ..defaults
    }
}

/// Gives the points inside the loads of the scene. An asset from the cache or from a file may have been made with other loads.
pub(crate) fn load_points(
    model: &mut QuasistaticModel,
    setup: &Setup,
) -> Result<(), InsideLoadError> {
    let points = &setup.description.body.quasistatic.inside;
    let loads: Vec<(String, Vec3)> = model
        .inside()
        .iter()
        .map(|point| {
            let own = points.iter().find(|p| p.name == point.named.name);
            let load = own.map_or_else(Vec3::zeros, |own| own.load);
            (point.named.name.clone(), load)
        })
        .collect();
    for (name, load) in loads {
        model.set_inside_load(&name, load)?;
    }
    Ok(())
}

/// Why a body cannot be constrained at the level that its scene asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConstraintLevelError {
    /// The columns of the file have no levels.
    #[error(
        "`quasistatic.constraint_level` needs columns that are compressed by wavelets, but those of the file are not\n  remedy: make the file with `pliant gf --wavelet linear`, or leave the key out"
    )]
    NoLevels,
    /// There are not so many levels.
    #[error(
        "`quasistatic.constraint_level` is {wanted}, the body's surface has {levels} levels below the finest\n  remedy: use at most {levels}, or \"auto\""
    )]
    TooCoarse {
        /// Levels that the scene wants to go down.
        wanted: u32,
        /// Levels that there are.
        levels: usize,
    },
}

/// Whether the body has the level of constraints that the scene asks for. Columns that are still being baked get their levels when they are compressed.
pub(crate) fn check_constraint_level(
    model: &QuasistaticModel,
    setup: &Setup,
) -> Result<(), ConstraintLevelError> {
    let description = &setup.description.body.quasistatic;
    let levels = model.constraint_levels();
    match description.constraint_level {
        ConstraintLevel::Fine => Ok(()),
        _ if levels == 0 && description.wavelet.is_some() => Ok(()),
        _ if levels == 0 => Err(ConstraintLevelError::NoLevels),
        ConstraintLevel::Coarser(n) if n as usize > levels => {
            Err(ConstraintLevelError::TooCoarse { wanted: n, levels })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pliant_core::asset::Progress;
    use pliant_core::scene::Method;

    use crate::build::{BakedGreens, build_method, greens_functions};
    use crate::cache::AssetCache;
    use crate::setup::Setup;
    use crate::world::testing::{quasistatic_block, refusal};

    fn scene(folder: &Path, keys: &str) -> Setup {
        quasistatic_block(folder, 0.05, 0.3, keys)
    }

    fn inside(load: &str) -> String {
        format!("inside = [ {{ name = \"core\", point = [0.01, 0.02, 0.0], load = {load} }} ]")
    }

    /// Whether the columns came from the cache, and everything that the model begins with.
    fn built(setup: &Setup, cache: &AssetCache) -> (bool, String) {
        let built = build_method(setup, Method::Quasistatic, cache, &Progress::new());
        let built = built.unwrap_or_else(|e| panic!("{e}"));
        (built.from_cache, format!("{:?}", built.model.snapshot()))
    }

    #[test]
    fn materials_and_places_are_baked_anew_and_loads_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = AssetCache::open(Some(folder.path()));
        let fresh = |text: &str| built(&scene(folder.path(), text), &cache);
        let firm = |factor: f64| {
            format!("stiffness = [ {{ select = {{ lowest = 0.5 }}, factor = {factor:?} }} ]")
        };
        let fibres = "fibres = { direction = [1, 0, 0], young = 4e4, shear = 1e4 }";
        for text in [String::new(), firm(2.0), firm(3.0), fibres.to_string()] {
            assert!(!fresh(&text).0, "{text}");
            assert!(fresh(&text).0, "{text}");
        }
        let (cached, none) = fresh(&inside("[0, 0, 0]"));
        assert!(!cached);
        let (cached, pulled) = fresh(&inside("[0, -1, 0]"));
        assert!(
            cached && pulled != none,
            "the load is the scene's, the columns are the cache's"
        );
        assert_eq!(fresh(&inside("[0, 0, 0]")), (true, none));
    }

    #[test]
    fn a_budget_in_milliseconds_becomes_work_units_of_two_nanoseconds() {
        let folder = tempfile::tempdir().expect("a folder");
        let budget = |text: &str| super::quasistatic_params(&scene(folder.path(), text)).budget;
        assert_eq!(budget("budget_ms = 2"), Some(1_000_000));
        assert_eq!(budget(""), None);
    }

    #[test]
    fn a_file_must_have_the_points_of_the_scene() {
        let folder = tempfile::tempdir().expect("a folder");
        let baked = scene(folder.path(), &inside("[0, -1, 0]"));
        let BakedGreens { asset, .. } =
            greens_functions(&baked, None, &Progress::new()).expect("baked");
        std::fs::write(folder.path().join("block.pgf"), asset.to_bytes()).expect("written");
        let given = |more: &str| {
            let text = format!("generator = \"asset\", asset = \"block.pgf\", {more}");
            scene(folder.path(), &text)
        };
        let cache = AssetCache::disabled();
        let same = built(&given(&inside("[0, -1, 0]")), &cache).1;
        assert_eq!(same, built(&baked, &cache).1);
        let elsewhere = given("inside = [ { name = \"core\", point = [0.02, 0.02, 0.0] } ]");
        let (code, reason) = refusal(&elsewhere, Method::Quasistatic).expect("refused");
        assert_eq!(code, "GreensMeshMismatch");
        assert!(
            reason.contains("`core`") && reason.contains("remedy"),
            "{reason}"
        );
    }

    #[test]
    fn coarse_constraints_need_columns_with_so_many_levels() {
        let folder = tempfile::tempdir().expect("a folder");
        let dense = scene(folder.path(), "generator = \"bem-linear\", boundary = 150");
        let BakedGreens { asset, .. } =
            greens_functions(&dense, None, &Progress::new()).expect("baked");
        std::fs::write(folder.path().join("block.pgf"), asset.to_bytes()).expect("written");
        let cache = AssetCache::disabled();
        let refused = |text: &str| {
            let setup = scene(folder.path(), text);
            let (code, reason) = refusal(&setup, Method::Quasistatic).expect("refused");
            assert!(
                reason.contains("constraint_level") && reason.contains("remedy"),
                "{reason}"
            );
            code
        };
        let file = "generator = \"asset\", asset = \"block.pgf\", constraint_level = \"auto\"";
        assert_eq!(refused(file), "NoLevels");
        let wavelets =
            "generator = \"bem-linear\", boundary = 150, wavelet = \"linear\", constraint_level = ";
        assert_eq!(refused(&format!("{wavelets}12")), "TooCoarse");
        built(&scene(folder.path(), &format!("{wavelets}1")), &cache);
    }
}
