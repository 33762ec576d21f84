//! The oscillating blocks and their runs.

use pliant_adaptive::params::ElementModel;
use pliant_adaptive::study::half_refined::{HalfRefinedBox, MIN_NODES};
use pliant_adaptive::study::mesh::box_with_about;
use pliant_adaptive::study::reference::BlockReference;
use pliant_adaptive::study::{OscillationError, OscillationRun, oscillate, oscillate_mixed};
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::args::Oscillate;
use crate::failure::Failure;
use crate::options::{checked_duration, parse_numbers};
use crate::session::Session;

/// The cube with a known converged solution: edge (m), E (Pa), ν, ρ (kg/m³), g (m/s²).
const CUBE: (f64, f64, f64, f64, f64) = (1.0, 1.022222e6, 0.277778, 1000.0, 9.81);

/// One run and its settings.
pub(super) struct StudyRun {
    /// requested number of nodes
    pub(super) requested_nodes: usize,
    /// factors on Young's modulus of each level, coarsest first; empty for plain elements
    pub(super) factors: Vec<f64>,
    pub(super) run: OscillationRun,
}

impl StudyRun {
    /// What distinguishes it from other runs of its model, with a space before each word.
    pub(super) fn kind(&self) -> String {
        let mixed = if self.run.mixed { " mixed" } else { "" };
        let calibrated = match self.factors.is_empty() {
            true => "",
            false => " calibrated",
        };
        format!("{mixed}{calibrated}")
    }
}

/// The mesh of a block, or the meshes of both levels.
enum Block {
    OneLevel(TetMesh),
    HalfRefined(HalfRefinedBox),
}

impl Block {
    fn levels(&self) -> &[TetMesh] {
        match self {
            Self::OneLevel(mesh) => std::slice::from_ref(mesh),
            Self::HalfRefined(block) => &block.levels,
        }
    }
}

/// Elements, meshes and duration of the study.
pub(super) struct Study {
    pub(super) uncalibrated: bool,
    /// whether the half at the free end is one level finer
    pub(super) mixed: bool,
    pub(super) models: Vec<ElementModel>,
    pub(super) nodes: Vec<usize>,
    pub(super) size: Vec3,
    pub(super) material: Material,
    pub(super) gravity: f64,
    pub(super) duration: f64,
    pub(super) is_reference_cube: bool,
}

impl Study {
    /// Reads the options.
    pub(super) fn from_args(args: &Oscillate) -> Result<Self, Failure> {
        let models = models_of(args)?;
        let nodes = if args.nodes.is_empty() {
            vec![27, 57, 137]
        } else {
            args.nodes.clone()
        };
        let (least, on) = match args.mixed {
            true => (MIN_NODES, " on two levels"),
            false => (8, ""),
        };
        if let Some(bad) = nodes.iter().find(|n| !(least..=200_000).contains(*n)) {
            return Err(Failure::bad_input(
                "BadNodes",
                format!("{bad} nodes are not possible{on}"),
                format!("give {least} to 200000"),
            ));
        }
        let (edge, young, poisson, density, gravity) = CUBE;
        let size = match &args.size {
            None => Vec3::repeat(edge),
            Some(text) => parse_size(text)?,
        };
        let positive = |name: &str, value: Option<f64>, default: f64| match value {
            None => Ok(default),
            Some(v) if v > 0.0 && v.is_finite() => Ok(v),
            Some(v) => Err(Failure::bad_input(
                "BadValue",
                format!("--{name} {v} is not possible"),
                "give a positive number",
            )),
        };
        let poisson = match args.poisson {
            None => poisson,
            Some(v) if v > -0.9 && v < 0.4999 => v,
            Some(v) => {
                return Err(Failure::bad_input(
                    "BadValue",
                    format!("--poisson {v} is not possible"),
                    "give a number above -0.9 and below 0.4999",
                ));
            }
        };
        let gravity = match args.gravity {
            None => gravity,
            Some(g) if g.is_finite() && g != 0.0 => g,
            Some(g) => {
                return Err(Failure::bad_input(
                    "BadValue",
                    format!("--gravity {g} causes no oscillation"),
                    "give m/s2, for example 9.81",
                ));
            }
        };
        Ok(Self {
            uncalibrated: args.uncalibrated,
            mixed: args.mixed,
            models,
            nodes,
            size,
            material: Material::isotropic(positive("young", args.young, young)?, poisson)
                .with_density(positive("density", args.density, density)?)
                .with_damping_ratio(0.0)
                .with_law(MaterialLaw::Green),
            gravity,
            duration: checked_duration(args.duration)?.unwrap_or(3.0),
            is_reference_cube: args.young.is_none()
                && args.poisson.is_none()
                && args.density.is_none()
                && args.gravity.is_none()
                && args.size.is_none(),
        })
    }

    /// Whether there are elements to calibrate. Springs have no modulus that a factor could correct.
    pub(super) fn calibrates(&self) -> bool {
        !self.uncalibrated && self.models.iter().any(|m| m.law().is_some())
    }

    /// The plain run and, with a reference, the calibrated one.
    pub(super) fn run(
        &self,
        session: &Session,
        model: ElementModel,
        nodes: usize,
        reference: Option<&BlockReference>,
    ) -> Result<Vec<StudyRun>, Failure> {
        let (block, about) = match self.mixed {
            true => {
                let block = HalfRefinedBox::with_about(self.size, nodes);
                let about = format!("about {nodes} nodes on two levels");
                (Block::HalfRefined(block), about)
            }
            false => {
                let mesh = box_with_about(self.size, nodes);
                let about = format!("{} nodes", mesh.nodes.len());
                (Block::OneLevel(mesh), about)
            }
        };
        let mut all_factors = vec![Vec::new()];
        if let Some(reference) = reference.filter(|_| model.law().is_some()) {
            let levels = block.levels().iter();
            let found: Result<Vec<f64>, _> = levels
                .map(|mesh| reference.stiffness_factor(mesh, &session.progress))
                .collect();
            let found = found.map_err(|e| Failure::from_text(&e.code(), &e.to_string(), None))?;
            all_factors.push(found);
        }
        let mut runs = Vec::with_capacity(all_factors.len());
        for factors in all_factors {
            session
                .progress
                .stage(&format!("{}, {about}", model.name()));
            let run = self
                .swing(session, &block, model, &factors)
                .map_err(failed)?;
            runs.push(StudyRun {
                requested_nodes: nodes,
                factors,
                run,
            });
        }
        Ok(runs)
    }

    /// One run, with a stiffness factor for each level, or plain elements.
    fn swing(
        &self,
        session: &Session,
        block: &Block,
        model: ElementModel,
        factors: &[f64],
    ) -> Result<OscillationRun, OscillationError> {
        let (material, gravity, duration) = (&self.material, self.gravity, self.duration);
        let progress = &session.progress;
        match block {
            Block::OneLevel(mesh) => {
                let mut material = *material;
                for factor in factors {
                    material.elastic.young *= factor;
                }
                let size = self.size;
                oscillate(mesh, size, &material, gravity, model, duration, progress)
            }
            Block::HalfRefined(block) => {
                let mut block = block.clone();
                for (stiffness, factor) in block.stiffness.iter_mut().zip(factors) {
                    *stiffness = *factor;
                }
                oscillate_mixed(&block, material, gravity, model, duration, progress)
            }
        }
    }
}

/// A run that cannot start.
fn failed(error: OscillationError) -> Failure {
    Failure::from_text(&error.code(), &error.to_string(), None)
}

/// The requested elements, or the default ones.
fn models_of(args: &Oscillate) -> Result<Vec<ElementModel>, Failure> {
    if args.model.is_empty() {
        return Ok(vec![
            ElementModel::Spring,
            ElementModel::Cauchy,
            ElementModel::Simplified,
            ElementModel::Green,
        ]);
    }
    args.model
        .iter()
        .map(|name| {
            ElementModel::from_name(name).ok_or_else(|| {
                let failure = Failure::bad_input(
                    "UnknownModel",
                    format!("unknown model `{name}`"),
                    "use green, cauchy, simplified or spring",
                );
                failure.meaning(name, ElementModel::ALL.map(ElementModel::name))
            })
        })
        .collect()
}

fn parse_size(text: &str) -> Result<Vec3, Failure> {
    let size = match parse_numbers(text).as_deref() {
        Some([edge]) => Vec3::repeat(*edge),
        Some([x, y, z]) => Vec3::new(*x, *y, *z),
        _ => Vec3::zeros(),
    };
    if size.iter().all(|x| *x > 1e-4 && *x < 1e3) {
        Ok(size)
    } else {
        Err(Failure::bad_input(
            "BadSize",
            format!("--size {text} is not possible"),
            "give one edge or x,y,z in metres, 0.0001 to 1000",
        ))
    }
}
