//! Construction of a group.

use std::sync::{Arc, Mutex};

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::model::{ContactCounts, SteppedModel, TouchedPlaces};

use crate::detection::{FoundContacts, Sweep};
use crate::group::body_group::BodyGroup;
use crate::group::state::{Governing, SleepState, SleepingSkin};
use crate::merged_skin::merged_skin;
use crate::options::{BodyContact, GroupOptions};
use crate::solver::{NONE, Solver};
use crate::surface::{ContactShape, DeformedSurface};

impl<M: SteppedModel> BodyGroup<M> {
    /// Bodies at rest, each moved by its pose from where it was baked. Bodies with the same skin share a contact surface.
    ///
    /// Extra poses are ignored; a body without one stays where it was baked.
    pub fn new(models: Vec<M>, homes: Vec<Pose>, options: GroupOptions) -> Self {
        Self::with_contacts(models, homes, Vec::new(), options)
    }

    /// The same for bodies with options of their own. Bodies beyond the end of `contacts` have those of the group.
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
        let shapes = contact_shapes(&models, &first_alike);
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
        let (support_starts, supports) = support_starts(&models, &first_alike);
        let count = models.len();
        let mut group = Self {
            skin: Arc::new(skin),
            starts,
            deformed: vec![DeformedSurface::default(); count],
            found: vec![FoundContacts::default(); count],
            attached_revisions: vec![0; count],
            parted_surface_revisions: vec![0; count],
            touched: vec![TouchedPlaces::default(); count],
            budgets: Vec::new(),
            governing: Governing::default(),
            contact_steps: Vec::new(),
            faster_steps: Vec::new(),
            stride_levels: vec![0; count],
            retry_factors: vec![1; count],
            sleeping_skins: vec![SleepingSkin::default(); count],
            drawing: Mutex::default(),
            sleep: vec![SleepState::default(); count],
            may_sleep: Vec::new(),
            pushed: Vec::new(),
            settling: Vec::new(),
            outcomes: vec![Ok(()); count],
            frozen: Vec::new(),
            on_hold: Vec::new(),
            boundaries: vec![BoundaryConditions::default(); count],
            boxes: vec![Aabb::empty(); count],
            centers: Vec::new(),
            spread: Vec::new(),
            closing: Vec::new(),
            sweep: Sweep::default(),
            solver: Solver::default(),
            slot_of: models
                .iter()
                .map(|m| vec![NONE; m.node_positions().len()])
                .collect(),
            tools: Vec::new(),
            wrenches: Vec::new(),
            lost_in_contact: 0.0,
            reactions: Vec::new(),
            support_reactions: vec![Vec3::zeros(); supports],
            support_starts,
            gravity: Vec3::zeros(),
            counts: ContactCounts::default(),
            violation: 0.0,
            contacts,
            names: Vec::new(),
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

    /// The same group, whose notes call the bodies by `names`, in their order. Notes of bodies without one have no name.
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }
}

/// The contact points of each body at rest. Bodies share those of the first one with the same skin, by `first_alike`.
fn contact_shapes<M: SteppedModel>(models: &[M], first_alike: &[usize]) -> Vec<Arc<ContactShape>> {
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
    shapes
}

/// The first support of each body among all, and the number of all. Bodies share those of the first one with the same skin, by `first_alike`.
fn support_starts<M: SteppedModel>(models: &[M], first_alike: &[usize]) -> (Vec<usize>, usize) {
    let (mut starts, mut supports) = (Vec::new(), 0);
    for (k, model) in models.iter().enumerate() {
        match first_alike[k] {
            first if first < k => starts.push(starts[first]),
            _ => {
                starts.push(supports);
                supports += model.support_reactions().len();
            }
        }
    }
    (starts, supports)
}
