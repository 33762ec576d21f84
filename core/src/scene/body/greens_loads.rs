//! The key `quasistatic.loads`: distribution of forces on the boundary of quadratic elements.

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// Where forces on the boundary of quadratic elements act. Makes no difference for linear elements; columns by wavelets load the elements at each vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GreensLoads {
    /// On the corners alone: the exact solution of the elements for these forces, which dent the boundary at each corner. A held patch is 10 to 20 % too soft.
    Corners,
    /// On the faces around each corner, as tractions: a held patch converges to the elastic solution.
    #[default]
    Faces,
}

/// Reads the key `loads` of a table `quasistatic`; `is_quadratic` says whether its elements are quadratic.
pub(super) fn read_loads(at: &Reader<'_>, is_quadratic: bool) -> Result<GreensLoads, SceneError> {
    let known = [
        ("corners", GreensLoads::Corners),
        ("faces", GreensLoads::Faces),
    ];
    let is_dense = at.text("wavelet")?.is_none_or(|basis| basis == "none");
    let applies = is_quadratic && is_dense;
    let default = if applies {
        GreensLoads::Faces
    } else {
        GreensLoads::Corners
    };
    let loads = at.choice("loads", default, known)?;
    let is_useless = loads == GreensLoads::Faces && !applies;
    let text = "\"faces\" applies only to dense columns of generator = \"fem\" and quadratic elements: only their forces act on corners alone\n  remedy: leave `loads` out";
    at.refuse_if(is_useless, "loads", text)?;
    Ok(loads)
}

#[cfg(test)]
mod tests {
    use super::GreensLoads;
    use crate::scene::body::quasistatic::tests::{scene, text};
    use crate::scene::load::tests::assert_refused;

    #[test]
    fn loads_are_read_and_those_without_effect_are_refused() {
        let loads = |keys: &str| scene(keys).map(|scene| scene.body.quasistatic.loads);
        assert_eq!(loads(""), Ok(GreensLoads::Faces));
        assert_eq!(loads("elements = \"linear\""), Ok(GreensLoads::Corners));
        assert_eq!(loads("loads = \"corners\""), Ok(GreensLoads::Corners));
        let dense = loads("loads = \"faces\", wavelet = \"none\"");
        assert_eq!(dense, Ok(GreensLoads::Faces));
        assert_refused(
            text,
            &[
                "loads = 'edges' => BadValue body[0].quasistatic.loads: must be corners or faces, got \"edges\"",
                "loads = 'faces', elements = 'linear' => BadValue body[0].quasistatic.loads: remedy",
                "loads = 'faces', generator = 'bem' => BadValue body[0].quasistatic.loads: remedy",
                "loads = 'faces', wavelet = 'linear' => BadValue body[0].quasistatic.loads: remedy",
            ],
        );
    }
}
