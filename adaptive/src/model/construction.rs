//! Construction of a model from a hierarchy and parameters.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::contact::VelocityProjection;
use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::asset::LodHierarchy;
use crate::bake::{AdaptiveBakeError, bake_single};
use crate::contact::ContactWork;
use crate::error::AdaptiveModelError;
use crate::force::damping::LevelDamping;
use crate::governor::Governor;
use crate::hierarchy::Level;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::co_stepping::state::CoStepping;
use crate::model::cut_body::state::CutBody;
use crate::model::cutting::state::Cutting;
use crate::model::prepared_level::{Prepared, prepare};
use crate::params::{
    AdaptiveParams, ElementModel, Interface, LevelChoice, Resolution, milliseconds_of_unit,
};
use crate::step::level_dynamics::Dynamics;
use crate::step::multirate::CutDynamics;
use crate::step::subcycling::{AddedInertia, cheapest_split};
use crate::step::time_step::{StateScan, substeps_for};

/// Least damping ratio with which the published interface may run.
const MIN_PAPER_DAMPING: f64 = 0.02;
/// Work of a body that blades may cut over that of the whole body at rest: a cut adds elements, and those at its ends are stretched.
const CUT_RESERVE: f64 = 1.3;

impl AdaptiveModel {
    /// A body at rest. With [`LevelChoice::Auto`] the finest level whose frame fits into `params.budget_units` moves. With [`Resolution::Cut`], a body that blades may cut or that may break moves on its cut until
    /// a blade reaches it or a load comes near breaking it, and on that level from then on.
    ///
    /// # Errors
    /// A level that does not exist, or a parameter out of range.
    pub fn new(
        asset: Arc<LodHierarchy>,
        params: AdaptiveParams,
    ) -> Result<Self, AdaptiveModelError> {
        if params.may_break_apart() && params.resolution == Resolution::Cut {
            return Self::on_cut_until_handover(asset, params);
        }
        let model = params
            .model
            .unwrap_or(ElementModel::Law(asset.material.law));
        check(&params, model)?;
        let damping = asset.material.damping;
        let prepare = |level: &Level| prepare(&asset, level, model, damping, &params);
        let cut = match params.resolution {
            Resolution::Level => None,
            Resolution::Cut => Some(moving_cut(&asset, model, damping, &params)?),
        };
        let choice = match cut {
            Some(_) => LevelChoice::Index(0),
            None => params.level,
        };
        let (index, prepared, withheld) = choose_level(&asset, choice, &params, prepare)?;
        let Prepared {
            field,
            steps,
            drag,
            masses,
            corners,
            added_mass,
            filter,
        } = prepared;
        let level = &asset.levels[index];
        let mut held = supports_of(level);
        let is_free = held.is_empty() && cut.is_none();
        let is_split = match params.may_break_apart() {
            true => params.subcycling,
            false => is_free,
        };
        let has_budget = params.level == LevelChoice::Auto && !params.may_break_apart();
        let added_inertia =
            (is_free && has_budget).then(|| Box::new(AddedInertia::new(corners, masses.clone())));
        let mut dynamics = Dynamics::new(level, field, drag, masses);
        dynamics.filter = filter;
        if let Some(body) = &cut {
            held = held_nodes(&body.dynamics);
        }
        Ok(Self {
            last_good: (dynamics.positions.clone(), dynamics.velocities.clone()),
            support_reactions: vec![Vec3::zeros(); asset.supports.len()],
            params,
            model,
            level: index,
            withheld,
            damping,
            dynamics,
            steps,
            held,
            projection: match is_free && has_budget {
                true => VelocityProjection::with_few_sweeps(),
                false => VelocityProjection::default(),
            },
            contact: ContactWork::default(),
            forces_are_current: false,
            gravity: Vec3::zeros(),
            placed: Vec3::zeros(),
            dissipated: 0.0,
            work: 0.0,
            lost_in_contact: 0.0,
            time: 0.0,
            last_step: 0.0,
            reactions: Vec::new(),
            scan: StateScan::default(),
            substeps: 0,
            blended: 0,
            added_mass,
            cutting: params
                .may_break_apart()
                .then(|| Box::new(Cutting::new(level, &asset.skin, params.fracture))),
            rates: is_split.then(Box::default),
            added_inertia,
            cut,
            counterpart: None,
            handover: None,
            explained: None,
            co_stepping: CoStepping::default(),
            asset,
        })
    }

    /// A body of one mesh without a hierarchy, for studies on bare meshes. Its skin is the boundary of the mesh, and its nodes `held` are fixed.
    ///
    /// # Errors
    /// A mesh or material that cannot be simulated.
    pub fn from_tets(
        mesh: TetMesh,
        material: Material,
        held: &[u32],
        model: ElementModel,
    ) -> Result<Self, AdaptiveBakeError> {
        let asset = bake_single(mesh, material, held, &Progress::new())?;
        let params = AdaptiveParams {
            model: Some(model),
            level: LevelChoice::Index(0),
            ..AdaptiveParams::default()
        };
        // the parameters fit: they are the defaults on the only level
        Self::new(Arc::new(asset), params).map_err(|_| AdaptiveBakeError::NoLevels)
    }
}

/// Checks the parameters.
fn check(params: &AdaptiveParams, model: ElementModel) -> Result<(), AdaptiveModelError> {
    if !(params.safety > 0.0 && params.safety <= 1.0) {
        return Err(AdaptiveModelError::BadParameter { name: "safety" });
    }
    if !(params.frame_duration > 0.0 && params.frame_duration.is_finite()) {
        return Err(AdaptiveModelError::BadParameter {
            name: "frame_duration",
        });
    }
    let limits = [
        ("strength", params.fracture.strength),
        ("toughness", params.fracture.toughness),
    ];
    for (name, limit) in limits {
        if limit.is_some_and(|value| !(value > 0.0 && value.is_finite())) {
            return Err(AdaptiveModelError::BadParameter { name });
        }
    }
    if params.fracture.breaks() && model.law().is_none() {
        return Err(AdaptiveModelError::FractureNeedsTetrahedra);
    }
    Ok(())
}

/// The level that moves, prepared, and whether the budget withholds a finer one, or even this one.
fn choose_level(
    asset: &LodHierarchy,
    choice: LevelChoice,
    params: &AdaptiveParams,
    prepare: impl Fn(&Level) -> Prepared,
) -> Result<(usize, Prepared, bool), AdaptiveModelError> {
    let levels = asset.levels.len();
    if let LevelChoice::Index(asked) = choice {
        let level = asset.levels.get(asked);
        let level = level.ok_or(AdaptiveModelError::NoSuchLevel { asked, levels })?;
        return Ok((asked, prepare(level), false));
    }
    let mut withheld = false;
    for (index, level) in asset.levels.iter().enumerate().rev() {
        let prepared = prepare(level);
        let fits = price(level, &prepared, params) <= params.budget_units;
        withheld |= !fits;
        if fits || index == 0 {
            return Ok((index, prepared, withheld));
        }
    }
    Err(AdaptiveModelError::NoSuchLevel { asked: 0, levels })
}

/// Evaluations in a frame of a level at rest, and of one that blades may cut once it is cut and stretched.
fn price(level: &Level, prepared: &Prepared, params: &AdaptiveParams) -> u64 {
    let mut element_rates = Vec::new();
    let split = match params.may_break_apart() && params.subcycling {
        true => prepared
            .steps
            .element_rates(&level.mesh.nodes, &mut element_rates, |_| false),
        false => None,
    };
    if split.is_some() {
        let evaluations = cheapest_split(&element_rates, 0.0).cost * params.frame_duration;
        return (CUT_RESERVE * evaluations) as u64;
    }
    let substeps = substeps_for(prepared.steps.rest_rate(), params.frame_duration);
    let evaluations = u64::from(substeps) * prepared.field.element_count() as u64;
    match params.may_break_apart() && !params.subcycling {
        true => (CUT_RESERVE * evaluations as f64) as u64,
        false => evaluations,
    }
}

/// The moving part of a body on a cut.
fn moving_cut(
    asset: &Arc<LodHierarchy>,
    model: ElementModel,
    damping: Damping,
    params: &AdaptiveParams,
) -> Result<Box<CutBody>, AdaptiveModelError> {
    if model.law().is_none() {
        return Err(AdaptiveModelError::CutNeedsTetrahedra);
    }
    let zeta1 = match damping {
        Damping::Ratio(zeta) => zeta,
        Damping::Parameters(_) => {
            let (rule, lame) = (params.damping_rule, asset.material.lame());
            let lowest = asset.lowest_frequency;
            let damping_time = |level| LevelDamping::new(damping, rule, &lame, lowest, level).time;
            asset.levels.first().map_or(0.0, damping_time) * lowest / 2.0
        }
    };
    if params.interface == Interface::Paper && !params.allow_unstable && zeta1 < MIN_PAPER_DAMPING {
        return Err(AdaptiveModelError::InterfaceNeedsDamping {
            zeta1,
            minimum: MIN_PAPER_DAMPING,
        });
    }
    let dynamics = CutDynamics::new(asset.clone(), model, damping, params);
    let coarsest = dynamics.cut().cost();
    if coarsest / 2 > params.budget_units {
        let each = milliseconds_of_unit(params.precision, Resolution::Cut);
        return Err(AdaptiveModelError::BudgetInfeasible {
            coarsest_ms: coarsest as f64 * each,
            budget_ms: params.budget_units as f64 * each,
        });
    }
    let governor = Governor::new(&dynamics.forest, params)?;
    Ok(Box::new(CutBody::new(dynamics, governor)))
}

/// Held nodes of a level with their supports, ascending; a node of two supports counts for the first.
pub(crate) fn supports_of(level: &Level) -> Vec<(u32, u32)> {
    let all = level.held.iter().enumerate();
    let mut held: Vec<(u32, u32)> = all
        .flat_map(|(support, nodes)| nodes.iter().map(move |&n| (n, support as u32)))
        .collect();
    held.sort_unstable();
    held.dedup_by_key(|h| h.0);
    held
}

/// Held nodes of all levels with their supports, ascending.
pub(crate) fn held_nodes(dynamics: &CutDynamics) -> Vec<(u32, u32)> {
    let forest = &dynamics.forest;
    (0..forest.node_count() as u32)
        .filter_map(|n| forest.support(n).map(|s| (n, s as u32)))
        .collect()
}
