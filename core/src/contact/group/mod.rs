//! Several bodies that touch each other, themselves and tools.
//!
//! ```text
//! frame: boxes → pairs (broad) → points near surfaces (narrow, one task a body) → wake what is hit → bodies change their resolution (adapt)
//! step:  kick (one task a body) → impulses over all rows (solver) → drift (one task a body)
//! end:   contact points (one task a body) → what was calm for a while falls asleep
//! ```
//!
//! Everything that runs in parallel writes to its own body only, and rows are solved in a fixed order: the result does not depend on the
//! number of threads. A frame in which a body's state goes wrong is taken again with more steps, then without that body. Linear momentum is exchanged exactly, angular momentum up to the sliding within a frame: contacts are found once a frame. A sleeping body is not stepped; it is there for others to rest on.

mod adapt;
mod broad;
mod deformed;
mod fan;
mod frame;
mod freeze;
mod govern;
mod grid;
mod halves;
mod inspect;
mod keys;
mod memory;
mod model;
mod narrow;
mod near;
mod oriented;
mod pass;
mod row;
mod rows;
mod shape;
mod skins;
mod sleep;
mod solver;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_freeze;
mod thin;
mod way;
mod whole;

use std::sync::Arc;

use crate::boundary::BoundaryConditions;
use crate::contact::stepped::{ContactCounts, OwnContact, SteppedModel, TouchedPlaces};
use crate::contact::tool::{Pose, Tool};
use crate::contact::wrench::ToolWrench;
use crate::math::Vec3;
use crate::math::bounds::Aabb;
use crate::mesh::SurfaceMesh;
use crate::model::{StepError, WorkBudget};

use broad::Sweep;
use deformed::Deformed;
use govern::Governing;
use narrow::Found;
use skins::KeptSkin;
use sleep::Rest;
use solver::Solver;

pub use freeze::FrozenBody;
pub use shape::ContactShape;

/// What touches what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupOptions {
    /// Whether bodies touch each other.
    pub between_bodies: bool,
    /// Whether a body touches itself.
    pub with_itself: bool,
    /// Coefficient of friction between skins.
    pub friction: f64,
    /// Rate at which what touches and hardly moves is slowed, 1/s: towers of soft bodies would sway for long otherwise. It stands for what a
    /// contact loses when it rolls, and takes momentum.
    pub settling: f64,
    /// Whether bodies at rest are left alone until something touches them.
    pub sleeping: bool,
}

/// What one body touches, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// Whether it touches other bodies that touch others.
    pub with_others: bool,
    /// Whether it touches itself.
    pub with_itself: bool,
    /// Coefficient of friction of its skin; between two skins the geometric mean of theirs counts.
    pub friction: f64,
}

impl GroupOptions {
    /// What a body touches that is not told otherwise.
    fn of_each(&self) -> BodyContact {
        BodyContact {
            with_others: self.between_bodies,
            with_itself: self.with_itself,
            friction: self.friction,
        }
    }
}

impl Default for GroupOptions {
    fn default() -> Self {
        Self {
            between_bodies: true,
            with_itself: false,
            friction: 0.3,
            settling: 3.0,
            sleeping: true,
        }
    }
}

/// Bodies of one method, of the same or of different assets, stepped together. To the outside it is one model whose skin is all skins, one after the
/// other. All take as many steps a frame as the one that needs most.
pub struct BodyGroup<M> {
    models: Vec<M>,
    options: GroupOptions,
    contacts: Vec<BodyContact>,
    /// the first body of the same skin, of each
    first_alike: Vec<usize>,
    shapes: Vec<Arc<ContactShape>>,
    /// revision of each body that its shape belongs to
    attached: Vec<u64>,
    /// what each body touches when a frame begins, where bodies change their resolution
    touched: Vec<TouchedPlaces>,
    /// and what it may cost
    budgets: Vec<WorkBudget>,
    governing: Governing,
    homes: Vec<Pose>,
    skin: Arc<SurfaceMesh>,
    /// first skin vertex of each body, and the number of all
    starts: Vec<u32>,
    now: Vec<Deformed>,
    found: Vec<Found>,
    /// skins of bodies that sleep
    kept: Vec<KeptSkin>,
    rest: Vec<Rest>,
    may_sleep: Vec<bool>,
    settling: Vec<bool>,
    outcomes: Vec<Result<(), StepError>>,
    frozen: Vec<FrozenBody>,
    /// bodies that stand still for the present frame
    standing: Vec<usize>,
    boundaries: Vec<BoundaryConditions>,
    boxes: Vec<Aabb>,
    centers: Vec<Vec3>,
    /// what each body spreads of an impulse over itself within a step
    spread: Vec<f64>,
    /// fastest approach of each body to what it touches, m/s
    closing: Vec<f64>,
    sweep: Sweep,
    solver: Solver,
    /// slot of each node of each body, or [`rows::NONE`]
    slot_of: Vec<Vec<u32>>,
    tools: Vec<Tool>,
    wrenches: Vec<ToolWrench>,
    reactions: Vec<Vec3>,
    support_reactions: Vec<Vec3>,
    /// where the supports of each body begin among all: bodies of one skin have theirs in common
    support_starts: Vec<usize>,
    gravity: Vec3,
    counts: ContactCounts,
}

/// The skins of bodies placed by `poses`, one after the other in one surface. Groups of the same name join.
pub fn merged_skin<'a>(
    bodies: impl IntoIterator<Item = (&'a SurfaceMesh, &'a Pose)>,
) -> SurfaceMesh {
    let mut all = SurfaceMesh::new(Vec::new(), Vec::new());
    for (skin, pose) in bodies {
        let first = all.positions.len() as u32;
        all.positions
            .extend(skin.positions.iter().map(|x| pose.to_world(x)));
        let moved = skin.triangles.iter().map(|t| t.map(|v| v + first));
        all.triangles.extend(moved);
        for group in &skin.groups {
            let vertices = group.vertices.iter().map(|v| v + first);
            match all.groups.iter_mut().find(|g| g.name == group.name) {
                Some(known) => known.vertices.extend(vertices),
                None => {
                    let mut joined = group.clone();
                    joined.vertices = vertices.collect();
                    all.groups.push(joined);
                }
            }
        }
    }
    all
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Bodies at rest, each moved by its pose from where it was baked. Bodies with the same skin share what detection needs.
    ///
    /// Extra poses are ignored; a body without one stays where it was baked.
    pub fn new(models: Vec<M>, homes: Vec<Pose>, options: GroupOptions) -> Self {
        Self::with_contacts(models, homes, Vec::new(), options)
    }

    /// The same for bodies each of which has its own contact; where `contacts` ends, `options` say it.
    pub fn with_contacts(
        mut models: Vec<M>,
        mut homes: Vec<Pose>,
        mut contacts: Vec<BodyContact>,
        options: GroupOptions,
    ) -> Self {
        homes.resize(models.len(), Pose::at(Vec3::zeros()));
        contacts.resize(models.len(), options.of_each());
        let alike = |j: usize, k: usize| Arc::ptr_eq(models[j].surface(), models[k].surface());
        let first_alike = |k: usize| (0..k).find(|&j| alike(j, k)).unwrap_or(k);
        let first_alike: Vec<usize> = (0..models.len()).map(first_alike).collect();
        let mut shapes: Vec<Arc<ContactShape>> = Vec::new();
        for (k, model) in models.iter().enumerate() {
            shapes.push(match first_alike[k] {
                first if first < k => Arc::clone(&shapes[first]),
                _ => Arc::new(ContactShape::new(
                    model.surface(),
                    model.embedding(),
                    model.inverse_masses(),
                    model.contact_spacing(),
                    model.exclusion_distance(),
                )),
            });
        }
        for (model, home) in models.iter_mut().zip(&homes) {
            model.place(home);
        }
        let skin = merged_skin(models.iter().map(|m| m.surface().as_ref()).zip(&homes));
        let mut starts = vec![0];
        let mut first = 0;
        for model in &models {
            first += model.surface().vertex_count() as u32;
            starts.push(first);
        }
        let (mut supports, mut support_starts) = (0, Vec::new());
        for (k, model) in models.iter().enumerate() {
            let first = first_alike[k];
            support_starts.push(if first < k {
                support_starts[first]
            } else {
                supports
            });
            if first == k {
                supports += model.support_reactions().len();
            }
        }
        let count = models.len();
        let mut group = Self {
            skin: Arc::new(skin),
            starts,
            now: vec![Deformed::default(); count],
            found: vec![Found::default(); count],
            attached: vec![0; count],
            touched: vec![TouchedPlaces::default(); count],
            budgets: Vec::new(),
            governing: Governing::default(),
            kept: vec![KeptSkin::default(); count],
            rest: vec![Rest::default(); count],
            may_sleep: Vec::new(),
            settling: Vec::new(),
            outcomes: vec![Ok(()); count],
            frozen: Vec::new(),
            standing: Vec::new(),
            boundaries: vec![BoundaryConditions::default(); count],
            boxes: vec![Aabb::empty(); count],
            centers: Vec::new(),
            spread: Vec::new(),
            closing: Vec::new(),
            sweep: Sweep::default(),
            solver: Solver::default(),
            slot_of: models
                .iter()
                .map(|m| vec![rows::NONE; m.node_positions().len()])
                .collect(),
            tools: Vec::new(),
            wrenches: Vec::new(),
            reactions: Vec::new(),
            support_reactions: vec![Vec3::zeros(); supports],
            support_starts,
            gravity: Vec3::zeros(),
            counts: ContactCounts::default(),
            contacts,
            first_alike,
            models,
            options,
            shapes,
            homes,
        };
        group.attach();
        group.refresh(true);
        group
    }

    /// The bodies.
    pub fn models(&self) -> &[M] {
        &self.models
    }

    /// The bodies, to be changed; all of them wake.
    pub fn models_mut(&mut self) -> &mut [M] {
        self.wake_all();
        &mut self.models
    }

    /// Takes over positions and velocities that were set from outside.
    pub fn touch_up(&mut self) {
        self.wake_all();
        self.attach();
        self.refresh(true);
    }

    /// Points of contact of body `body` at rest.
    pub fn shape(&self, body: usize) -> Option<&ContactShape> {
        self.shapes.get(body).map(Arc::as_ref)
    }

    /// Whether body `body` sleeps.
    pub fn is_asleep(&self, body: usize) -> bool {
        self.rest.get(body).is_some_and(|r| r.asleep)
    }

    /// Largest speed of a contact point of body `body` at the end of the last frame, m/s.
    pub fn speed(&self, body: usize) -> f64 {
        self.now.get(body).map_or(0.0, |n| n.speed)
    }

    /// Force of body `b` on body `a`, mean over the last frame in which one of them was awake, N.
    pub fn force_between(&self, a: usize, b: usize) -> Vec3 {
        let mut force = Vec3::zeros();
        for known in &self.solver.known {
            match keys::taken_apart(known.key) {
                (body, narrow::Partner::Body(other), _)
                    if (body, other) == (a as u32, b as u32) =>
                {
                    force += known.force;
                }
                (body, narrow::Partner::Body(other), _)
                    if (other, body) == (a as u32, b as u32) =>
                {
                    force -= known.force;
                }
                _ => {}
            }
        }
        force
    }
}

impl<M: SteppedModel> OwnContact for BodyGroup<M> {
    fn set_tools(&mut self, tools: &[Tool]) {
        self.tools.clear();
        self.tools.extend_from_slice(tools);
    }

    fn wrenches(&self) -> &[ToolWrench] {
        &self.wrenches
    }

    fn contact_counts(&self) -> ContactCounts {
        self.counts
    }
}
