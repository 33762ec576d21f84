//! Assets of the three solvers, and files of the cache that contain them. Models of assets that can be read advance by a frame.

use std::sync::Arc;
use std::time::Duration;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LodHierarchy};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Method;
use pliant_fuzzing::Limits;
use pliant_lattice::{LatticeAsset, LatticeModel, LatticeParams};
use pliant_quasistatic::greens::table::SharedBytes;
use pliant_quasistatic::{GreensAsset, QuasistaticModel, QuasistaticParams};
use pliant_simulation::build::open_baked_file;
use xxhash_rust::xxh3::xxh3_128;

use super::Reader;
use super::bodies::{CHECKSUM_BYTES, assets, cached};

/// Time limit of a frame of a stiff body. The model refuses frames of more than 2·10⁹ evaluations, which take about a minute, or one and a half on levels as small as these.
const MAX_FRAME_TIME: Duration = Duration::from_secs(100);

pub const ADAPTIVE: Reader = Reader {
    name: "adaptive",
    files: || assets(Method::Adaptive),
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| LodHierarchy::from_bytes(bytes).map_err(|e| e.to_string());
        let mut model = None;
        let complaint = limits.complaint(bytes, read, |asset| {
            // a level that is too fine for any frame is refused
            model = AdaptiveModel::new(Arc::new(asset), AdaptiveParams::default()).ok();
            None
        });
        let frame = Limits {
            max_time: MAX_FRAME_TIME,
            ..*limits
        };
        complaint.or_else(|| {
            let read_nothing = |_: &[u8]| Ok(());
            frame.complaint(bytes, read_nothing, |()| {
                model.and_then(|m| step_once(&mut { m }))
            })
        })
    },
    tokens: &[],
};

pub const QUASISTATIC: Reader = Reader {
    name: "quasistatic",
    files: || assets(Method::Quasistatic),
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| GreensAsset::from_bytes(bytes).map_err(|e| e.to_string());
        let shared = |bytes: &[u8]| {
            let shared: Arc<dyn SharedBytes> = Arc::new(bytes.to_vec());
            GreensAsset::from_shared(&shared).map_err(|e| e.to_string())
        };
        let using = |asset: GreensAsset| {
            let params = QuasistaticParams::default();
            step_once(&mut QuasistaticModel::new(Arc::new(asset), &params))
        };
        let complaint = limits.complaint(bytes, read, using);
        complaint.or_else(|| limits.complaint(bytes, shared, using))
    },
    tokens: &[],
};

pub const LATTICE: Reader = Reader {
    name: "lattice",
    files: || assets(Method::Lattice),
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| LatticeAsset::from_bytes(bytes).map_err(|e| e.to_string());
        limits.complaint(bytes, read, |asset| {
            let model = LatticeModel::new(Arc::new(asset), &LatticeParams::default());
            model.ok().and_then(|model| step_once(&mut { model }))
        })
    },
    tokens: &[],
};

/// Notes, an asset, and a checksum over both.
pub const CACHE: Reader = Reader {
    name: "cache",
    files: || cached().iter().map(|(_, bytes)| bytes.clone()).collect(),
    seal: |bytes| {
        if let Some(end) = bytes.len().checked_sub(CHECKSUM_BYTES) {
            let sum = xxh3_128(&bytes[..end]).to_le_bytes();
            bytes[end..].copy_from_slice(&sum);
        }
    },
    judge: |limits: &Limits, bytes| {
        let read = |bytes: &[u8]| open_baked_file(bytes).map_err(|e| e.to_string());
        limits.complaint(bytes, read, |_| None)
    },
    tokens: &[],
};

/// Advances by a frame in which a vertex is pushed in. The model may return an error.
fn step_once(model: &mut dyn DeformableModel) -> Option<String> {
    let mut frame = SurfaceFrame::default();
    model.write_surface(&mut frame);
    let mut boundary = BoundaryConditions::with_gravity(-9.81 * Vec3::y());
    if !frame.positions.is_empty() {
        let first = frame.position(0) - 1e-3 * Vec3::y();
        let constraint = DisplacementConstraint::contact(0, first, -Vec3::y());
        // a position that is not finite is refused
        let _ = boundary.set_displacements([constraint]);
    }
    let _ = model.advance(FrameRequest::new(1.0 / 60.0, &boundary));
    model.write_surface(&mut frame);
    None
}
