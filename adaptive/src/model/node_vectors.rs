//! Vectors of some nodes as numbers at the end of a snapshot: four numbers for each, then their count.

use pliant_core::math::Vec3;

/// Writes nodes with their vectors.
pub(crate) fn save(all: impl Iterator<Item = (u32, Vec3)>, values: &mut Vec<f64>) {
    let before = values.len();
    values.extend(all.flat_map(|(node, v)| [f64::from(node), v.x, v.y, v.z]));
    values.push(((values.len() - before) / 4) as f64);
}

/// Nodes with their vectors at the end of these numbers, and the remaining numbers; `None` where these are not valid.
pub(crate) fn restored(values: &[f64]) -> Option<(impl Iterator<Item = (u32, Vec3)> + '_, &[f64])> {
    let (count, rest) = values.split_last()?;
    let at = rest.len().checked_sub((*count as usize).checked_mul(4)?)?;
    let (rest, numbers) = rest.split_at(at);
    let is_sound = (*count as usize) as f64 == *count && numbers.iter().all(|n| n.is_finite());
    let vectors = numbers.chunks_exact(4);
    is_sound.then(|| {
        let vectors = vectors.map(|n| (n[0] as u32, Vec3::new(n[1], n[2], n[3])));
        (vectors, rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_comes_back_and_damage_is_noticed() {
        let all = [(3, Vec3::new(1.0, 2.0, 3.0)), (7, Vec3::y())];
        let mut values = vec![0.5];
        save(all.into_iter(), &mut values);
        let (vectors, rest) = restored(&values).expect("saved");
        assert!(vectors.eq(all));
        assert_eq!(rest, [0.5]);
        let last = values.len() - 1;
        for (at, wrong) in [
            (last, 3.0),
            (last, 1.5),
            (last, f64::NAN),
            (2, f64::INFINITY),
        ] {
            let mut bad = values.clone();
            bad[at] = wrong;
            assert!(restored(&bad).is_none(), "{at} {wrong}");
        }
        assert!(restored(&[]).is_none());
    }
}
