//! The content key of a lattice.

use pliant_core::asset::{AssetKey, BodyGeometry, KeyHasher};
use pliant_core::material::Damping;

use crate::bake::masses::Masses;
use crate::bake::stiffness_weights::calibrate_stiffest;
use crate::params::{LatticeParams, ShapeMatching};

/// Version of the baker; part of every key.
pub(crate) const VERSION: u32 = 7;

/// Whether the stiffness of regions is fitted to the material. Bodies with one of the paper's choices (a modulus that follows from `alpha` and `steps`, equal masses or mass weights, regions that
/// count once, a body that is matched as a whole) are not fitted.
pub(crate) fn is_fitted(params: &LatticeParams) -> bool {
    let given = params.alpha.is_some() && params.steps.is_some();
    let by_volume = params.masses == Masses::Volume;
    let by_regions = params.matching == ShapeMatching::Lattice && !params.regions_once;
    params.fit && !given && by_volume && by_regions
}

/// The content key of what [`crate::bake()`] would make.
pub fn key(geometry: &BodyGeometry, params: &LatticeParams) -> AssetKey {
    let mut hasher = KeyHasher::new("lattice", VERSION);
    if let Some(grid) = &geometry.voxels {
        let calibration = calibrate_stiffest(&geometry.material, grid.cell, params);
        let half_width = calibration.map_or(0, |c| c.half_width);
        hasher.indices("half_width", [half_width as u32]);
        hasher.numbers(
            "grid",
            &[grid.origin.x, grid.origin.y, grid.origin.z, grid.cell],
        );
        hasher.indices("dims", grid.dims.map(|n| n as u32));
        hasher.indices("kept", grid.kept.iter().map(|&k| u32::from(k)));
        let copies = grid.copies.iter();
        hasher.indices(
            "copies",
            copies.flat_map(|c| {
                let corners = c.corners.into_iter().map(u32::from);
                [c.cell, u32::from(c.copy)].into_iter().chain(corners)
            }),
        );
        let shares = grid.shares.iter();
        hasher.indices(
            "shares",
            shares.clone().flat_map(|s| [s.cell, u32::from(s.copy)]),
        );
        let corners: Vec<f64> = shares.flat_map(|s| s.corners).collect();
        hasher.numbers("shares of corners", &corners);
        let skin = grid.skin.iter();
        hasher.indices("skin cells", skin.flat_map(|s| [s.cell, u32::from(s.copy)]));
    }
    if let Some(mesh) = geometry.levels.last().filter(|_| is_fitted(params)) {
        hasher.positions("fitted to", &mesh.nodes);
        hasher.indices("tetrahedra", mesh.tets.iter().flatten().copied());
    }
    match &params.masses {
        Masses::Volume => {}
        Masses::Unit => hasher.bytes("masses", b"unit"),
        Masses::Attribute(weights) => hasher.numbers("mass weights", weights),
    }
    if params.regions_once {
        hasher.bytes("multiplicity", b"unique");
    }
    if let Some(factors) = &params.stiffness {
        hasher.numbers("stiffness", factors);
    }
    hasher.positions("skin", &geometry.skin.positions);
    hasher.indices(
        "triangles",
        geometry.skin.triangles.iter().flatten().copied(),
    );
    for group in &geometry.skin.groups {
        hasher.bytes("group", group.name.as_bytes());
        hasher.indices("group vertices", group.vertices.iter().copied());
    }
    let m = &geometry.material;
    hasher.numbers("material", &[m.elastic.young, m.elastic.poisson, m.density]);
    match m.damping {
        Damping::Ratio(zeta) => hasher.numbers("damping ratio", &[zeta]),
        Damping::Parameters(d) => hasher.numbers("damping parameters", &[d.phi, d.psi]),
    }
    hasher.bytes("law", m.law.name().as_bytes());
    for support in &geometry.supports {
        hasher.bytes("support", support.name.as_bytes());
        hasher.bytes("selection", format!("{:?}", support.selection).as_bytes());
        hasher.indices("support vertices", support.skin_vertices.iter().copied());
    }
    hasher.finish()
}
