//! The key `quasistatic.loads`: distribution of forces on the boundary of quadratic elements.

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// Where forces on the boundary of quadratic elements act. Makes no difference for linear elements; columns by wavelets load the elements at each vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GreensLoads {
    /// On the corners alone: the exact solution of the elements for these forces, which dent the boundary at each corner. A held patch is 10 to 20 % too soft.
    #[default]
    Corners,
    /// On the faces around each corner, as tractions: a held patch converges to the elastic solution.
    Faces,
}

/// Reads the key `loads` of a table `quasistatic`; `is_quadratic` says whether its elements are quadratic.
pub(super) fn read_loads(at: &Reader<'_>, is_quadratic: bool) -> Result<GreensLoads, SceneError> {
    let known = [
        ("corners", GreensLoads::Corners),
        ("faces", GreensLoads::Faces),
    ];
    let loads = at.choice("loads", GreensLoads::Corners, known)?;
    let is_dense = at.text("wavelet")?.is_none_or(|basis| basis == "none");
    let is_useless = loads == GreensLoads::Faces && !(is_quadratic && is_dense);
    let text = "\"faces\" applies only to dense columns of generator = \"fem\" and quadratic elements: only their forces act on corners alone\n  remedy: leave `loads` out";
    at.refuse_if(is_useless, "loads", text)?;
    Ok(loads)
}

#[cfg(test)]
mod tests {
    use super::GreensLoads;
    use crate::scene::SceneError;
    use crate::scene::body::quasistatic::tests::scene;

    fn loads(quasistatic: &str) -> Result<GreensLoads, SceneError> {
        scene(quasistatic).map(|scene| scene.body.quasistatic.loads)
    }

    #[test]
    fn loads_are_read_and_those_without_effect_are_refused() {
        assert_eq!(loads("").expect("none"), GreensLoads::Corners);
        assert_eq!(
            loads("loads = \"faces\", wavelet = \"none\"").expect("dense"),
            GreensLoads::Faces
        );
        let refused = |text: &str| loads(text).expect_err(text).to_string();
        assert!(refused("loads = \"edges\"").contains("must be corners or faces, got \"edges\""));
        for other in [
            "elements = \"linear\"",
            "generator = \"bem\"",
            "wavelet = \"linear\"",
        ] {
            let line = refused(&format!("loads = \"faces\", {other}"));
            assert!(
                line.contains("quasistatic.loads") && line.contains("remedy"),
                "{line}"
            );
        }
    }
}
