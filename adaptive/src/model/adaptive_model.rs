//! The model: a hierarchy, the level of it that moves, and the frame loop.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::contact::{SteppedModel, VelocityProjection};
use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, TetMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
};

use crate::asset::LodHierarchy;
use crate::bake::{AdaptiveBakeError, bake_single};
use crate::contact::ContactWork;
use crate::cut::Interface;
use crate::error::AdaptiveModelError;
use crate::force::ForceField;
use crate::force::damping::LevelDamping;
use crate::governor::Governor;
use crate::hierarchy::Level;
use crate::model::co_stepping::state::Together;
use crate::model::cut_body::cut_body::{CutBody, held_nodes};
use crate::params::{AdaptiveParams, ElementModel, LevelChoice, NANOSECONDS_PER_TET, Resolution};
use crate::step::filter::NodeFilter;
use crate::step::level_dynamics::Dynamics;
use crate::step::mass_scaling::scale_masses;
use crate::step::multirate::CutDynamics;
use crate::step::time_step::{StateScan, StepControl, substeps_for};

/// Least damping ratio with which the published interface may run.
const PAPER_DAMPING: f64 = 0.02;

/// Name of this method.
pub const KIND: &str = "adaptive";

/// A body of explicit tetrahedra (or edge springs).
#[derive(Debug, Clone)]
pub struct AdaptiveModel {
    pub(crate) asset: Arc<LodHierarchy>,
    pub(crate) params: AdaptiveParams,
    pub(crate) model: ElementModel,
    pub(crate) level: usize,
    /// whether the budget forbids a finer level
    pub(crate) withheld: bool,
    /// what the body's damping is now; at first that of its material
    pub(crate) damping: Damping,
    pub(crate) dynamics: Dynamics,
    pub(crate) steps: StepControl,
    /// held nodes with their support
    pub(crate) held: Vec<(u32, u32)>,
    pub(crate) projection: VelocityProjection,
    pub(crate) contact: ContactWork,
    /// last good positions and velocities
    pub(crate) good: (Vec<Vec3>, Vec<Vec3>),
    pub(crate) fresh: bool,
    pub(crate) gravity: Vec3,
    pub(crate) dissipated: f64,
    pub(crate) work: f64,
    pub(crate) time: f64,
    pub(crate) last_step: f64,
    pub(crate) reactions: Vec<Vec3>,
    pub(crate) substep_forces: Vec<Vec3>,
    pub(crate) support_reactions: Vec<Vec3>,
    pub(crate) scan: StateScan,
    pub(crate) substeps: u32,
    pub(crate) blended: u32,
    /// mass added for a longer step over the true mass
    pub(crate) added_mass: f64,
    /// what moves instead of the level, which then is the coarsest and rests
    pub(crate) cut: Option<Box<CutBody>>,
    /// skin vertex that the notes explain
    pub(crate) explained: Option<u32>,
    /// what steps in turn with other bodies need to know
    pub(crate) together: Together,
}

/// What depends on element model, damping and parameters.
pub(crate) struct Prepared {
    pub(crate) field: ForceField,
    pub(crate) steps: StepControl,
    pub(crate) drag: f64,
    pub(crate) masses: Vec<f64>,
    pub(crate) added_mass: f64,
    pub(crate) filter: Option<NodeFilter>,
}

pub(crate) fn prepare(
    asset: &LodHierarchy,
    level: &Level,
    model: ElementModel,
    damping: Damping,
    params: &AdaptiveParams,
) -> Prepared {
    let material = &match model {
        // springs have no use for a factor that was found for tetrahedra
        ElementModel::Spring => asset.material,
        _ => level.material(&asset.material),
    };
    let supported = level.held.iter().any(|held| !held.is_empty());
    let scaled = scale_masses(level, if supported { params.mass_scaling } else { 0.0 });
    // everything that depends on frequencies sees those of the scaled masses
    let level = &Level {
        frequencies: scaled.frequencies,
        ..level.clone()
    };
    let damping = LevelDamping::new(
        damping,
        params.damping_rule,
        &material.lame(),
        asset.lowest_frequency,
        level,
    );
    Prepared {
        field: ForceField::new(level, model, material.elastic, &damping, params),
        steps: StepControl::new(level, material, model, damping.time, params),
        drag: damping.drag,
        filter: NodeFilter::new(params.filter, level, &material.lame(), &scaled.masses),
        masses: scaled.masses,
        added_mass: scaled.added_share,
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
            let of = |level| LevelDamping::new(damping, rule, &lame, lowest, level).time;
            asset.levels.first().map_or(0.0, of) * lowest / 2.0
        }
    };
    if params.interface == Interface::Paper && !params.allow_unstable && zeta1 < PAPER_DAMPING {
        return Err(AdaptiveModelError::InterfaceNeedsDamping {
            zeta1,
            minimum: PAPER_DAMPING,
        });
    }
    let dynamics = CutDynamics::new(asset.clone(), model, damping, params);
    let coarsest = dynamics.cut().cost();
    if coarsest / 2 > params.budget_units {
        return Err(AdaptiveModelError::BudgetInfeasible {
            coarsest_ms: coarsest as f64 * NANOSECONDS_PER_TET * 1e-6,
            budget_ms: params.budget_units as f64 * NANOSECONDS_PER_TET * 1e-6,
        });
    }
    let governor = Governor::new(&dynamics.forest, params.gamma_max, params.gamma_min)?
        .with_floor(params.floor_share);
    Ok(Box::new(CutBody::new(dynamics, governor)))
}

impl AdaptiveModel {
    /// A body at rest. With [`LevelChoice::Auto`] the finest level whose frame fits into `params.budget_units` moves.
    ///
    /// # Errors
    /// A level that does not exist, or a parameter out of range.
    pub fn new(
        asset: Arc<LodHierarchy>,
        params: AdaptiveParams,
    ) -> Result<Self, AdaptiveModelError> {
        if !(params.safety > 0.0 && params.safety <= 1.0) {
            return Err(AdaptiveModelError::BadParameter { name: "safety" });
        }
        if !(params.frame_duration > 0.0 && params.frame_duration.is_finite()) {
            return Err(AdaptiveModelError::BadParameter {
                name: "frame_duration",
            });
        }
        let model = params
            .model
            .unwrap_or_else(|| ElementModel::from(asset.material.law));
        let damping = asset.material.damping;
        let prepare = |level: &Level| prepare(&asset, level, model, damping, &params);
        let levels = asset.levels.len();
        let mut choice = None;
        let mut withheld = false;
        let cut = match params.resolution {
            Resolution::Level => None,
            Resolution::Cut => Some(moving_cut(&asset, model, damping, &params)?),
        };
        let wanted = if cut.is_some() {
            LevelChoice::Index(0)
        } else {
            params.level
        };
        match wanted {
            LevelChoice::Index(asked) => {
                let level = asset
                    .levels
                    .get(asked)
                    .ok_or(AdaptiveModelError::NoSuchLevel { asked, levels })?;
                choice = Some((asked, prepare(level)));
            }
            LevelChoice::Auto => {
                for (index, level) in asset.levels.iter().enumerate().rev() {
                    let prepared = prepare(level);
                    let substeps = substeps_for(prepared.steps.rest_rate(), params.frame_duration);
                    let cost = u64::from(substeps) * prepared.field.element_count() as u64;
                    let fits = cost <= params.budget_units;
                    choice = Some((index, prepared));
                    if fits {
                        break;
                    }
                    withheld = true;
                }
            }
        }
        let Some((
            index,
            Prepared {
                field,
                steps,
                drag,
                masses,
                added_mass,
                filter,
            },
        )) = choice
        else {
            return Err(AdaptiveModelError::NoSuchLevel { asked: 0, levels });
        };
        let level = &asset.levels[index];
        let mut dynamics = Dynamics::new(level, field, drag, masses);
        dynamics.filter = filter;
        let mut held: Vec<(u32, u32)> = level
            .held
            .iter()
            .enumerate()
            .flat_map(|(support, nodes)| nodes.iter().map(move |&n| (n, support as u32)))
            .collect();
        // a node of two supports counts for the first
        held.sort_unstable();
        held.dedup_by_key(|h| h.0);
        if let Some(body) = &cut {
            held = held_nodes(&body.dynamics);
        }
        Ok(Self {
            good: (dynamics.positions.clone(), dynamics.velocities.clone()),
            support_reactions: vec![Vec3::zeros(); asset.supports.len()],
            params,
            model,
            level: index,
            withheld,
            damping,
            dynamics,
            steps,
            held,
            projection: VelocityProjection::default(),
            contact: ContactWork::default(),
            fresh: false,
            gravity: Vec3::zeros(),
            dissipated: 0.0,
            work: 0.0,
            time: 0.0,
            last_step: 0.0,
            reactions: Vec::new(),
            substep_forces: Vec::new(),
            scan: StateScan::default(),
            substeps: 0,
            blended: 0,
            added_mass,
            cut,
            explained: None,
            together: Together::default(),
            asset,
        })
    }

    /// A body of one mesh without a hierarchy, `held` nodes fixed: for studies on bare meshes.
    ///
    /// # Errors
    /// A mesh or material that cannot be simulated.
    pub fn from_tets(
        mesh: TetMesh,
        skin: Arc<SurfaceMesh>,
        material: Material,
        held: &[u32],
        model: ElementModel,
    ) -> Result<Self, AdaptiveBakeError> {
        let asset = bake_single(mesh, skin, material, held, &Progress::new())?;
        let params = AdaptiveParams {
            model: Some(model),
            level: LevelChoice::Index(0),
            ..AdaptiveParams::default()
        };
        // the parameters fit: they are the defaults on the only level
        Self::new(Arc::new(asset), params).map_err(|_| AdaptiveBakeError::NoLevels)
    }

    /// The hierarchy.
    pub fn asset(&self) -> &Arc<LodHierarchy> {
        &self.asset
    }

    /// Index of the level that moves, 0 is the coarsest.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Rest positions of the nodes of the level that moves, m.
    pub fn level_nodes(&self) -> &[Vec3] {
        &self.asset.levels[self.level].mesh.nodes
    }

    /// Present positions of the same nodes, world, m.
    pub fn node_positions(&self) -> &[Vec3] {
        &self.dynamics.positions
    }

    /// Present velocities of the same nodes, m/s.
    pub fn node_velocities(&self) -> &[Vec3] {
        &self.dynamics.velocities
    }

    /// Puts nodes somewhere with some velocity, for tests and studies; missing values keep theirs, held nodes stay.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for (i, w) in self.dynamics.inverse_masses.iter().enumerate() {
            if *w > 0.0 {
                if let Some(x) = positions.get(i) {
                    self.dynamics.positions[i] = *x;
                }
                if let Some(v) = velocities.get(i) {
                    self.dynamics.velocities[i] = *v;
                }
            }
        }
        self.outdate();
    }

    /// The moving part itself, for studies that step by hand; call [`Dynamics::evaluate`] after every change.
    pub fn dynamics_mut(&mut self) -> &mut Dynamics {
        self.outdate();
        &mut self.dynamics
    }

    /// Kinetic energy at the time of the positions, J; the velocities alone belong to half a step earlier.
    pub fn kinetic_energy_mid_step(&self) -> f64 {
        if let Some(body) = &self.cut {
            return body
                .dynamics
                .kinetic_energy_between(|n| self.contact.kick(n));
        }
        self.dynamics
            .kinetic_energy_mid_step(self.last_step, &self.gravity, |i| self.contact.kick(i))
    }

    /// Elastic and viscous forces on the nodes at the present state, N.
    pub fn node_forces(&mut self) -> &[Vec3] {
        self.refresh();
        &self.dynamics.forces
    }

    /// Strain energy, J.
    pub fn elastic_energy(&self) -> f64 {
        if let Some(body) = &self.cut {
            return body.dynamics.elastic_energy();
        }
        self.dynamics.elastic_energy()
    }
}

impl DeformableModel for AdaptiveModel {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.asset.skin
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let FrameRequest {
            duration,
            boundary,
            budget,
            force_tap,
        } = request;
        if !(duration > 0.0 && duration.is_finite()) {
            return Ok(FrameReport::default());
        }
        if let Some(mut body) = self.cut.take() {
            let report = self.run_cut_frame(&mut body, duration, boundary, budget, force_tap);
            self.cut = Some(body);
            return report;
        }
        self.run_frame(duration, boundary, budget, force_tap)
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        out.cut = None;
        self.write_skin(out.room_for(self.asset.skin.vertex_count()));
    }

    fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.support_reactions
    }

    fn reset(&mut self) {
        let rest = self.asset.levels[self.level].mesh.clone();
        self.dynamics.positions.copy_from_slice(&rest.nodes);
        self.dynamics.velocities.fill(Vec3::zeros());
        self.steps.reset();
        self.contact = ContactWork::default();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        self.outdate();
        self.gravity = Vec3::zeros();
        (self.dissipated, self.work, self.time, self.last_step) = (0.0, 0.0, 0.0, 0.0);
        (self.substeps, self.blended) = (0, 0);
        self.scan = StateScan::default();
        if let Some(body) = &mut self.cut {
            body.reset();
        }
    }

    fn snapshot(&self) -> StateSnapshot {
        self.state()
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        self.set_state_from(snapshot)
    }
}
