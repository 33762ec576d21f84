//! Laws of the transforms.

use pliant_core::math::Vec3;

use super::rows::sparse_rows;
use super::*;
use crate::error::CompressionError;
use crate::subdivision::SubdivisionHierarchy;
use crate::test_bodies::{octahedron, torus};

fn noise(k: usize) -> f64 {
    ((k * 7919 + 13) % 1009) as f64 / 1009.0 - 0.5
}

/// A subdivided octahedron on the unit sphere, its areas, and a domain with a boundary.
fn sphere() -> Result<(SubdivisionHierarchy, Vec<f64>, Vec<bool>), CompressionError> {
    let (hierarchy, x) = octahedron(3)?;
    let areas = x.iter().map(|p| p.norm().powi(3)).collect();
    let inside = x
        .iter()
        .map(|p| p.y / p.norm() > -0.6 || p.x > 0.31)
        .collect();
    Ok((hierarchy, areas, inside))
}

/// Each basis, lifted or not, with each replacement of missing neighbours.
pub(crate) fn every_spec() -> Vec<TransformSpec> {
    let mut specs = Vec::new();
    for basis in WaveletBasis::ALL {
        for lifted in [true, false] {
            for missing in [MissingNeighbours::Renormalise, MissingNeighbours::Zero] {
                specs.push(TransformSpec {
                    basis,
                    lifted,
                    missing,
                    ..TransformSpec::default()
                });
            }
        }
    }
    specs
}

#[test]
fn every_transform_reconstructs_perfectly_on_closed_and_cut_domains() -> Result<(), CompressionError>
{
    let (hierarchy, areas, cut) = sphere()?;
    let closed = vec![true; cut.len()];
    for spec in every_spec() {
        for inside in [&closed, &cut] {
            let transform = WaveletTransform::new(&hierarchy, inside, Some(&areas), &spec)?;
            let rows = transform.domain().rows();
            let values: Vec<f64> = (0..3 * rows).map(noise).collect();
            let mut data = values.clone();
            transform.forward(&mut data, 3);
            let mut field: Vec<[f32; 4]> = data
                .as_chunks::<3>()
                .0
                .iter()
                .map(|c| [c[0] as f32, c[1] as f32, c[2] as f32, 0.0])
                .collect();
            transform.inverse(&mut data, 3);
            let error = values
                .iter()
                .zip(&data)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            assert!(error < 1e-12, "{spec:?}: {error:e}");
            transform.inverse_field(&mut field, transform.domain().finest());
            let single = field.iter().flat_map(|x| &x[..3]).zip(&values);
            let error = single
                .map(|(a, b)| (f64::from(*a) - b).abs())
                .fold(0.0, f64::max);
            assert!(error < 2e-6, "{spec:?} in single precision: {error:e}");
        }
    }
    Ok(())
}

#[test]
fn lifted_wavelets_have_no_integral() -> Result<(), CompressionError> {
    let (hierarchy, areas, inside) = sphere()?;
    for spec in every_spec().into_iter().filter(|s| s.lifted) {
        let transform = WaveletTransform::new(&hierarchy, &inside, Some(&areas), &spec)?;
        let domain = transform.domain();
        let mut without = 0;
        for row in domain.rows_to(0)..domain.rows() {
            let step = &transform.steps()[domain.level_of_row(row) - 1];
            if step.update(row - step.first).next().is_none() {
                // no end of its edge is in the domain
                without += 1;
                continue;
            }
            let mut wavelet = vec![0.0; domain.rows()];
            wavelet[row] = 1.0;
            transform.inverse(&mut wavelet, 1);
            let terms = wavelet
                .iter()
                .zip(domain.vertices())
                .map(|(w, &v)| w * areas[v as usize]);
            let (integral, size) = terms.fold((0.0, 0.0), |(i, s), t| (i + t, s + f64::abs(t)));
            assert!(
                f64::abs(integral) < 1e-12 * size,
                "{spec:?}, row {row}: {integral:e} of {size}"
            );
        }
        assert!(without * 20 < domain.rows());
    }
    Ok(())
}

#[test]
fn constants_have_no_details_where_neighbours_are_renormalised() -> Result<(), CompressionError> {
    let (hierarchy, areas, inside) = sphere()?;
    for spec in every_spec()
        .into_iter()
        .filter(|s| s.missing == MissingNeighbours::Renormalise)
    {
        let transform = WaveletTransform::new(&hierarchy, &inside, Some(&areas), &spec)?;
        let domain = transform.domain();
        let mut data = vec![2.5; domain.rows()];
        transform.forward(&mut data, 1);
        for (row, value) in data.iter().enumerate() {
            let step = domain
                .level_of_row(row)
                .checked_sub(1)
                .map(|l| &transform.steps()[l]);
            let predicted = step.is_none_or(|s| s.predictor(row - s.first).next().is_some());
            let expected = if domain.level_of_row(row) == 0 || !predicted {
                2.5
            } else {
                0.0
            };
            assert!(
                (value - expected).abs() < 1e-12,
                "{spec:?}, row {row}: {value}"
            );
        }
    }
    Ok(())
}

#[test]
fn single_rows_equal_the_inverse_transform() -> Result<(), CompressionError> {
    let (hierarchy, areas, inside) = sphere()?;
    for spec in every_spec() {
        let transform = WaveletTransform::new(&hierarchy, &inside, Some(&areas), &spec)?;
        let rows = transform.domain().rows();
        let coefficients: Vec<f64> = (0..rows).map(noise).collect();
        let mut values = coefficients.clone();
        transform.inverse(&mut values, 1);
        let sparse = sparse_rows(&transform);
        let table = RowTable::<f32>::new(&transform);
        for (v, row) in sparse.iter().enumerate() {
            let sum: f64 = row.iter().map(|(c, w)| coefficients[*c as usize] * w).sum();
            assert!((sum - values[v]).abs() < 1e-12, "{spec:?}, row {v}");
            assert_eq!(table.row(v).0.len(), row.len());
        }
    }
    Ok(())
}

/// With linear wavelets a row needs at most two rows of the level before its own, and three of each coarser one: those around it.
#[test]
fn selected_rows_need_few_others() -> Result<(), CompressionError> {
    let (hierarchy, areas, inside) = sphere()?;
    let mut selective = SelectiveInverse::<f64>::default();
    for missing in [MissingNeighbours::Renormalise, MissingNeighbours::Zero] {
        let spec = TransformSpec {
            missing,
            ..TransformSpec::default()
        };
        let transform = WaveletTransform::new(&hierarchy, &inside, Some(&areas), &spec)?;
        let rows: Vec<u32> = (0..transform.domain().rows() as u32).collect();
        for &row in &rows {
            selective.select(&transform, &[row, row]);
            assert_eq!(selective.selected(), [0, 0]);
            let values = selective.values();
            assert!(values <= 1 + 2 + 3 + 3, "row {row}: {values} values");
        }
        selective.select(&transform, &rows);
        assert_eq!(selective.values(), rows.len());
    }
    Ok(())
}

/// Butterflies reproduce polynomials of degree three on a regular mesh, linear ones of degree one.
#[test]
fn predictors_reproduce_polynomials_on_a_regular_mesh() -> Result<(), CompressionError> {
    // a torus of 8 x 8 vertices; polynomials are checked away from the jump of its coordinates
    let n = 8_u32;
    let hierarchy = SubdivisionHierarchy::subdivided((n * n) as usize, &torus(n), 1)?;
    let base: Vec<Vec3> = (0..n * n)
        .map(|v| Vec3::new(f64::from(v / n), f64::from(v % n), 0.0))
        .collect();
    let x = hierarchy.midpoint_positions(&base);
    let inside = vec![true; x.len()];
    for (basis, degree) in [
        (WaveletBasis::Linear, 1),
        (WaveletBasis::Butterfly, 3),
        (WaveletBasis::ModifiedButterfly, 3),
    ] {
        let spec = TransformSpec {
            basis,
            lifted: false,
            ..TransformSpec::default()
        };
        let transform = WaveletTransform::new(&hierarchy, &inside, None, &spec)?;
        for (p, q) in (0..=degree).flat_map(|p| (0..=degree - p).map(move |q| (p, q))) {
            let mut data: Vec<f64> = x.iter().map(|x| x.x.powi(p) * x.y.powi(q)).collect();
            transform.forward(&mut data, 1);
            let mut seen = 0;
            for (v, x) in x.iter().enumerate().skip((n * n) as usize) {
                let [a, b] = hierarchy.parents(1)[v - (n * n) as usize];
                let wraps = (base[a as usize] - base[b as usize]).norm() > 2.0;
                if !wraps && (2.0..=5.0).contains(&x.x) && (2.0..=5.0).contains(&x.y) {
                    assert!(data[v].abs() < 1e-10, "{basis:?} {p} {q}: {}", data[v]);
                    seen += 1;
                }
            }
            assert!(seen > 20);
        }
    }
    Ok(())
}

#[test]
fn hats_interpolate_and_sum_to_one() -> Result<(), CompressionError> {
    let (hierarchy, areas, inside) = sphere()?;
    let spec = TransformSpec::HATS;
    let transform = WaveletTransform::new(&hierarchy, &inside, Some(&areas), &spec)?;
    let domain = transform.domain();
    for level in 0..=domain.finest() {
        let mut sum = vec![0.0; domain.rows()];
        let mut areas_of_level = 0.0;
        for (row, hat) in transform.hats(level).into_iter().enumerate() {
            // without lifting, a coefficient alone makes the hat of the level that adds its row
            let mut missed = vec![0.0; domain.rows()];
            if domain.level_rows(level).contains(&row) {
                missed[row] = 1.0;
                transform.inverse(&mut missed, 1);
                hat.iter()
                    .for_each(|(r, value)| missed[*r as usize] -= value);
            }
            assert!(missed.iter().all(|x| x.abs() < 1e-12), "{level} {row}");
            for (r, value) in hat {
                sum[r as usize] += value;
                areas_of_level += value * areas[domain.vertices()[r as usize] as usize];
                let expected = if r as usize == row { 1.0 } else { 0.0 };
                assert!(r as usize >= domain.rows_to(level) || value == expected);
            }
        }
        // a row that no coarser one predicts is in no hat
        let in_no_hat = sum.iter().filter(|s| **s == 0.0).count();
        assert!(in_no_hat * 20 < sum.len());
        assert!(sum.iter().all(|s| *s == 0.0 || (s - 1.0).abs() < 1e-12));
        let covered: f64 = sum
            .iter()
            .zip(domain.vertices())
            .map(|(s, &v)| s * areas[v as usize])
            .sum();
        assert!((areas_of_level - covered).abs() < 1e-12 * covered);
    }
    Ok(())
}

#[test]
fn bad_domains_are_refused() -> Result<(), CompressionError> {
    let (hierarchy, areas, inside) = sphere()?;
    let spec = TransformSpec::default();
    let none = vec![false; inside.len()];
    assert_eq!(
        WaveletTransform::new(&hierarchy, &none, None, &spec).err(),
        Some(CompressionError::EmptyDomain)
    );
    assert!(matches!(
        WaveletTransform::new(&hierarchy, &inside[1..], None, &spec),
        Err(CompressionError::WrongLength { .. })
    ));
    assert!(matches!(
        WaveletTransform::new(&hierarchy, &inside, Some(&areas[1..]), &spec),
        Err(CompressionError::WrongLength { .. })
    ));
    // a domain of one vertex, and a hierarchy without a level
    let mut one = none;
    one[17] = true;
    let transform = WaveletTransform::new(&hierarchy, &one, None, &spec)?;
    let mut data = [3.0];
    transform.forward(&mut data, 1);
    assert_eq!(data, [3.0]);
    let (flat, _) = octahedron(0)?;
    let transform = WaveletTransform::new(&flat, &[true; 6], None, &spec)?;
    let mut data = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    transform.forward(&mut data, 1);
    assert_eq!(data, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    Ok(())
}
