//! Bodies whose walls are thinner than any element that a hierarchy of levels can have.

use pliant_core::asset::Progress;

use crate::lod::resolution_sequence::MAX_NODES;
use crate::repair::error::{RepairError, length};
use crate::repair::repaired::{RepairStep, Repaired};
use crate::tetrahedralise::stuffing::spacing::count_guess;
use crate::tetrahedralise::stuffing::stuff::SPACING_OVER_EDGE;
use crate::wrap::error::WrapError;
use crate::wrap::options::WrapOptions;
use crate::wrap::wrapping::wrap;

/// Share of the most nodes of a level that elements as large as the walls may need.
const MAX_NODE_SHARE: f64 = 0.67;
/// Walls that a foil gets, over the diagonal of the body. The surface moves by half of that, which is within the tolerance of levels (1 % of the diagonal).
const WALL_SHARE: f64 = 0.012;

/// Gives a foil walls that elements can fill. A foil is a closed body so thin that elements as large as its mean wall (twice the volume over the area) would be more than a level may have.
/// Other bodies come back unchanged, and so does a foil of which no walls can be made. The step is `ThickenedFoil`.
///
/// Mass and stiffness of the body grow with its volume; the step says by how much.
///
/// # Errors
/// [`RepairError::Cancelled`].
///
/// Cost: nothing for a body that is no foil; a wrap takes seconds.
pub fn thicken_foil(solid: Repaired, progress: &Progress) -> Result<Repaired, RepairError> {
    let (volume, area) = (solid.surface.volume().abs(), solid.surface.area());
    let wall = 2.0 * volume / area;
    let needed = count_guess(volume, area, SPACING_OVER_EDGE * wall);
    let target_wall = WALL_SHARE * solid.surface.bounds().diagonal();
    if !(wall > 0.0 && wall < target_wall && needed > MAX_NODE_SHARE * MAX_NODES as f64) {
        return Ok(solid);
    }
    let options = WrapOptions {
        thickness: Some(target_wall - wall),
        keeps_cavities: true,
        ..WrapOptions::default()
    };
    let walls = match wrap(&solid.surface, &options, progress) {
        Ok(walls) => walls.surface,
        Err(WrapError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(_) => return Ok(solid),
    };
    let mut steps = solid.steps;
    steps.push(RepairStep {
        code: "ThickenedFoil",
        count: walls.triangles.len(),
        message: format!(
            "walls of {} in the mean are thinner than elements can be: they were made {} thick, which makes the volume, and with it the mass, {:.1} times as large (divide the density by that to \
             keep the mass; `repair = \"off\"` leaves the walls)",
            length(wall),
            length(target_wall),
            walls.volume() / volume
        ),
    });
    Ok(Repaired {
        surface: walls,
        steps,
    })
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::mesh::SurfaceMesh;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    use super::*;
    use crate::test_bodies::{assert_contains, assert_near, inverted, join, mapped, sphere};

    fn thickened(size: Vec3, cells: [usize; 3]) -> (SurfaceMesh, Repaired) {
        let surface = box_surface(size, cells, CellStyle::Kuhn);
        let solid = Repaired {
            surface: surface.clone(),
            steps: Vec::new(),
        };
        let walls = thicken_foil(solid, &Progress::new()).expect("not cancelled");
        (surface, walls)
    }

    #[test]
    fn a_foil_gets_walls_within_the_tolerance_and_says_so() {
        let (foil, solid) = thickened(Vec3::new(1.0, 1.0, 0.001), [20, 20, 1]);
        let [step] = &solid.steps[..] else {
            panic!("{:?}", solid.steps);
        };
        assert_eq!(step.code, "ThickenedFoil");
        let (size, diagonal) = (solid.surface.bounds().size(), foil.bounds().diagonal());
        assert_near(size.z / diagonal, WALL_SHARE, 0.2);
        assert!((size.x - 1.0).abs() < 1.5 * WALL_SHARE * diagonal);
        let times = solid.surface.volume() / foil.volume();
        assert_near(WALL_SHARE * diagonal / 0.001, times, 0.25);
        assert_contains(&step.message, &format!("{times:.1} times"));
    }

    #[test]
    fn a_hollow_ball_stays_hollow() {
        let inner = mapped(inverted(sphere(4)), |x| x * 0.99);
        let ball = join(sphere(4), &inner);
        let volume = ball.volume();
        let solid = Repaired {
            surface: ball.clone(),
            steps: Vec::new(),
        };
        let walls = thicken_foil(solid, &Progress::new()).expect("not cancelled");
        assert_eq!(walls.steps.len(), 1);
        let times = WALL_SHARE * ball.bounds().diagonal() / 0.01;
        assert_near(walls.surface.volume() / volume, times, 0.1);
    }

    #[test]
    fn plates_and_rods_that_elements_can_fill_stay() {
        for (size, cells) in [
            (Vec3::new(1.0, 1.0, 0.01), [20, 20, 1]),
            (Vec3::new(1.0, 0.004, 0.004), [40, 1, 1]),
        ] {
            let (surface, solid) = thickened(size, cells);
            assert_eq!((solid.surface, solid.steps.len()), (surface, 0));
        }
    }
}
