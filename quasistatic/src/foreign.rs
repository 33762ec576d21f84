//! Green's functions from elsewhere: measured ones, those of shells, of other programs. Some columns may be missing; what the rest violates is
//! reported, not mended, except that the compliances between two known vertices are stored as the mean of both directions (reciprocity).

use faer::{Mat, Side};
use pliant_core::asset::BodyGeometry;
use pliant_core::math::Mat3;

use crate::asset::GreensAsset;
use crate::greens::assembly::NOT_FREE;
use crate::greens::embedding::HeldShare;
use crate::greens::matrix::GreensMatrix;
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

/// What the columns violate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignReport {
    /// Free vertices of the skin.
    pub free: usize,
    /// Those of them that have columns.
    pub known: usize,
    /// Frobenius norm of the antisymmetric part of the compliances between known vertices, over that of the whole (reciprocity; 0 for a conservative body).
    pub asymmetry: f64,
    /// The two vertices that differ most.
    pub worst_pair: [u32; 2],
    /// Whether any force does positive work.
    pub positive_definite: bool,
    /// The most negative eigenvalue of the compliances over the largest, about; zero where they are positive definite.
    pub most_negative: f64,
    /// Largest displacement of a held vertex over the largest of all: supports do not move.
    pub held_motion: f64,
    /// Columns whose own vertex is not the one that moves most.
    pub not_dominant: usize,
}

impl ForeignReport {
    /// A sentence for each thing that a user should know.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.known < self.free {
            notes.push(format!(
                "{} of {} free vertices have no column: contact there is refused",
                self.free - self.known,
                self.free
            ));
        }
        if self.asymmetry > 1e-6 {
            notes.push(format!(
                "the columns are not reciprocal: {:.2} % antisymmetric, most between vertices {} and {}; the symmetric part is used",
                100.0 * self.asymmetry,
                self.worst_pair[0],
                self.worst_pair[1]
            ));
        }
        if !self.positive_definite {
            notes.push(format!(
                "the columns are not positive definite (eigenvalue {:.1e} of the largest): some pushes yield energy",
                self.most_negative
            ));
        }
        if self.held_motion > 1e-6 {
            notes.push(format!(
                "supported vertices move by {:.2} % of the largest displacement in the columns",
                100.0 * self.held_motion
            ));
        }
        if self.not_dominant > 0 {
            notes.push(format!(
                "{} columns move another vertex more than the one that is pushed",
                self.not_dominant
            ));
        }
        notes
    }
}

/// Why columns cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The numbers do not fit the skin.
    #[error(
        "{what} has {found} numbers, but {expected} are needed\n  remedy: give three rows for each of the skin's {vertices} vertices and three columns for each vertex pushed"
    )]
    WrongSize {
        /// Which array.
        what: &'static str,
        /// Numbers there.
        found: usize,
        /// Numbers needed.
        expected: usize,
        /// Vertices of the skin.
        vertices: usize,
    },
    /// A vertex that the skin does not have.
    #[error(
        "column vertex {vertex} does not exist: the skin has {count}\n  remedy: number the vertices from 0"
    )]
    NoSuchVertex {
        /// The number given.
        vertex: u32,
        /// Vertices of the skin.
        count: usize,
    },
    /// A vertex with two columns.
    #[error("vertex {vertex} has two columns\n  remedy: give each vertex once")]
    VertexTwice {
        /// The vertex.
        vertex: u32,
    },
    /// A column with numbers that are none.
    #[error(
        "the column of vertex {vertex} has a number that is not finite\n  remedy: leave that column out"
    )]
    NonFinite {
        /// The vertex.
        vertex: u32,
    },
    /// A column that says that nothing moves where the body is pushed.
    #[error(
        "the column of the free vertex {vertex} does not move it\n  remedy: leave that column out, or support the vertex"
    )]
    DeadColumn {
        /// The vertex.
        vertex: u32,
    },
    /// No free vertex has a column.
    #[error(
        "no free vertex has a column\n  remedy: give columns of vertices that no support holds"
    )]
    NoColumns,
    /// Nothing holds the body.
    #[error(
        "the body has no support, so that its columns mean nothing\n  remedy: add a [[body.support]]"
    )]
    Unconstrained,
    /// Dense columns would not fit.
    #[error("{nodes} free vertices are more than {limit}\n  remedy: make the skin coarser")]
    TooManyColumns {
        /// Free vertices.
        nodes: usize,
        /// The limit in force.
        limit: usize,
    },
}

impl ForeignError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> &'static str {
        match self {
            Self::WrongSize { .. } => "WrongSize",
            Self::NoSuchVertex { .. } => "NoSuchVertex",
            Self::VertexTwice { .. } => "VertexTwice",
            Self::NonFinite { .. } => "NonFinite",
            Self::DeadColumn { .. } => "DeadColumn",
            Self::NoColumns => "NoColumns",
            Self::Unconstrained => "Unconstrained",
            Self::TooManyColumns { .. } => "TooManyColumns",
        }
    }
}

/// Makes an asset of columns that somebody else computed or measured on the skin of `geometry`, whose supports hold their skin vertices.
///
/// Cost: the dense matrix, and a Cholesky factorisation of its known part for the report.
///
/// # Errors
/// [`ForeignError`] for columns without meaning; what is merely wrong is in the report and in the notes of the asset.
pub fn import(
    geometry: &BodyGeometry,
    columns: &ForeignColumns,
    params: &QuasistaticParams,
) -> Result<(GreensAsset, ForeignReport), ForeignError> {
    let skin = &geometry.skin;
    let count = skin.vertex_count();
    check(columns, count)?;
    if geometry.supports.is_empty() {
        return Err(ForeignError::Unconstrained);
    }
    let mut support_of = vec![None; count];
    for (k, support) in geometry.supports.iter().enumerate().rev() {
        for &v in &support.skin_vertices {
            if let Some(slot) = support_of.get_mut(v as usize) {
                *slot = Some(k as u32);
            }
        }
    }
    let rows = identity_rows(&support_of);
    let free: Vec<u32> = (0..count as u32)
        .filter(|&v| support_of[v as usize].is_none())
        .collect();
    let mut node_of = vec![NOT_FREE; count];
    for (node, &v) in free.iter().enumerate() {
        node_of[v as usize] = node as u32;
    }
    let too_many = ForeignError::TooManyColumns {
        nodes: free.len(),
        limit: params.max_boundary_nodes,
    };
    if free.len() > params.max_boundary_nodes {
        return Err(too_many);
    }
    let mut matrix = GreensMatrix::empty(free.len(), params.precision).ok_or(too_many)?;
    let height = 3 * count;
    let mut known: Vec<(u32, usize)> = Vec::new();
    let (mut held_motion, mut largest, mut not_dominant) = (0.0_f64, 0.0_f64, 0);
    for (k, &v) in columns.vertices.iter().enumerate() {
        let block = &columns.values[3 * k * height..3 * (k + 1) * height];
        let motion = |at: usize| {
            let parts = block.chunks(height).flat_map(|c| &c[3 * at..3 * at + 3]);
            parts.fold(0.0_f64, |sum, x| sum + x * x).sqrt()
        };
        let node = node_of[v as usize];
        if node == NOT_FREE {
            continue;
        }
        let own = motion(v as usize);
        if own <= 0.0 {
            return Err(ForeignError::DeadColumn { vertex: v });
        }
        let mut most = 0.0_f64;
        for (at, node) in node_of.iter().enumerate().take(count) {
            let here = motion(at);
            most = most.max(here);
            if *node == NOT_FREE {
                held_motion = held_motion.max(here);
            }
        }
        largest = largest.max(most);
        not_dominant += usize::from(own < most);
        let of_free: Vec<f64> = block
            .chunks(height)
            .flat_map(|c| {
                free.iter()
                    .flat_map(|&f| &c[3 * f as usize..3 * f as usize + 3])
            })
            .copied()
            .collect();
        matrix.insert(node, &of_free);
        known.push((v, k));
    }
    if known.is_empty() {
        return Err(ForeignError::NoColumns);
    }
    let (asymmetry, worst_pair) = asymmetry(&known, &columns.values, height);
    let (positive_definite, most_negative) = definiteness(&matrix);
    let report = ForeignReport {
        free: free.len(),
        known: known.len(),
        asymmetry,
        worst_pair,
        positive_definite,
        most_negative,
        held_motion: held_motion / largest.max(f64::MIN_POSITIVE),
        not_dominant,
    };
    let mut notes = report.notes();
    let gravity = match &columns.gravity {
        Some(gravity) => free.iter().map(|&v| gravity[v as usize]).collect(),
        None => {
            notes.push("no response to gravity was given: the body does not sag".into());
            vec![Mat3::zeros(); free.len()]
        }
    };
    if geometry.supports.len() > 1 {
        notes.push(
            "the columns do not say how supports share the load: all of it is told for the first"
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
            shares: vec![Mat3::identity() * part; free.len()],
            gravity: Mat3::identity() * (part * weight),
        }
    });
    let asset = GreensAsset {
        skin: skin.clone(),
        material: geometry.material,
        supports: supports.collect(),
        matrix,
        gravity,
        rows,
        unknowns: 0,
        notes,
    };
    Ok((asset, report))
}

/// Refuses numbers that do not fit or mean nothing.
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

/// Every free vertex is a node.
fn identity_rows(support_of: &[Option<u32>]) -> SkinRows {
    let mut rows = SkinRows {
        offsets: vec![0],
        nodes: Vec::new(),
        weights: Vec::new(),
        held: Vec::new(),
        identity: true,
        max_distance: 0.0,
        farthest_vertex: 0,
    };
    for (vertex, support) in support_of.iter().enumerate() {
        match support {
            None => {
                rows.nodes.push(rows.nodes.len() as u32);
                rows.weights.push(1.0);
            }
            Some(support) => rows.held.push(HeldShare {
                vertex: vertex as u32,
                support: *support,
                weight: 1.0,
            }),
        }
        rows.offsets.push(rows.nodes.len() as u32);
    }
    rows
}

/// Antisymmetric share of the compliances between known vertices, and the pair that differs most.
fn asymmetry(known: &[(u32, usize)], values: &[f64], height: usize) -> (f64, [u32; 2]) {
    let entry = |to: u32, r: usize, column: usize, c: usize| {
        values[(3 * column + c) * height + 3 * to as usize + r]
    };
    let (mut odd, mut all, mut worst) = (0.0, 0.0, (-1.0, [0, 0]));
    for (i, &(v, of_v)) in known.iter().enumerate() {
        for &(w, of_w) in &known[i..] {
            let mut here = 0.0;
            for r in 0..3 {
                for c in 0..3 {
                    let (a, b) = (entry(v, r, of_w, c), entry(w, c, of_v, r));
                    here += 0.5 * (a - b) * (a - b);
                    all += a * a + b * b;
                }
            }
            odd += here;
            if here > worst.0 {
                worst = (here, [v, w]);
            }
        }
    }
    (f64::sqrt(odd / f64::max(all, f64::MIN_POSITIVE)), worst.1)
}

/// Power iterations for the most negative eigenvalue.
const ITERATIONS: usize = 60;

/// Whether the compliances between known nodes are positive definite, and else about the most negative eigenvalue over the largest.
fn definiteness(matrix: &GreensMatrix) -> (bool, f64) {
    let known: Vec<usize> = (0..matrix.nodes())
        .filter(|&n| matrix.has_column(n as u32))
        .collect();
    let block = Mat::from_fn(3 * known.len(), 3 * known.len(), |r, c| {
        matrix.block(known[r / 3], known[c / 3])[(r % 3, c % 3)]
    });
    if block.llt(Side::Lower).is_ok() {
        return (true, 0.0);
    }
    // the eigenvalue farthest from `shift` by repeated products
    let farthest = |shift: f64| {
        let mut x = Mat::from_fn(block.nrows(), 1, |r, _| {
            1.0 + 0.1 * ((r * 7919) % 101) as f64
        });
        let mut value = 0.0;
        for _ in 0..ITERATIONS {
            let size = x.norm_l2();
            if size <= 0.0 {
                break;
            }
            x = &x * faer::Scale(1.0 / size);
            let y = &block * &x - &x * faer::Scale(shift);
            value = (x.transpose() * &y)[(0, 0)];
            x = y;
        }
        value + shift
    };
    let largest = farthest(0.0);
    let least = if largest < 0.0 {
        largest
    } else {
        farthest(largest)
    };
    (false, least / largest.abs().max(f64::MIN_POSITIVE))
}

/// Displacement of every skin vertex for unit gravity, out of `3N` rows of three numbers.
pub fn gravity_rows(values: &[f64]) -> Vec<Mat3> {
    let rows = values.chunks_exact(9);
    rows.map(Mat3::from_row_slice).collect()
}

/// Columns out of an array of `3N` rows with `3M` numbers each.
pub fn transposed(values: &[f64], columns: usize) -> Vec<f64> {
    let rows = values.len().checked_div(columns).unwrap_or(0);
    (0..rows * columns)
        .map(|k| values[(k % rows) * columns + k / rows])
        .collect()
}
