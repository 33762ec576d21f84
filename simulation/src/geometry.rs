//! From a skin to what each method bakes from: levels of tetrahedra, the mesh of the Green's functions, voxels.

use std::sync::Arc;

use pliant_adaptive::study_mesh::box_with_about;
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_cells, box_tets};
use pliant_core::mesh::{TetMesh, VoxelGrid};
use pliant_core::scene::{BoundaryChoice, GreensElements, GreensGenerator, MeshSource, Method};
use pliant_meshing::error::MeshingError;
use pliant_meshing::lod::{Level, boundary_level, build_given, build_levels};
use pliant_meshing::report::require_fit;
use pliant_meshing::stuffing::Stuffing;
use pliant_meshing::tetrahedralise::TetTarget;
use pliant_meshing::voxelise::{CellSize, Fill, VoxelOptions, VoxelWarning, voxelise_with};

use crate::error::BuildError;
use crate::memory::{available, refuse_too_large};
use crate::setup::Setup;

/// Rises when a mesher changes its results, so that assets in a cache are baked anew.
pub const MESHING_VERSION: u32 = 5;

/// Node targets of bodies for which the scene gives none.
const DEFAULT_NODES: [usize; 4] = [60, 300, 800, 3000];
/// Tetrahedra of a file with more nodes than this are not simulated as they are unless the scene asks for as many.
const LARGEST_GIVEN: usize = 12_000;
/// Boundary nodes of the Green's function mesh where the scene leaves the choice.
const BOUNDARY_NODES: usize = 1500;
/// Largest skin that is its own boundary mesh where the scene leaves the choice.
const LARGEST_OWN_BOUNDARY: usize = 2500;
/// The same two with quadratic tetrahedra, which have about eight times the unknowns: a bake then takes no more than twice as long as with linear ones, and 1,500
/// nodes change the force of the scene `poke` by half a percent.
const QUADRATIC_NODES: (usize, usize) = (1000, 1300);
/// The same two with constant elements, which have two nodes for each boundary vertex.
const CONSTANT_NODES: (usize, usize) = (600, 800);
/// Cells along the longest side where the scene gives no cell.
const DEFAULT_CELLS: usize = 24;

/// Nodes of the tetrahedra that a lattice is fitted to.
const FITTING_NODES: usize = 2000;

/// The skin's geometry with what `method` needs added; sentences for the user go to `notes`.
///
/// # Errors
/// [`BuildError::Meshing`] names the method and the body.
pub fn geometry_for(
    setup: &Setup,
    method: Method,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<BodyGeometry, BuildError> {
    let mut geometry = setup.geometry.clone();
    let wrap = |source: MeshingError| match source {
        MeshingError::Cancelled => BuildError::Cancelled,
        source => BuildError::Meshing {
            method,
            body: setup.description.body.name.clone(),
            source,
        },
    };
    match method {
        Method::Adaptive => geometry.levels = levels(setup, notes, progress).map_err(wrap)?,
        Method::Quasistatic => {
            geometry.greens_level = Some(Arc::new(
                greens_level(setup, notes, progress).map_err(wrap)?,
            ));
        }
        Method::Lattice => {
            geometry.voxels = Some(Arc::new(voxels(setup, notes, progress).map_err(wrap)?));
            let level = fitting_level(setup, progress).map_err(wrap)?;
            geometry.levels = level.into_iter().collect();
        }
    }
    Ok(geometry)
}

/// Everything of the scene that decides over [`geometry_for`], as text for a content key.
pub fn geometry_recipe(setup: &Setup, method: Method) -> String {
    let body = &setup.description.body;
    let what = match method {
        Method::Adaptive => {
            let given = given_tets(setup).map_or(0, content_of);
            format!("{:?} {given:032x}", level_targets(setup))
        }
        Method::Quasistatic => {
            let (nodes, _) = boundary_limits(setup);
            format!("{:?} {nodes}", body.quasistatic.boundary)
        }
        Method::Lattice => format!(
            "fitted to {FITTING_NODES} {:?} {:?} {}{}",
            body.lattice.cell,
            body.lattice.cells_longest,
            body.lattice.shell,
            if body.lattice.split_cells {
                ""
            } else {
                " fused"
            }
        ),
    };
    format!(
        "{MESHING_VERSION} {} {:?} {what}",
        method.name(),
        setup.box_size
    )
}

/// The levels that the scene asks for, or the default ones.
fn level_targets(setup: &Setup) -> Vec<TetTarget> {
    let wanted = &setup.description.body.adaptive;
    if !wanted.target_edges.is_empty() {
        wanted
            .target_edges
            .iter()
            .copied()
            .map(TetTarget::Edge)
            .collect()
    } else if !wanted.nodes.is_empty() {
        wanted.nodes.iter().copied().map(TetTarget::Nodes).collect()
    } else {
        DEFAULT_NODES.map(TetTarget::Nodes).to_vec()
    }
}

/// Leaves the coarsest `count` levels that the scene asks for; `None` where there are no more.
pub(crate) fn coarsest_levels(setup: &mut Setup, count: usize) -> Option<()> {
    if given_tets(setup).is_some() {
        return None;
    }
    let targets = level_targets(setup);
    let wanted = &mut setup.description.body.adaptive;
    (targets.len() > count).then(|| {
        (wanted.target_edges, wanted.nodes) = (Vec::new(), Vec::new());
        for target in &targets[..count] {
            match *target {
                TetTarget::Edge(edge) => wanted.target_edges.push(edge),
                TetTarget::Nodes(nodes) => wanted.nodes.push(nodes),
            }
        }
    })
}

/// The tetrahedra of the file, where they are the finest level: the scene leaves the choice, and they are no more than run in real time.
fn given_tets(setup: &Setup) -> Option<&Arc<TetMesh>> {
    let wanted = &setup.description.body.adaptive;
    let is_free = wanted.target_edges.is_empty() && wanted.nodes.is_empty();
    let tets = setup.tets.as_ref().filter(|_| is_free);
    tets.filter(|tets| tets.nodes.len() <= LARGEST_GIVEN)
}

/// A sum over all nodes and tetrahedra, bit by bit.
fn content_of(mesh: &Arc<TetMesh>) -> u128 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for x in mesh.nodes.iter().flat_map(|p| p.iter()) {
        hasher.update(&x.to_bits().to_le_bytes());
    }
    for v in mesh.tets.iter().flatten() {
        hasher.update(&v.to_le_bytes());
    }
    hasher.digest128()
}

fn levels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<Vec<Arc<TetMesh>>, MeshingError> {
    let targets = level_targets(setup);
    if let Some(size) = setup.box_size {
        let mut meshes: Vec<Arc<TetMesh>> = Vec::new();
        for target in targets {
            progress.check()?;
            let mesh = match target {
                TetTarget::Edge(edge) => box_tets(size, box_cells(size, edge), CellStyle::Kuhn),
                TetTarget::Nodes(nodes) => box_with_about(size, nodes),
            };
            if meshes
                .last()
                .is_none_or(|m| mesh.nodes.len() > m.nodes.len())
            {
                meshes.push(Arc::new(mesh));
            }
        }
        return Ok(meshes);
    }
    let built = match given_tets(setup) {
        Some(given) => {
            notes.push(format!(
                "the {} tetrahedra of the file are the finest level as they are",
                given.tets.len()
            ));
            build_given(given, &setup.geometry.skin, &targets, &Stuffing, progress)?.levels
        }
        None => {
            if let Some(tets) = &setup.tets {
                notes.push(format!(
                    "the levels are made anew from the boundary of the file's {} nodes: the scene asks for others, or they are more than {LARGEST_GIVEN}",
                    tets.nodes.len()
                ));
            }
            build_levels(&setup.geometry.skin, &targets, &Stuffing, progress)?
        }
    };
    if is_imported(setup) {
        require_fit(&setup.geometry.skin, &built)?;
    }
    for (index, level) in built.iter().enumerate() {
        note_fit(level, &format!("level {index}"), notes);
    }
    Ok(built
        .into_iter()
        .map(|level| Arc::new(level.mesh))
        .collect())
}

fn greens_level(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<TetMesh, MeshingError> {
    let choice = setup.description.body.quasistatic.boundary;
    let (most_nodes, own_limit) = boundary_limits(setup);
    let skin = &setup.geometry.skin;
    if let Some(size) = setup.box_size {
        let own = match choice {
            BoundaryChoice::Skin => true,
            BoundaryChoice::Auto => skin.vertex_count() <= own_limit,
            BoundaryChoice::Nodes(_) => false,
        };
        let cells = if own {
            own_cells(setup, size)
        } else {
            let most = match choice {
                BoundaryChoice::Nodes(n) => n,
                _ => most_nodes,
            };
            cells_with_boundary(size, most)
        };
        return Ok(box_tets(size, cells, CellStyle::Kuhn));
    }
    let nodes = match choice {
        BoundaryChoice::Nodes(n) => n,
        BoundaryChoice::Skin => {
            notes.push("boundary = \"skin\" needs a mesh that ends exactly there; the skin is embedded in a level instead".into());
            skin.vertex_count().min(own_limit)
        }
        BoundaryChoice::Auto => most_nodes,
    };
    let level = boundary_level(skin, nodes, &Stuffing, progress)?;
    if is_imported(setup) {
        require_fit(skin, std::slice::from_ref(&level))?;
    }
    note_fit(&level, "Green's function mesh", notes);
    Ok(level.mesh)
}

/// Boundary nodes and largest own boundary where the scene leaves the choice.
fn boundary_limits(setup: &Setup) -> (usize, usize) {
    let wanted = &setup.description.body.quasistatic;
    match wanted.generator {
        GreensGenerator::BemConstant => CONSTANT_NODES,
        GreensGenerator::Fem if wanted.elements == GreensElements::Quadratic => QUADRATIC_NODES,
        _ => (BOUNDARY_NODES, LARGEST_OWN_BOUNDARY),
    }
}

/// Whether nobody has looked at the body at these resolutions before.
fn is_imported(setup: &Setup) -> bool {
    matches!(setup.description.body.mesh, MeshSource::File { .. })
}

/// Cells of the structured box whose surface is the skin.
fn own_cells(setup: &Setup, size: Vec3) -> [usize; 3] {
    let distinct = |axis: usize| {
        let skin = &setup.geometry.skin;
        let mut values: Vec<f64> = skin.positions.iter().map(|x| x[axis]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|a, b| (*a - *b).abs() < 1e-9 * size[axis]);
        values.len().saturating_sub(1).max(1)
    };
    [distinct(0), distinct(1), distinct(2)]
}

/// The finest nearly cubic cells whose boundary has at most `most` nodes (never fewer than two cells an axis).
fn cells_with_boundary(size: Vec3, most: usize) -> [usize; 3] {
    let count = |c: [usize; 3]| {
        let all = (c[0] + 1) * (c[1] + 1) * (c[2] + 1);
        all - (c[0].max(1) - 1) * (c[1].max(1) - 1) * (c[2].max(1) - 1)
    };
    let mut best = box_cells(size, size.max() / 2.0).map(|n| n.max(2));
    for n in 3..200 {
        let cells = box_cells(size, size.max() / n as f64).map(|n| n.max(2));
        if count(cells) > most {
            break;
        }
        best = cells;
    }
    best
}

fn voxels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<VoxelGrid, MeshingError> {
    let wanted = &setup.description.body.lattice;
    let size = match (wanted.cell, wanted.cells_longest) {
        (Some(cell), _) => CellSize::Edge(cell),
        (None, Some(n)) => CellSize::Longest(n),
        (None, None) => CellSize::Longest(DEFAULT_CELLS),
    };
    let fill = if wanted.shell {
        Fill::Shell
    } else {
        Fill::Solid
    };
    let options = VoxelOptions {
        fill,
        split_cells: wanted.split_cells,
        ..VoxelOptions::new(size)
    };
    let voxels = voxelise_with(&setup.geometry.skin, &options, progress)?;
    refuse_too_large(&voxels.grid, wanted.shell, available())?;
    // the lattice tells itself how fat it is
    let told = voxels.warnings.iter();
    notes.extend(
        told.filter(|w| !matches!(w, VoxelWarning::TooFat { .. }))
            .map(ToString::to_string),
    );
    Ok(voxels.grid)
}

/// The tetrahedra that a lattice is fitted to; none for a body that nothing holds, which cannot be fitted, and where meshing fails.
fn fitting_level(setup: &Setup, progress: &Progress) -> Result<Option<Arc<TetMesh>>, MeshingError> {
    if setup.geometry.supports.is_empty() || setup.description.body.lattice.uncalibrated {
        return Ok(None);
    }
    if let Some(size) = setup.box_size {
        return Ok(Some(Arc::new(box_with_about(size, FITTING_NODES))));
    }
    let target = [TetTarget::Nodes(FITTING_NODES)];
    let built = build_levels(&setup.geometry.skin, &target, &Stuffing, progress);
    match built {
        Ok(levels) => Ok(levels
            .into_iter()
            .next_back()
            .map(|level| Arc::new(level.mesh))),
        Err(MeshingError::Cancelled) => Err(MeshingError::Cancelled),
        // the lattice itself needs no tetrahedra
        Err(_) => Ok(None),
    }
}

fn note_fit(level: &Level, name: &str, notes: &mut Vec<String>) {
    if level.thickened > 0.0 {
        notes.push(format!(
            "{name}: walls were thickened by {:.2} mm so that none is lost",
            level.thickened * 1e3
        ));
    }
    if (level.volume_ratio - 1.0).abs() > 0.15 {
        notes.push(format!(
            "{name} has {:.0} % of the body's volume: its parts are thinner than the elements",
            level.volume_ratio * 100.0
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{ImportOptions, load};
    use crate::setup::prepare;
    use pliant_meshing::io::write_vtu_tets;

    #[test]
    fn the_tetrahedra_of_a_file_are_the_finest_level_and_part_of_the_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("block.vtu");
        let size = Vec3::new(0.3, 0.2, 0.1);
        let mut mesh = box_tets(size, [9, 6, 3], CellStyle::Alternating);
        let prepared = |mesh: &TetMesh| {
            write_vtu_tets(&path, mesh).expect("written");
            let scene = load(&path, &ImportOptions::default()).expect("a drop-in scene");
            prepare(&scene, &Progress::new()).expect("prepared")
        };
        let setup = prepared(&mesh);
        let levels = levels(&setup, &mut Vec::new(), &Progress::new()).expect("levels");
        assert!(levels.len() >= 2);
        let finest = levels.last().expect("a level");
        assert_eq!(finest.tets, mesh.tets);
        // placed like the skin
        let (inner, outer) = (finest.bounds(), &setup.geometry.skin.bounds());
        assert!((inner.min - outer.min).norm() + (inner.max - outer.max).norm() < 1e-12);
        // a node inside: the skin does not know
        let inside = mesh
            .nodes
            .iter()
            .position(|p| (p - Vec3::new(0.0, 0.0, 0.1 / 6.0)).norm() < 0.05);
        let node = inside.expect("a node inside");
        let recipe = geometry_recipe(&setup, Method::Adaptive);
        mesh.nodes[node].x += 1e-9;
        let other = prepared(&mesh);
        assert_eq!(other.skin().positions, setup.geometry.skin.positions);
        assert_ne!(geometry_recipe(&other, Method::Adaptive), recipe);
        assert_eq!(
            geometry_recipe(&other, Method::Lattice),
            geometry_recipe(&setup, Method::Lattice)
        );
    }
}
