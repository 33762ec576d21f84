//! Points inside a body as bytes.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::format::AssetFormatError;
use crate::asset::format::bytes::{ErrorContext, Reader, Writer};
use crate::asset::inside::{InsidePoint, NamedPoint, PointResponse, StressRow};

/// Appends the points.
pub(crate) fn write(out: &mut Writer, points: &[InsidePoint]) {
    out.u32(points.len() as u32);
    for point in points {
        let (x, load) = (point.named.point, point.named.load);
        out.text(&point.named.name);
        out.list(&[x.x, x.y, x.z, load.x, load.y, load.z]);
        out.list(&point.displacement);
        out.list(&flat(&point.stress));
        out.list(&[point.gravity]);
        out.list(&flat(&[point.gravity_stress]));
        write_responses(out, &point.of_points);
        out.list(&point.support_reactions);
    }
}

/// Appends displacements, then stresses.
pub(super) fn write_responses(out: &mut Writer, responses: &[PointResponse]) {
    let (displacements, stresses): (Vec<Mat3>, Vec<StressRow>) =
        responses.iter().map(|r| (r.displacement, r.stress)).unzip();
    out.list(&displacements);
    out.list(&flat(&stresses));
}

/// Reads what [`write_responses`] wrote; `None` where there are not as many stresses as displacements.
pub(super) fn read_responses(
    input: &mut Reader<'_>,
    what: &'static str,
) -> Result<Option<Vec<PointResponse>>, AssetFormatError> {
    let displacements: Vec<Mat3> = input.list().context(what)?;
    let stresses = rows(&input.list::<f64>().context(what)?);
    let response = |(displacement, stress)| PointResponse {
        displacement,
        stress,
    };
    let fits = displacements.len() == stresses.len();
    let responses = displacements.into_iter().zip(stresses).map(response);
    Ok(fits.then(|| responses.collect()))
}

/// Reads what [`write`] wrote, for these numbers of free boundary nodes and supports.
pub(crate) fn read(
    input: &mut Reader<'_>,
    nodes: usize,
    supports: usize,
) -> Result<Vec<InsidePoint>, AssetFormatError> {
    let invalid = || AssetFormatError::Invalid {
        what: "point inside",
    };
    let count = input.u32().context("points inside")? as usize;
    let mut points = Vec::new();
    for _ in 0..count {
        let name = input.text().context("name of a point inside")?;
        let place_and_load: Vec<f64> = input.list().context("place of a point inside")?;
        let &[x, y, z, fx, fy, fz] = place_and_load.as_slice() else {
            return Err(invalid());
        };
        let displacement: Vec<Mat3> = input.list().context("rows of a point inside")?;
        let stress: Vec<f64> = input.list().context("stress rows of a point inside")?;
        let stress = rows(&stress);
        let gravity: Vec<Mat3> = input.list().context("gravity of a point inside")?;
        let gravity_stress = rows(&input.list::<f64>().context("gravity of a point inside")?);
        let of_points = read_responses(input, "loads on points inside")?;
        let support_reactions: Vec<Mat3> = input.list().context("reactions to a point inside")?;
        let (&[gravity], &[gravity_stress], Some(of_points)) =
            (gravity.as_slice(), gravity_stress.as_slice(), of_points)
        else {
            return Err(invalid());
        };
        let fits = displacement.len() == nodes
            && stress.len() == nodes
            && of_points.len() == count
            && support_reactions.len() == supports
            && place_and_load.iter().all(|x| x.is_finite());
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
            of_points,
            support_reactions,
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
