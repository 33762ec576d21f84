//! A lattice as bytes: little-endian arrays, each with its length, behind a magic word and a version.
//!
//! Every index is checked before it is used, so that any bytes give a working lattice or an error.

mod reader;
mod writer;

use std::sync::Arc;

use pliant_core::asset::bytes::ByteReader;

use crate::asset::changed::Changed;
use crate::asset::lattice_asset::LatticeAsset;
use crate::asset::sites::neighbour;
use crate::asset::sum_plan::SumPlan;
use crate::error::AssetFormatError;
use reader::{Read, Reader};
use writer::{Writer, write_changed, write_embedding, write_lists, write_material, write_skin};

const MAGIC: &[u8; 8] = b"PLNTLATT";
const VERSION: u32 = 3;

impl LatticeAsset {
    /// The whole lattice as bytes; [`LatticeAsset::from_bytes`] gives the same bits back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::new(MAGIC.to_vec());
        w.u32(VERSION);
        write_skin(&mut w, &self.skin);
        write_material(&mut w, &self.material);
        w.list(&[self.cell, self.lowest_eigenvalue, self.volume_ratio]);
        w.value(&self.center);
        w.list(&[self.half_width as u32]);
        w.list(&self.dims.map(|n| n as u32));
        w.items(self.sites.as_flattened(), |w, &s| w.u32(s.into()));
        w.list(&self.links);
        w.list(self.forks.as_flattened());
        w.list(&self.rest);
        w.list(&self.mass);
        w.list(&self.share);
        w.list(&self.region_of);
        w.list(&self.region_size);
        w.list(&self.multiplicity);
        w.items(&self.is_box, |w, &b| w.u32(b.into()));
        w.list(&self.region_mass);
        w.list(&self.region_center);
        w.list(self.plan.bars.as_flattened());
        write_lists(&mut w, &self.plan.plates);
        write_lists(&mut w, &self.plan.cubes);
        write_changed(&mut w, &self.plan.changed);
        write_embedding(&mut w, &self.embedding);
        w.length(self.held.len());
        for (name, held) in self.support_names.iter().zip(&self.held) {
            w.text(name);
            w.list(held);
        }
        w.list(&self.component);
        w.list(&[self.stiffest]);
        w.list(&self.stiffness_weights);
        w.list(&self.pull);
        // no factor is zero
        w.list(&self.fitted.unwrap_or([0.0; 2]));
        w.into_bytes()
    }

    /// Reads what [`LatticeAsset::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`AssetFormatError`] for anything else: wrong magic or version, too short, too long, indices or numbers out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AssetFormatError> {
        let mut r = Reader(ByteReader::new(bytes));
        let magic = r.0.take(MAGIC.len())? == MAGIC;
        r.need(magic)?;
        let version = r.0.u32()?;
        r.need(version == VERSION)?;
        let asset = read(&mut r)?;
        r.0.finish()?;
        Ok(asset)
    }
}

fn read(r: &mut Reader<'_>) -> Read<LatticeAsset> {
    let skin = Arc::new(r.skin()?);
    let material = r.material()?;
    let scalars = r.numbers(3)?;
    r.need(scalars[0] > 0.0 && scalars[1] >= 0.0)?;
    let center = r.vector()?;
    let half_width = r.indices(17)?;
    r.need(half_width.len() == 1 && half_width[0] > 0)?;
    let dims = r.indices(1 << 16)?;
    r.need(dims.len() == 3 && dims.iter().map(|&n| u64::from(n)).product::<u64>() <= 1 << 27)?;
    let dims = [dims[0] as usize, dims[1] as usize, dims[2] as usize];
    let sites = r.rows::<3>(1 << 16)?;
    r.need(sites.len() >= 8)?;
    let sites: Vec<[u16; 3]> = sites.iter().map(|site| site.map(|s| s as u16)).collect();
    r.need(
        sites
            .iter()
            .all(|s| (0..3).all(|k| usize::from(s[k]) < dims[k])),
    )?;
    r.need(sites.is_sorted_by_key(|s| [s[2], s[1], s[0]]))?;
    let count = sites.len();
    let links = r.indices(1 << 27)?;
    let forks = read_forks(r, &sites)?;
    let rest = r.vectors()?;
    r.need(links.len() == count && rest.len() == count)?;
    let (mass, share) = (r.masses(count)?, r.masses(count)?);
    let region_of = r.indices(count)?;
    let region_size = r.indices(count + 1)?;
    let regions = region_size.len();
    // numbered by first particle
    let mut seen = 0;
    for &region in &region_of {
        r.need(region <= seen)?;
        seen += u32::from(region == seen);
    }
    r.need(region_of.len() == count && seen as usize == regions)?;
    r.need(region_size.iter().all(|&n| n > 0))?;
    let multiplicity = r.indices(count + 1)?;
    let is_box = r.indices(2)?;
    r.need(multiplicity.len() == regions && is_box.len() == regions)?;
    let region_mass = r.masses(regions)?;
    let region_center = r.vectors()?;
    r.need(region_center.len() == regions)?;
    let plan = read_plan(r, count)?;
    r.need(plan.cubes.len() == regions)?;
    let embedding = r.embedding(skin.vertex_count(), count)?;
    let (mut support_names, mut held) = (Vec::new(), Vec::new());
    for _ in 0..r.0.count(8)? {
        support_names.push(r.0.text()?);
        held.push(r.indices(count)?);
    }
    let component = r.indices(count)?;
    r.need(component.len() == count)?;
    let stiffest = r.masses(1)?[0];
    let (stiffness_weights, pull) = (r.shares(regions)?, r.shares(count)?);
    r.need(stiffness_weights.is_empty() == pull.is_empty())?;
    let fitted = r.numbers(2)?;
    let fitted = (fitted[1] > 0.0).then(|| [fitted[0], fitted[1]]);
    Ok(LatticeAsset {
        prepared: Default::default(),
        skin,
        material,
        cell: scalars[0],
        lowest_eigenvalue: scalars[1],
        volume_ratio: scalars[2],
        half_width: half_width[0] as usize,
        dims,
        sites,
        links,
        forks,
        center,
        rest,
        mass,
        share,
        region_of,
        region_size,
        multiplicity,
        is_box: is_box.iter().map(|&b| b == 1).collect(),
        region_mass,
        region_center,
        plan,
        embedding,
        support_names,
        held,
        component,
        stiffest,
        fitted,
        stiffness_weights,
        pull,
    })
}

fn read_forks(r: &mut Reader<'_>, sites: &[[u16; 3]]) -> Read<Vec<[u32; 3]>> {
    let forks: Vec<[u32; 3]> = r.rows(sites.len().max(27))?;
    let is_valid = |f: &[u32; 3]| {
        let ends = (sites.get(f[0] as usize), sites.get(f[2] as usize));
        let neighbour_of = |from: &[u16; 3]| neighbour(from, f[1] as usize);
        f[1] < 27
            && matches!(ends, (Some(from), Some(to)) if neighbour_of(from) == to.map(i64::from))
    };
    r.need(forks.iter().all(is_valid) && forks.is_sorted())?;
    Ok(forks)
}

fn read_changed(r: &mut Reader<'_>, regions: usize, particles: usize) -> Read<Changed> {
    let mut changed = Changed::default();
    for _ in 0..r.0.count(8)? {
        let region = r.0.u32()?;
        r.need((region as usize) < regions && changed.runs(region as usize).is_none())?;
        let runs = read_runs(r, particles)?;
        r.need(!runs.is_empty())?;
        changed.set(region as usize, regions, runs);
    }
    Ok(changed)
}

/// First particle and number of particles of each run.
fn read_runs(r: &mut Reader<'_>, particles: usize) -> Read<Vec<[u32; 2]>> {
    let runs: Vec<[u32; 2]> = r.rows(particles + 1)?;
    let inside = |b: &[u32; 2]| b[1] > 0 && b[0] as usize + b[1] as usize <= particles;
    r.need(runs.iter().all(inside))?;
    Ok(runs)
}

fn read_plan(r: &mut Reader<'_>, particles: usize) -> Read<SumPlan> {
    let bars = read_runs(r, particles)?;
    let plates = r.lists(bars.len())?;
    let cubes = r.lists(plates.len())?;
    let changed = read_changed(r, cubes.len(), particles)?;
    Ok(SumPlan {
        bars,
        plates,
        cubes,
        changed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LatticeParams;
    use crate::testing::bodies::{asset_of, baked, ball, body_of, shapes};

    #[test]
    fn bytes_give_the_same_lattice_back() {
        for (_, grid) in shapes() {
            let asset = asset_of(&grid, 2);
            assert_eq!(LatticeAsset::from_bytes(&asset.to_bytes()), Ok(asset));
        }
        let asset = baked(&body_of(ball(4.0, 0.0), 0.3), &LatticeParams::default());
        assert_eq!(LatticeAsset::from_bytes(&asset.to_bytes()), Ok(asset));
    }

    #[test]
    fn damaged_bytes_give_an_error_or_a_lattice_but_never_a_panic() {
        let asset = baked(&body_of(ball(2.0, 0.0), 0.3), &LatticeParams::default());
        let bytes = asset.to_bytes();
        for cut in (0..bytes.len()).step_by(97) {
            assert!(LatticeAsset::from_bytes(&bytes[..cut]).is_err());
        }
        for at in (0..bytes.len()).step_by(41) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x91;
            if let Ok(read) = LatticeAsset::from_bytes(&damaged)
                && let Ok(mut model) =
                    crate::LatticeModel::new(Arc::new(read), &LatticeParams::default())
            {
                crate::testing::bodies::run(&mut model, 1, &Default::default());
            }
        }
        let mut long = bytes;
        long.push(0);
        assert!(LatticeAsset::from_bytes(&long).is_err());
    }
}
