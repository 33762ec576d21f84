//! An asset from columns of another program or a measurement.
//!
//! Some columns may be missing. Violations of elasticity in the others are reported and not repaired, with one exception: the compliance between
//! two known vertices is stored as the mean of both directions (reciprocity).

use pliant_core::asset::BodyGeometry;
use pliant_core::math::Mat3;

use super::error::ForeignError;
use super::report::{ForeignReport, asymmetry, definiteness};
use crate::asset::GreensAsset;
use crate::greens::matrix::GreensMatrix;
use crate::greens::skin_rows::{NO_SUPPORT, NOT_FREE};
use crate::greens::{SkinRows, SupportRows};
use crate::params::QuasistaticParams;

/// Columns on the vertices of a skin.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignColumns {
    /// Skin vertices that were pushed.
    pub vertices: Vec<u32>,
    /// Three columns for each of them (unit forces along x, y, z, N), each with the displacement of every skin vertex (x, y, z, m).
    pub values: Vec<f64>,
    /// Displacement of every skin vertex for gravity of 1 m/s² along x, y and z (the columns), s².
    pub gravity: Option<Vec<Mat3>>,
}

/// Makes an asset of columns from another program or a measurement on the skin of `geometry`. Its supports hold their skin vertices.
///
/// Cost: the dense matrix, and a Cholesky factorisation of its known part for the report.
///
/// # Errors
/// [`ForeignError`] for columns without meaning. Lesser faults are in the report and in the notes of the asset.
pub fn import(
    geometry: &BodyGeometry,
    columns: &ForeignColumns,
    params: &QuasistaticParams,
) -> Result<(GreensAsset, ForeignReport), ForeignError> {
    let skin = &geometry.skin;
    check(columns, skin.vertex_count())?;
    if geometry.supports.is_empty() {
        return Err(ForeignError::Unconstrained);
    }
    let nodes = Nodes::new(geometry);
    let count = nodes.free.len();
    let too_many = ForeignError::TooManyColumns {
        nodes: count,
        limit: params.max_boundary_nodes,
    };
    if count > params.max_boundary_nodes {
        return Err(too_many);
    }
    let mut matrix = GreensMatrix::empty(count, params.precision).ok_or(too_many)?;
    let Inserted {
        known,
        held_motion,
        not_dominant,
    } = nodes.insert(columns, &mut matrix)?;
    if known.is_empty() {
        return Err(ForeignError::NoColumns);
    }
    let height = 3 * skin.vertex_count();
    let (asymmetry, worst_pair) = asymmetry(&known, &columns.values, height);
    let (positive_definite, most_negative) = definiteness(&matrix);
    let report = ForeignReport {
        free: count,
        known: known.len(),
        asymmetry,
        worst_pair,
        positive_definite,
        most_negative,
        held_motion,
        not_dominant,
    };
    let mut notes = report.notes();
    let gravity = match &columns.gravity {
        Some(gravity) => nodes.free.iter().map(|&v| gravity[v as usize]).collect(),
        None => {
            notes.push(
                "NoBodyForceColumns: no response to gravity was given: the body does not sag"
                    .into(),
            );
            vec![Mat3::zeros(); count]
        }
    };
    if geometry.supports.len() > 1 {
        notes.push(
            "the columns do not say how supports share the load: all of it is reported for the first support"
                .into(),
        );
    }
    let weight = match columns.gravity {
        Some(_) => skin.volume() * geometry.material.density,
        None => 0.0,
    };
    let supports = geometry.supports.iter().enumerate().map(|(k, support)| {
        let part = if k == 0 { -1.0 } else { 0.0 };
        SupportRows {
            name: support.name.clone(),
            reactions: vec![Mat3::identity() * part; count],
            gravity: Mat3::identity() * (part * weight),
        }
    });
    let asset = GreensAsset {
        skin: skin.clone(),
        material: geometry.material,
        supports: supports.collect(),
        matrix,
        gravity,
        inside: Vec::new(),
        releasable: Vec::new(),
        rows: nodes.rows,
        unknowns: 0,
        notes,
    };
    Ok((asset, report))
}

/// The free vertices of a skin, and their embedding.
struct Nodes {
    free: Vec<u32>,
    /// free node of each vertex, or [`NOT_FREE`]
    node_of_vertex: Vec<u32>,
    rows: SkinRows,
}

/// Properties of the columns that were stored.
struct Inserted {
    /// vertices with columns, and the index of each in the array
    known: Vec<(u32, usize)>,
    /// largest motion of a held vertex, over the largest of all
    held_motion: f64,
    /// vertices that move another one more than themselves
    not_dominant: usize,
}

impl Nodes {
    fn new(geometry: &BodyGeometry) -> Self {
        let count = geometry.skin.vertex_count();
        let mut support_of = vec![NO_SUPPORT; count];
        for (k, support) in geometry.supports.iter().enumerate().rev() {
            for &v in &support.skin_vertices {
                if let Some(slot) = support_of.get_mut(v as usize) {
                    *slot = k as u32;
                }
            }
        }
        let free: Vec<u32> = (0..count as u32)
            .filter(|&v| support_of[v as usize] == NO_SUPPORT)
            .collect();
        let mut node_of_vertex = vec![NOT_FREE; count];
        for (node, &v) in free.iter().enumerate() {
            node_of_vertex[v as usize] = node as u32;
        }
        let mut rows = SkinRows::empty(0.0, 0);
        for (v, (&node, &support)) in node_of_vertex.iter().zip(&support_of).enumerate() {
            rows.push_row([((node, support, v as u32), 1.0)]);
        }
        Self {
            free,
            node_of_vertex,
            rows,
        }
    }

    /// Stores the columns of free vertices.
    fn insert(
        &self,
        columns: &ForeignColumns,
        matrix: &mut GreensMatrix,
    ) -> Result<Inserted, ForeignError> {
        let height = 3 * self.node_of_vertex.len();
        let mut known: Vec<(u32, usize)> = Vec::new();
        let (mut held_motion, mut largest, mut not_dominant) = (0.0_f64, 0.0_f64, 0);
        for (k, &v) in columns.vertices.iter().enumerate() {
            let node = self.node_of_vertex[v as usize];
            if node == NOT_FREE {
                continue;
            }
            let block = &columns.values[3 * k * height..3 * (k + 1) * height];
            let motion = |at: usize| {
                let parts = block.chunks(height).flat_map(|c| &c[3 * at..3 * at + 3]);
                parts.fold(0.0_f64, |sum, x| sum + x * x).sqrt()
            };
            let own = motion(v as usize);
            if own <= 0.0 {
                return Err(ForeignError::DeadColumn { vertex: v });
            }
            let mut largest_of_column = 0.0_f64;
            for (at, node) in self.node_of_vertex.iter().enumerate() {
                let amplitude = motion(at);
                largest_of_column = largest_of_column.max(amplitude);
                if *node == NOT_FREE {
                    held_motion = held_motion.max(amplitude);
                }
            }
            largest = largest.max(largest_of_column);
            not_dominant += usize::from(own < largest_of_column);
            let of_free: Vec<f64> = block
                .chunks(height)
                .flat_map(|c| {
                    let offsets = self.free.iter().map(|&f| 3 * f as usize);
                    offsets.flat_map(move |at| &c[at..at + 3])
                })
                .copied()
                .collect();
            matrix.insert(node, &of_free);
            known.push((v, k));
        }
        Ok(Inserted {
            known,
            held_motion: held_motion / largest.max(f64::MIN_POSITIVE),
            not_dominant,
        })
    }
}

/// Refuses arrays of the wrong size, and numbers that are not finite.
fn check(columns: &ForeignColumns, count: usize) -> Result<(), ForeignError> {
    let size = |what, found, expected| match found == expected {
        true => Ok(()),
        false => Err(ForeignError::WrongSize {
            what,
            found,
            expected,
            vertices: count,
        }),
    };
    let expected = columns.vertices.len().saturating_mul(9 * count);
    size("the array of columns", columns.values.len(), expected)?;
    if let Some(gravity) = &columns.gravity {
        size("the response to gravity", 9 * gravity.len(), 9 * count)?;
    }
    let mut seen = vec![false; count];
    for (k, &vertex) in columns.vertices.iter().enumerate() {
        match seen.get_mut(vertex as usize) {
            None => return Err(ForeignError::NoSuchVertex { vertex, count }),
            Some(true) => return Err(ForeignError::VertexTwice { vertex }),
            Some(seen) => *seen = true,
        }
        let block = &columns.values[9 * k * count..9 * (k + 1) * count];
        if !block.iter().all(|x| x.is_finite()) {
            return Err(ForeignError::NonFinite { vertex });
        }
    }
    Ok(())
}

/// Displacement of every skin vertex for unit gravity, from `3N` rows of three numbers.
pub fn gravity_rows(values: &[f64]) -> Vec<Mat3> {
    let rows = values.chunks_exact(9);
    rows.map(Mat3::from_row_slice).collect()
}

/// Columns from an array of `3N` rows with `3M` numbers each.
pub fn transposed(values: &[f64], columns: usize) -> Vec<f64> {
    let rows = values.len().checked_div(columns).unwrap_or(0);
    (0..rows * columns)
        .map(|k| values[(k % rows) * columns + k / rows])
        .collect()
}
