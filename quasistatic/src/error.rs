//! Why a bake failed.

use std::path::PathBuf;

use pliant_compression::CompressionError;
use pliant_compression::hierarchical_matrix::HierarchicalMatrixError;
use pliant_core::asset::Cancelled;
use pliant_core::diagnostics::variant_name;
use pliant_core::math::Vec3;

/// Why no Green's functions could be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// Meshing produced no tetrahedra for this method.
    #[error(
        "there is no tetrahedral mesh for the Green's functions\n  remedy: list `quasistatic` among the methods of the body"
    )]
    NoGreensLevel,
    /// The columns cannot be compressed.
    #[error("the columns cannot be compressed: {0}")]
    Compression(HierarchicalMatrixError),
    /// The columns cannot be compressed by wavelets.
    #[error("the columns cannot be compressed: {0}")]
    Wavelets(CompressionError),
    /// Supports that can be released need dense columns.
    #[error(
        "supports cannot be releasable with columns that are compressed by wavelets\n  remedy: leave `releasable` out, or the wavelets"
    )]
    ReleasableByWavelets,
    /// Nothing holds the body.
    #[error(
        "quasistatic needs a support: nothing holds the body\n  remedy: add a [[body.support]]"
    )]
    Unconstrained,
    /// The supports leave a rotation free.
    #[error(
        "the supports hold {nodes} nodes on one line near ({:.4}, {:.4}, {:.4}) m, so the body can turn about it\n  remedy: enlarge the support",
        at.x, at.y, at.z
    )]
    SupportHinge {
        /// Number of held nodes of the part that can turn.
        nodes: usize,
        /// One of them, rest position, m.
        at: Vec3,
    },
    /// A tetrahedron has no positive volume.
    #[error(
        "tetrahedron {tet} is flat or inside out\n  remedy: mesh the body again with another resolution"
    )]
    InvertedElement {
        /// Index of the tetrahedron.
        tet: usize,
    },
    /// A material constant that has no meaning.
    #[error(
        "{name} = {value} is not a valid material constant\n  remedy: give E > 0, -1 < nu <= 0.45 (0.5 with boundary elements) and a density >= 0"
    )]
    InvalidMaterial {
        /// Which constant.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The elements lock so close to incompressibility.
    #[error(
        "the tetrahedra lock at Poisson's ratio {nu}\n  remedy: use a ratio of at most {limit} (0.45 with linear elements, 0.49 with quadratic ones), or boundary elements"
    )]
    Locking {
        /// Poisson's ratio.
        nu: f64,
        /// The largest ratio for these elements.
        limit: f64,
    },
    /// The stiffness matrix is not positive definite.
    #[error(
        "the stiffness is not positive definite near ({:.4}, {:.4}, {:.4}) m: a part hangs on a single node or edge\n  remedy: mesh the body again or support that part",
        at.x, at.y, at.z
    )]
    NotPositiveDefinite {
        /// Node of the tetrahedral mesh whose pivot failed.
        node: u32,
        /// Its rest position, m.
        at: Vec3,
    },
    /// Dense columns would not fit.
    #[error(
        "{nodes} free boundary nodes need {megabytes} MB of Green's functions, more than {limit} nodes are not accepted\n  remedy: lower `boundary`"
    )]
    TooManyColumns {
        /// Free boundary nodes.
        nodes: usize,
        /// Size of the columns, MB.
        megabytes: usize,
        /// The limit in force.
        limit: usize,
    },
    /// The sparse factor would not fit.
    #[error(
        "factorising {unknowns} unknowns needs too much memory ({megabytes} MB)\n  remedy: use a coarser mesh for the Green's functions"
    )]
    FactorTooLarge {
        /// Scalar unknowns.
        unknowns: usize,
        /// Size of the factor, MB; 0 when even the analysis did not fit.
        megabytes: usize,
    },
    /// A boundary vertex lies on a triangle that is not its own.
    #[error(
        "boundary vertex {vertex} lies on triangle {triangle}, which is not its own: the surface touches itself\n  remedy: mesh the body again, or take `generator = \"fem\"`"
    )]
    SourceOnForeignElement {
        /// The vertex.
        vertex: u32,
        /// The triangle.
        triangle: u32,
    },
    /// The centroid of a boundary triangle lies on another one.
    #[error(
        "the centroid of boundary triangle {element} lies on triangle {triangle}: the surface touches itself\n  remedy: mesh the body again, or take `generator = \"fem\"`"
    )]
    CenterOnForeignElement {
        /// The triangle with the centroid.
        element: u32,
        /// The triangle that it lies on.
        triangle: u32,
    },
    /// A boundary triangle without area.
    #[error(
        "boundary triangle {triangle} has no area\n  remedy: mesh the body again with another resolution"
    )]
    DegenerateTriangle {
        /// The triangle.
        triangle: u32,
    },
    /// The dense system of the boundary elements has no unique solution.
    #[error(
        "the boundary element system is singular at boundary node {node}\n  remedy: enlarge the support, or mesh the body again"
    )]
    SingularSystem {
        /// The vertex, or the triangle of constant elements, whose pivot failed.
        node: u32,
    },
    /// A support that contains no whole triangle.
    #[error(
        "the support {name} holds no whole triangle of the boundary, which constant elements need\n  remedy: enlarge the support, raise `boundary`, or take `generator = \"bem-linear\"`"
    )]
    SupportWithoutTriangle {
        /// Name as the scene writes it.
        name: String,
    },
    /// The skin is far from the mesh that it is embedded in.
    #[error(
        "skin vertex {vertex} is {distance:.4} m from the mesh of the Green's functions ({percent:.1} % of the diagonal)\n  remedy: raise `boundary` or mesh finer"
    )]
    EmbeddingFar {
        /// The vertex.
        vertex: u32,
        /// Its distance, m.
        distance: f64,
        /// The same, percent of the skin's diagonal.
        percent: f64,
    },
    /// Finished columns cannot be stored.
    #[error(
        "the finished columns cannot be written to {}: {reason}\n  remedy: free some space and start again; what was finished before is kept",
        path.display()
    )]
    JournalUnwritable {
        /// The file of finished columns.
        path: PathBuf,
        /// Message of the operating system.
        reason: String,
    },
    /// The file of finished columns is in use.
    #[error(
        "{} is not a file of finished columns\n  remedy: remove it or choose another name",
        path.display()
    )]
    JournalForeign {
        /// The file.
        path: PathBuf,
    },
    /// The share of this process is solved and stored, but there is no asset yet.
    #[error(
        "{columns} columns, share {part} of {of} processes counted from zero, are kept\n  remedy: merge the shares when all are there"
    )]
    ShareDone {
        /// Number of the process, from zero.
        part: usize,
        /// Number of processes.
        of: usize,
        /// Columns of the share.
        columns: usize,
    },
    /// Another process of the team failed.
    #[error(
        "process {process}, counted from zero, could not go on, and the others stopped with it\n  remedy: see what that process says"
    )]
    TeamFailed {
        /// Number of the process, from zero.
        process: usize,
    },
    /// Fibres whose material has a strain of negative energy.
    #[error(
        "the fibres (young = {young} Pa, shear = {shear} Pa, poisson = {poisson}) and the material do not make an elastic body: some strain would need no energy\n  remedy: give positive moduli and a direction, with (1 - nu) E_fibres > 2 poisson^2 E_material"
    )]
    FibresNotPositive {
        /// Young's modulus along the fibres, Pa.
        young: f64,
        /// Modulus of shear along the fibres, Pa.
        shear: f64,
        /// Contraction across the fibres.
        poisson: f64,
    },
    /// A factor on the stiffness that is not positive.
    #[error(
        "`stiffness` entry {entry}, counted from zero, gives the factor {value} near ({:.4}, {:.4}, {:.4}) m\n  remedy: give positive factors",
        at.x, at.y, at.z
    )]
    InvalidStiffness {
        /// The entry.
        entry: usize,
        /// The factor.
        value: f64,
        /// Position, m.
        at: Vec3,
    },
    /// An entry that selects nothing.
    #[error(
        "`stiffness` entry {entry}, counted from zero, holds the centroid of no tetrahedron\n  remedy: enlarge the selection, or raise `boundary`"
    )]
    StiffnessNowhere {
        /// The entry.
        entry: usize,
    },
    /// A list of factors of the wrong length.
    #[error(
        "`stiffness` entry {entry}, counted from zero, has {given} factors for {wanted} {what}\n  remedy: give one for each"
    )]
    StiffnessCount {
        /// The entry.
        entry: usize,
        /// Its numbers.
        given: usize,
        /// Numbers that are needed.
        wanted: usize,
        /// What the numbers belong to.
        what: &'static str,
    },
    /// A releasable support that does not exist.
    #[error(
        "there is no support `{name}` that could be released\n  remedy: name one of the body's supports"
    )]
    NoSuchSupport {
        /// The name given.
        name: String,
    },
    /// A setting that boundary elements do not support.
    #[error(
        "{generator} takes one isotropic material and keeps its supports, so `{key}` cannot be honoured\n  remedy: use `generator = \"fem\"`, or leave `{key}` out"
    )]
    NeedsFiniteElements {
        /// The scene's key.
        key: &'static str,
        /// The generator that was asked for.
        generator: &'static str,
    },
    /// A named point outside all tetrahedra.
    #[error(
        "the point `{name}` at ({:.4}, {:.4}, {:.4}) m lies {distance:.4} m outside of the body that is solved\n  remedy: move it inside, or raise `boundary`",
        at.x, at.y, at.z
    )]
    PointOutside {
        /// Its name.
        name: String,
        /// Its position, m.
        at: Vec3,
        /// Its distance from the boundary, m.
        distance: f64,
    },
    /// A named point in a part of the body without a support.
    #[error(
        "the point `{name}` lies in a part of the body that no support holds\n  remedy: support that part, or move the point"
    )]
    PointLoose {
        /// Its name.
        name: String,
    },
    /// A named point that is too close to the boundary for boundary elements.
    #[error(
        "the point `{name}` is {distance:.4} m from the boundary, closer than half an edge ({needed:.4} m)\n  remedy: move it inwards, raise `boundary`, or use `generator = \"fem\"`"
    )]
    NearBoundary {
        /// Its name.
        name: String,
        /// Its distance, m.
        distance: f64,
        /// The least distance, m.
        needed: f64,
    },
    /// Cancelled by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl BakeError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> String {
        match self {
            Self::Compression(error) => error.code(),
            _ => variant_name(self),
        }
    }
}

impl From<HierarchicalMatrixError> for BakeError {
    fn from(error: HierarchicalMatrixError) -> Self {
        match error {
            HierarchicalMatrixError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Compression(other),
        }
    }
}

impl From<CompressionError> for BakeError {
    fn from(error: CompressionError) -> Self {
        match error {
            CompressionError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Wavelets(other),
        }
    }
}
