//! Laws of reconstruction by region.

use super::*;
use crate::transform::Region;

const FINEST: usize = 3;

/// A sum of some columns and the values of a region of it.
fn reconstructed<T: Number>(
    matrix: &WaveletMatrix<T>,
    factors: &[(u32, Vec3)],
    region: &Region,
) -> CoefficientField<T> {
    let mut field = CoefficientField::default();
    field.clear(matrix.rows());
    matrix.add_columns_in(region, factors, &mut field);
    matrix.reconstruct_in(region, &mut field);
    field
}

/// The whole sum, and its values at a level.
fn whole<T: Number>(
    matrix: &WaveletMatrix<T>,
    factors: &[(u32, Vec3)],
    level: usize,
) -> CoefficientField<T> {
    let mut field = CoefficientField::default();
    field.clear(matrix.rows());
    matrix.add_columns(factors, FINEST, &mut field);
    matrix.reconstruct(level, &mut field);
    field
}

impl Body {
    /// The rows on one side of a plane.
    fn beyond(&self, x: f64) -> Vec<bool> {
        self.positions
            .iter()
            .map(|position| position.x > x)
            .collect()
    }
}

fn bases() -> [TransformSpec; 4] {
    let of = |basis, lifted| TransformSpec {
        basis,
        lifted,
        ..TransformSpec::default()
    };
    [
        of(WaveletBasis::Linear, true),
        of(WaveletBasis::Linear, false),
        of(WaveletBasis::Butterfly, true),
        of(WaveletBasis::ModifiedButterfly, true),
    ]
}

fn all_rows_have_the_bits_of_the_whole<T: Number>() -> Result<(), CompressionError> {
    for spec in bases() {
        let body = body(&spec)?;
        let (matrix, _) = body.compress::<T>(0.02)?;
        let all = vec![true; matrix.rows()];
        let wanted = whole(&matrix, &body.factors(), FINEST);
        for coarsest in 0..=FINEST {
            let region = body.transform.region(&all, coarsest)?;
            let field = reconstructed(&matrix, &body.factors(), &region);
            for row in 0..matrix.rows() {
                assert_eq!(region.level_of(row), Some(FINEST));
                assert_eq!(field.coefficient(row), wanted.coefficient(row));
                assert_eq!(field.value(row), wanted.value(row), "{spec:?} {row}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_region_of_all_rows_is_the_whole_reconstruction_to_the_bit() -> Result<(), CompressionError> {
    all_rows_have_the_bits_of_the_whole::<f32>()?;
    all_rows_have_the_bits_of_the_whole::<f64>()
}

#[test]
fn each_row_has_the_value_of_the_level_that_the_region_says() -> Result<(), CompressionError> {
    for spec in bases() {
        let body = body(&spec)?;
        let (matrix, _) = body.compress::<f32>(0.02)?;
        let levels: Vec<_> = (0..=FINEST)
            .map(|level| whole(&matrix, &body.factors(), level))
            .collect();
        let wanted = body.beyond(0.3);
        for coarsest in 0..FINEST {
            let region = body.transform.region(&wanted, coarsest)?;
            let field = reconstructed(&matrix, &body.factors(), &region);
            let (mut coarse, mut none) = (0, 0);
            for (row, wanted) in wanted.iter().enumerate() {
                let level = region.level_of(row);
                if *wanted {
                    assert_eq!(level, Some(FINEST));
                }
                coarse += usize::from(level == Some(coarsest));
                match level {
                    Some(level) => {
                        let exact = levels[level].value(row);
                        assert_eq!(field.value(row), exact, "{spec:?} {row} {level}");
                    }
                    None => {
                        none += 1;
                        assert!(row >= body.transform.domain().rows_to(coarsest));
                        assert_eq!(field.value(row), Vec3::zeros());
                    }
                }
                if !region.reads(row) {
                    assert_eq!(field.coefficient(row), Vec3::zeros());
                }
            }
            // butterflies are as wide as this body on its coarse levels
            let is_wide = coarsest == 0 || spec.basis != WaveletBasis::Linear;
            assert!(none > 0 && (coarse > 0 || is_wide), "{coarse} {none}");
        }
    }
    Ok(())
}

#[test]
fn outside_of_a_region_there_is_the_surface_of_the_coarse_level() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (matrix, _) = body.compress::<f32>(0.02)?;
    let nothing = vec![false; matrix.rows()];
    for coarsest in 0..=FINEST {
        let region = body.transform.region(&nothing, coarsest)?;
        let mut field = reconstructed(&matrix, &body.factors(), &region);
        matrix.interpolate_outside(&region, &mut field);
        let mut coarse = CoefficientField::default();
        coarse.clear(matrix.rows());
        matrix.add_columns(&body.factors(), coarsest, &mut coarse);
        matrix.reconstruct(FINEST, &mut coarse);
        for row in 0..matrix.rows() {
            assert_eq!(field.value(row), coarse.value(row), "{coarsest} {row}");
        }
    }
    // beside a region the surface goes on: no row is left where it was
    let region = body.transform.region(&body.beyond(0.3), 1)?;
    let mut field = reconstructed(&matrix, &body.factors(), &region);
    let before = field.clone();
    matrix.interpolate_outside(&region, &mut field);
    for row in 0..matrix.rows() {
        match region.level_of(row) {
            Some(_) => assert_eq!(field.value(row), before.value(row)),
            None => assert!(field.value(row).norm() > 0.0),
        }
    }
    Ok(())
}

#[test]
fn smaller_regions_cost_less() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (matrix, _) = body.compress::<f32>(0.02)?;
    let read = |region: &Region| -> usize {
        let columns = (0..matrix.columns()).flat_map(|column| matrix.column(column).0);
        columns.filter(|row| region.reads(**row as usize)).count()
    };
    let region = |x: f64| body.transform.region(&body.beyond(x), 1);
    let all = region(-2.0)?;
    assert_eq!(read(&all), matrix.kept_blocks());
    let mut last = (all.operations(), read(&all));
    for x in [0.0, 0.5, 0.9] {
        let region = region(x)?;
        let now = (region.operations(), read(&region));
        assert!(now.0 < last.0 && now.1 < last.1, "{x}: {now:?} {last:?}");
        last = now;
    }
    let none = region(2.0)?;
    assert!(2 * last.0 < all.operations() && none.operations() < last.0);
    let base: usize = matrix.kept_of_level()[..=1].iter().sum();
    assert_eq!(read(&none), base);
    Ok(())
}

#[test]
fn a_region_needs_a_choice_for_each_row() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let refused = body.transform.region(&[true], 0);
    assert!(matches!(
        refused,
        Err(CompressionError::WrongLength { found: 1, .. })
    ));
    Ok(())
}
