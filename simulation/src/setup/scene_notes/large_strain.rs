//! Whether a scene expects strains that are too large for a linear method.

use pliant_core::scene::{Method, SceneDescription};

/// Strain up to which linear and nonlinear methods are compared without a remark.
const LINEAR_STRAIN_LIMIT: f64 = 0.05;

/// The note of a scene on strains that are too large for `method`. `None` where they are small, and for a method that is not linear in this scene.
pub fn large_strain_note(description: &SceneDescription, method: Method) -> Option<String> {
    if description.strain_hint < LINEAR_STRAIN_LIMIT {
        return None;
    }
    let linear = match method {
        Method::Quasistatic => "the quasistatic method is linear".to_string(),
        Method::Adaptive => {
            let bodies = std::iter::once(&description.body).chain(&description.others);
            let mut laws = bodies.map(|body| body.material.law);
            let law = laws.find(|law| law.is_linear())?;
            format!(
                "the adaptive method is linear with the law `{}`",
                law.name()
            )
        }
        Method::Lattice => return None,
    };
    Some(format!(
        "strains of {:.0} % are expected (strain_hint), but {linear}: read its forces and curves with that in mind",
        description.strain_hint * 100.0
    ))
}
