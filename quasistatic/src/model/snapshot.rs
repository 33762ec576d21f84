//! Writes the state as numbers and reads it again, so that a restored model continues bit for bit.

use pliant_core::math::Vec3;
use pliant_core::model::{SnapshotMismatch, StateSnapshot};

use crate::asset::GreensAsset;
use crate::asset::inside::PointState;
use crate::capacitance::ContactRow;
use crate::capacitance::set::CachedInverse;
use crate::contact::friction::FrictionMemory;
use crate::contact::held_frames::HeldFrames;
use crate::contact::level_choice::LevelChoice;
use crate::model::blend::Blend;
use crate::model::constraint_level::{constraint_level_from_number, constraint_level_number};
use crate::model::state::{Settings, State};

const KIND: &str = "quasistatic";
/// Numbers of a point inside in a snapshot: load, displacement, stress.
const POINT_NUMBERS: usize = 12;

impl State {
    /// State, settings and cached inverse as numbers.
    pub fn snapshot(&self, settings: &Settings, cached: &CachedInverse) -> StateSnapshot {
        let mut values = vec![
            settings.young,
            settings.density,
            settings.max_contacts as f64,
            self.pushing.len() as f64,
            self.vertices.len() as f64,
            cached.rows.len() as f64,
            f64::from(u8::from(cached.regularised)),
            self.friction.len() as f64,
            constraint_level_number(settings.constraint_level),
            settings.column_threshold,
        ];
        values.extend(self.level.numbers());
        values.extend(self.held.numbers());
        self.blend.write(&mut values);
        let numbers = self.pushing.iter().chain(&self.vertices);
        values.extend(numbers.map(|&v| f64::from(v)));
        let forces = self.reactions.iter().chain(&self.support_reactions);
        values.extend(forces.flat_map(|f| [f.x, f.y, f.z]));
        values.extend(&self.field);
        for (load, point) in self.loads.iter().zip(&self.inside) {
            let u = point.displacement;
            values.extend([load.x, load.y, load.z, u.x, u.y, u.z]);
            values.extend(point.stress);
        }
        for contact in &self.friction {
            let (vertex, f) = (f64::from(contact.vertex), contact.force);
            values.extend([vertex, f64::from(u8::from(contact.sticks)), f.x, f.y, f.z]);
        }
        for row in &cached.rows {
            let (vertex, n) = (f64::from(row.vertex), row.direction);
            values.extend([vertex, n.x, n.y, n.z, f64::from(u8::from(row.unilateral))]);
        }
        values.extend(&cached.numbers);
        StateSnapshot { kind: KIND, values }
    }

    /// Settings, state and cached inverse of a snapshot of a model of the same asset.
    pub fn restored(
        snapshot: &StateSnapshot,
        asset: &GreensAsset,
    ) -> Result<(Settings, Self, CachedInverse), SnapshotMismatch> {
        if snapshot.kind != KIND {
            return Err(SnapshotMismatch);
        }
        Self::read(&snapshot.values, asset).ok_or(SnapshotMismatch)
    }

    /// See [`Self::restored`].
    fn read(values: &[f64], asset: &GreensAsset) -> Option<(Settings, Self, CachedInverse)> {
        let &[
            young,
            density,
            max_contacts,
            pushing,
            vertices,
            cached_rows,
            regularised,
            friction,
            constraint_level,
            column_threshold,
            level,
            affordable_frames,
            held_frames,
            known_vertices,
            ref rest @ ..,
        ] = values
        else {
            return None;
        };
        let (field, supports) = (3 * asset.nodes(), asset.supports.len());
        let (blend, mut rest) = Blend::read(rest, field, supports)?;
        let mut take = |count: usize| {
            let (taken, others) = rest.split_at_checked(count)?;
            rest = others;
            Some(taken)
        };
        let (pushing, vertices) = (take(pushing as usize)?, take(vertices as usize)?);
        let (reactions, support_reactions) = (take(3 * vertices.len())?, take(3 * supports)?);
        let field = take(field)?;
        let points = take(POINT_NUMBERS * asset.inside.len())?;
        let points = points.as_chunks::<POINT_NUMBERS>().0;
        let friction = take((friction as usize).checked_mul(5)?)?;
        let (cached_rows, vertex_count) = (cached_rows as usize, asset.rows.len());
        let cached = cached_inverse(cached_rows, regularised > 0.0, rest, vertex_count)?;
        let numbers = |values: &[f64]| values.iter().map(|&v| v as u32).collect();
        let vectors = |values: &[f64]| {
            values
                .chunks_exact(3)
                .map(Vec3::from_column_slice)
                .collect()
        };
        let settings = Settings {
            young,
            density,
            max_contacts: max_contacts as usize,
            constraint_level: constraint_level_from_number(constraint_level),
            column_threshold,
        };
        let memory = |v: &[f64; 5]| FrictionMemory {
            vertex: v[0] as u32,
            sticks: v[1] > 0.0,
            force: Vec3::new(v[2], v[3], v[4]),
        };
        let state = Self {
            field: field.to_vec(),
            friction: friction.as_chunks::<5>().0.iter().map(memory).collect(),
            pushing: numbers(pushing),
            vertices: numbers(vertices),
            reactions: vectors(reactions),
            support_reactions: vectors(support_reactions),
            loads: points.iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect(),
            inside: points.iter().map(point_state).collect(),
            level: LevelChoice::from_numbers([level, affordable_frames]),
            held: HeldFrames::from_numbers([held_frames, known_vertices]),
            blend,
        };
        Some((settings, state, cached))
    }
}

fn point_state(numbers: &[f64; POINT_NUMBERS]) -> PointState {
    let [_, _, _, x, y, z, stress @ ..] = *numbers;
    PointState {
        displacement: Vec3::new(x, y, z),
        stress,
    }
}

/// The cached inverse of `rows` conditions; `None` if numbers are missing or name vertices that do not exist.
fn cached_inverse(
    rows: usize,
    regularised: bool,
    values: &[f64],
    vertices: usize,
) -> Option<CachedInverse> {
    let (conditions, numbers) = values.split_at_checked(rows.checked_mul(5)?)?;
    let mut cached = CachedInverse {
        rows: Vec::with_capacity(rows),
        regularised,
        numbers: numbers.to_vec(),
    };
    for row in conditions.as_chunks::<5>().0 {
        let &[vertex, x, y, z, unilateral] = row;
        if !(vertex >= 0.0 && vertex < vertices as f64) {
            return None;
        }
        cached.rows.push(ContactRow {
            vertex: vertex as u32,
            direction: Vec3::new(x, y, z),
            unilateral: unilateral > 0.0,
        });
    }
    Some(cached)
}
