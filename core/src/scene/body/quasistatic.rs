//! The table `quasistatic` of a body.

use std::path::PathBuf;

use toml::Value;

use crate::math::Vec3;
use crate::scene::body::constraint_level::{ConstraintLevel, read_constraint_level};
use crate::scene::body::greens_loads::{GreensLoads, read_loads};
use crate::scene::body::vertex_weight::{VertexWeight, read_vertex_weight};
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// Parameters of the quasistatic method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QuasistaticDescription {
    /// Source of the Green's functions.
    pub generator: GreensGenerator,
    /// The finite elements of [`GreensGenerator::Fem`].
    pub elements: GreensElements,
    /// Distribution of forces on quadratic elements.
    pub loads: GreensLoads,
    /// The file of [`GreensGenerator::Asset`] as written; relative paths count from the scene file.
    pub asset: Option<PathBuf>,
    /// Choice of the boundary mesh.
    pub boundary: BoundaryChoice,
    /// Most contact rows; `None` for the default.
    pub max_contacts: Option<usize>,
    /// Factors on the stiffness of parts of the body; where they overlap, the last one counts.
    pub stiffness: Vec<VertexWeight>,
    /// Fibres that make the body stiffer, or softer, along one direction.
    pub fibres: Option<Fibres>,
    /// Points inside the body that are reported and can be loaded.
    pub inside: Vec<NamedPoint>,
    /// Names of supports that can be released from the finished asset.
    pub releasable: Vec<String>,
    /// Compression of the columns; dense if `None`.
    pub wavelet: Option<WaveletDescription>,
    /// Relative error that compression as a hierarchical matrix may leave in a column; dense if `None`.
    pub hierarchical: Option<f64>,
    /// The level at which touched vertices are constrained.
    pub constraint_level: ConstraintLevel,
    /// Computing time of a nominal machine for the contact of a frame, ms; unlimited if `None`.
    pub budget_ms: Option<f64>,
}

/// Wavelets that compress the columns, on a boundary with subdivision connectivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaveletDescription {
    /// Predictor of vertices from coarser ones.
    pub basis: WaveletBasis,
    /// Share of the largest block of a column below which details are dropped.
    pub threshold: f64,
    /// Distance from its own vertex, in edges, within which a column keeps everything; 0 for none.
    pub near_field: f64,
    /// Weights of vertices in coarse means.
    pub areas: WaveletAreas,
}

/// Weights of vertices in the coarse means of lifted wavelets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WaveletAreas {
    /// Their areas: the integral of every wavelet over the surface vanishes.
    #[default]
    Nodal,
    /// All equal: the sum of every wavelet over the vertices vanishes.
    Unit,
}

/// How a new vertex is predicted from the coarser level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaveletBasis {
    /// The mean of the two ends of its edge.
    Linear,
    /// The eight-point butterfly (Dyn, Levin, Gregory 1990) with the same weights at every vertex.
    Butterfly,
    /// The butterfly with other weights around vertices whose valence is not six (Zorin, Schröder, Sweldens 1996).
    ModifiedButterfly,
}

impl WaveletBasis {
    /// All bases; files number them in this order.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Butterfly, Self::ModifiedButterfly];
}

/// Fibres along one direction: a transversely isotropic body. The planes normal to the fibres have the material of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fibres {
    /// Direction, any length above zero.
    pub direction: Vec3,
    /// Young's modulus along the fibres, Pa.
    pub young: f64,
    /// Shear modulus along the fibres, Pa.
    pub shear: f64,
    /// Poisson's ratio for stretch along the fibres and contraction normal to them; that of the material if `None`.
    pub poisson: Option<f64>,
}

/// A named point inside a body.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPoint {
    /// Name.
    pub name: String,
    /// Position at rest, m.
    pub point: Vec3,
    /// Force on it, N.
    pub load: Vec3,
}

/// Source of Green's functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GreensGenerator {
    /// Finite elements: tetrahedra, see [`GreensElements`].
    #[default]
    Fem,
    /// Boundary elements: linear triangles.
    BemLinear,
    /// Boundary elements: constant triangles.
    BemConstant,
    /// A file that `pliant gf` wrote.
    Asset,
}

impl GreensGenerator {
    /// All of them, with their names in scenes and on the command line.
    pub const NAMED: [(&'static str, Self); 4] = [
        ("fem", Self::Fem),
        ("bem-linear", Self::BemLinear),
        ("bem-constant", Self::BemConstant),
        ("asset", Self::Asset),
    ];
}

/// The finite elements behind Green's functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GreensElements {
    /// Ten nodes a tetrahedron: linear strains, Poisson's ratio up to 0.49.
    #[default]
    Quadratic,
    /// Four nodes a tetrahedron: cheap, much too stiff where thin parts bend, Poisson's ratio up to 0.45.
    Linear,
}

/// The boundary mesh of the quasistatic method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BoundaryChoice {
    /// The skin up to 2,500 vertices where a mesh with that boundary exists, else a level of about 1,500 (1,300 and 1,000 with quadratic elements).
    #[default]
    Auto,
    /// The skin.
    Skin,
    /// A level with about this many boundary nodes.
    Nodes(usize),
}

pub(crate) fn read_quasistatic(body: &Reader<'_>) -> Result<QuasistaticDescription, SceneError> {
    let at = body.table_or_empty("quasistatic");
    let generator = match at.text("generator")? {
        Some("bem") => GreensGenerator::BemLinear,
        _ => at.choice("generator", GreensGenerator::Fem, GreensGenerator::NAMED)?,
    };
    let known = [
        ("quadratic", GreensElements::Quadratic),
        ("linear", GreensElements::Linear),
    ];
    let elements = at.choice("elements", GreensElements::Quadratic, known)?;
    let is_quadratic = generator == GreensGenerator::Fem && elements == GreensElements::Quadratic;
    let loads = read_loads(&at, is_quadratic)?;
    let boundary = match at.get("boundary") {
        None => BoundaryChoice::Auto,
        Some(Value::String(word)) if word == "auto" => BoundaryChoice::Auto,
        Some(Value::String(word)) if word == "skin" => BoundaryChoice::Skin,
        Some(Value::Integer(n)) if (8..=10_000).contains(n) => BoundaryChoice::Nodes(*n as usize),
        Some(_) => {
            return Err(at.bad(
                "boundary",
                "must be \"auto\", \"skin\" or a number of nodes from 8 to 10000",
            ));
        }
    };
    let asset = at.text("asset")?.map(PathBuf::from);
    let is_wrong = asset.is_some() != (generator == GreensGenerator::Asset);
    let text = "a file is given with generator = \"asset\", and only with it";
    at.refuse_if(is_wrong, "asset", text)?;
    let stiffness = at.each("stiffness", read_vertex_weight)?;
    let fibres = read_fibres(&at)?;
    if generator == GreensGenerator::Asset {
        let text = "has no effect with generator = \"asset\", whose columns were made for a material\n  remedy: leave it out, or make the columns with generator = \"fem\"";
        at.refuse(&["stiffness", "fibres", "releasable"], text)?;
    }
    Ok(QuasistaticDescription {
        generator,
        elements,
        loads,
        asset,
        boundary,
        max_contacts: at.count_or_auto("max_contacts")?,
        stiffness,
        fibres,
        inside: read_inside(&at)?,
        releasable: read_releasable(&at)?,
        wavelet: read_wavelet(&at, generator)?,
        hierarchical: read_hierarchical(&at, generator)?,
        constraint_level: read_constraint_level(&at, generator == GreensGenerator::Asset)?,
        budget_ms: at.number_in("budget_ms", (1e-3, 1e6), "ms")?,
    })
}

/// Reads the key `hierarchical`.
fn read_hierarchical(
    at: &Reader<'_>,
    generator: GreensGenerator,
) -> Result<Option<f64>, SceneError> {
    let Some(error) = at.number("hierarchical")? else {
        return Ok(None);
    };
    let text = "must be a relative error from 0.0001 to 0.5; 0.01 suits most bodies";
    at.refuse_if(!(1e-4..=0.5).contains(&error), "hierarchical", text)?;
    let is_useless = at.get("wavelet").is_some() || generator == GreensGenerator::Asset;
    let text = "applies only to columns that are baked, and not to wavelets";
    at.refuse_if(is_useless, "hierarchical", text)?;
    Ok(Some(error))
}

/// Reads the keys `wavelet`, `threshold`, `near_field` and `wavelet_areas`.
fn read_wavelet(
    at: &Reader<'_>,
    generator: GreensGenerator,
) -> Result<Option<WaveletDescription>, SceneError> {
    let known = [
        ("linear", Some(WaveletBasis::Linear)),
        ("butterfly", Some(WaveletBasis::Butterfly)),
        ("modified-butterfly", Some(WaveletBasis::ModifiedButterfly)),
        ("none", None),
    ];
    let Some(basis) = at.choice("wavelet", None, known)? else {
        let text = "has no effect without wavelets\n  remedy: add wavelet = \"linear\"";
        at.refuse(&["threshold", "near_field", "wavelet_areas"], text)?;
        return Ok(None);
    };
    let has_no_levels = !matches!(generator, GreensGenerator::Fem | GreensGenerator::BemLinear);
    let text = "needs generator = \"fem\" or \"bem-linear\": wavelets need a node at each vertex of a surface that is subdivided";
    at.refuse_if(has_no_levels, "wavelet", text)?;
    let threshold = at.number_in("threshold", (0.0, 1.0), "")?;
    let near_field = at.number_in("near_field", (0.0, 100.0), "edges")?;
    let known = [("nodal", WaveletAreas::Nodal), ("unit", WaveletAreas::Unit)];
    let areas = at.choice("wavelet_areas", WaveletAreas::Nodal, known)?;
    Ok(Some(WaveletDescription {
        basis,
        threshold: threshold.unwrap_or(0.05),
        near_field: near_field.unwrap_or(2.2),
        areas,
    }))
}

/// Reads the list `releasable`. The bake checks whether there are supports of these names.
fn read_releasable(at: &Reader<'_>) -> Result<Vec<String>, SceneError> {
    let names = at.texts("releasable")?;
    at.unique("releasable", names.iter().copied())?;
    Ok(names.into_iter().map(str::to_string).collect())
}

/// Reads the table `fibres`.
fn read_fibres(at: &Reader<'_>) -> Result<Option<Fibres>, SceneError> {
    let Some(fibres) = at.table("fibres") else {
        return Ok(None);
    };
    let direction = fibres.required_direction("direction")?;
    let modulus = |key: &str| {
        let value = fibres.number_in(key, (1.0, 1e13), "Pa")?;
        value.ok_or_else(|| fibres.missing(key))
    };
    Ok(Some(Fibres {
        direction,
        young: modulus("young")?,
        shear: modulus("shear")?,
        poisson: fibres.number_in("poisson", (-0.9, 0.499), "")?,
    }))
}

/// Reads the list `inside`.
fn read_inside(at: &Reader<'_>) -> Result<Vec<NamedPoint>, SceneError> {
    let points = at.each("inside", |point| {
        Ok(NamedPoint {
            name: point.required_text("name")?.to_string(),
            point: point.required_vector("point")?,
            load: point.vector("load")?.unwrap_or_else(Vec3::zeros),
        })
    })?;
    at.unique("inside", points.iter().map(|point| point.name.as_str()))?;
    Ok(points)
}

#[cfg(test)]
pub(super) mod tests {
    use crate::math::Vec3;
    use crate::scene::load::tests::assert_refused;
    use crate::scene::{SceneDescription, SceneError, VertexWeight, load_scene};

    /// The text of a scene whose body has this table `quasistatic`.
    pub fn text(quasistatic: &str) -> String {
        format!(
            "schema = 1\nname = \"a\"\nbody = [ {{ name = \"b\", mesh = {{ procedural = \"box\" }}, quasistatic = {{ {quasistatic} }} }} ]"
        )
    }

    /// This scene.
    pub fn scene(quasistatic: &str) -> Result<SceneDescription, SceneError> {
        load_scene(&text(quasistatic))
    }

    #[test]
    fn materials_and_points_inside_are_read() {
        let scene = scene(
            "stiffness = [ { select = { lowest = 0.5 }, factor = 4.0 }, { attribute = \"bone\" } ], fibres = { direction = [0, 2, 0], young = 5e4, shear = 1e4 }, inside = [ { name = \"tendon\", point = [0, 0.1, 0], load = [0, -1, 0] }, { name = \"core\", point = [0, 0, 0] } ]",
        );
        let read = scene.expect("valid").body.quasistatic;
        assert!(matches!(
            read.stiffness[0],
            VertexWeight::Part { factor: 4.0, .. }
        ));
        assert_eq!(read.stiffness[1], VertexWeight::Attribute("bone".into()));
        let fibres = read.fibres.expect("given");
        assert_eq!(
            (fibres.young, fibres.shear, fibres.poisson),
            (5e4, 1e4, None)
        );
        assert_eq!(read.inside[0].load, Vec3::new(0.0, -1.0, 0.0));
        assert_eq!(
            (read.inside[1].name.as_str(), read.inside[1].load),
            ("core", Vec3::zeros())
        );
    }

    #[test]
    fn budget_and_areas_of_wavelets_are_read() {
        let read = |text: &str| scene(text).map(|scene| scene.body.quasistatic);
        let given = read("budget_ms = 2.5, wavelet = \"linear\", wavelet_areas = \"unit\"");
        let given = given.expect("valid");
        assert_eq!(given.budget_ms, Some(2.5));
        assert_eq!(
            given.wavelet.map(|w| w.areas),
            Some(super::WaveletAreas::Unit)
        );
        let plain = read("wavelet = \"linear\"").expect("valid");
        assert_eq!(plain.budget_ms, None);
        assert_eq!(
            plain.wavelet.map(|w| w.areas),
            Some(super::WaveletAreas::Nodal)
        );
        for refused in ["budget_ms = 0", "wavelet_areas = \"unit\""] {
            assert!(read(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn contradictory_and_incomplete_values_are_refused_by_name() {
        assert_refused(
            text,
            &[
                "fibres = { direction = [0, 1, 0], young = 5e4 } => MissingKey body[0].quasistatic.fibres.shear",
                "fibres = { direction = [0, 0, 0], young = 5e4, shear = 1 } => BadValue body[0].quasistatic.fibres.direction",
                "fibres = { direction = [0, 1, 0], young = -1, shear = 1e4 } => BadValue body[0].quasistatic.fibres.young",
                "generator = 'asset', asset = 'a.pgf', fibres = { direction = [0, 1, 0], young = 5e4, shear = 1e4 } => BadValue body[0].quasistatic.fibres: remedy",
                "inside = [ { name = 'a', point = [0, 0, 0] }, { name = 'a', point = [0, 0, 1] } ] => DuplicateName body[0].quasistatic.inside",
                "inside = [ { name = 'a' } ] => MissingKey body[0].quasistatic.inside[0].point",
                "inside = [ { name = 'a', point = [0, 0, 0], force = [0, 0, 1] } ] => UnknownKey body[0].quasistatic.inside[0].force",
            ],
        );
    }
}
