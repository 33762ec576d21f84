//! Points inside a body as bytes.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::format::AssetFormatError;
use crate::asset::format::bytes::{Reader, Writer};
use crate::asset::inside::{InsidePoint, NamedPoint, PointResponse, StressRow};

/// Appends the points.
pub(crate) fn write(out: &mut Writer, points: &[InsidePoint]) {
    out.u32(points.len() as u32);
    for point in points {
        let (x, load) = (point.named.point, point.named.load);
        out.text(&point.named.name);
        out.f64s(&[x.x, x.y, x.z, load.x, load.y, load.z]);
        out.matrices(&point.displacement);
        out.f64s(&flat(&point.stress));
        out.matrices(&[point.gravity]);
        out.f64s(&flat(&[point.gravity_stress]));
        let others = &point.of_points;
        let (moved, stressed): (Vec<Mat3>, Vec<StressRow>) =
            others.iter().map(|r| (r.displacement, r.stress)).unzip();
        out.matrices(&moved);
        out.f64s(&flat(&stressed));
        out.matrices(&point.carried);
    }
}

/// Reads what [`write`] wrote, for so many free boundary nodes and supports.
pub(crate) fn read(
    input: &mut Reader<'_>,
    nodes: usize,
    supports: usize,
) -> Result<Vec<InsidePoint>, AssetFormatError> {
    let invalid = || AssetFormatError::Invalid {
        what: "point inside",
    };
    let count = input.u32("points inside")? as usize;
    let mut points = Vec::new();
    for _ in 0..count {
        let name = input.text("name of a point inside")?;
        let places = input.f64s("place of a point inside")?;
        let &[x, y, z, fx, fy, fz] = places.as_slice() else {
            return Err(invalid());
        };
        let displacement = input.matrices("rows of a point inside")?;
        let stress = rows(&input.f64s("stress rows of a point inside")?);
        let gravity = input.matrices("gravity of a point inside")?;
        let gravity_stress = rows(&input.f64s("gravity of a point inside")?);
        let moved = input.matrices("loads on points inside")?;
        let stressed = rows(&input.f64s("loads on points inside")?);
        let carried = input.matrices("reactions to a point inside")?;
        let (&[gravity], &[gravity_stress]) = (gravity.as_slice(), gravity_stress.as_slice())
        else {
            return Err(invalid());
        };
        let fits = displacement.len() == nodes
            && stress.len() == nodes
            && moved.len() == count
            && stressed.len() == count
            && carried.len() == supports
            && places.iter().all(|x| x.is_finite());
        if !fits {
            return Err(invalid());
        }
        points.push(InsidePoint {
            named: NamedPoint {
                name,
                point: Vec3::new(x, y, z),
                load: Vec3::new(fx, fy, fz),
            },
            displacement,
            stress,
            gravity,
            gravity_stress,
            of_points: moved
                .into_iter()
                .zip(stressed)
                .map(|(displacement, stress)| PointResponse {
                    displacement,
                    stress,
                })
                .collect(),
            carried,
        });
    }
    Ok(points)
}

fn flat(rows: &[StressRow]) -> Vec<f64> {
    let vectors = rows.iter().flatten();
    vectors.flat_map(|v| [v.x, v.y, v.z]).collect()
}

fn rows(numbers: &[f64]) -> Vec<StressRow> {
    let row = |row: &[f64; 18]| -> StressRow {
        std::array::from_fn(|k| Vec3::new(row[3 * k], row[3 * k + 1], row[3 * k + 2]))
    };
    numbers.as_chunks::<18>().0.iter().map(row).collect()
}
