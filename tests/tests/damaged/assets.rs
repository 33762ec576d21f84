//! Assets of the three solvers, and files of the cache around them. What is read is stepped.

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
use super::bodies::{SUM, assets, cached};

/// What a stiff body may take: the model refuses frames of more than 2·10⁹ evaluations, about a minute, or one and a half on levels that are as small as these.
const LONGEST_FRAME: Duration = Duration::from_secs(100);

pub const ADAPTIVE: Reader = Reader {
    name: "adaptive",
    files: || assets(Method::Adaptive),
    seal: |_| {},
    judge: |limits, bytes| {
        let read = |bytes: &[u8]| LodHierarchy::from_bytes(bytes).map_err(|e| e.to_string());
        let mut made = None;
        let complaint = limits.complaint(bytes, read, |asset| {
            // a level that is too fine for any frame is refused
            made = AdaptiveModel::new(Arc::new(asset), AdaptiveParams::default()).ok();
            None
        });
        let frame = Limits {
            max_time: LONGEST_FRAME,
            ..*limits
        };
        complaint.or_else(|| {
            let known = |_: &[u8]| Ok(());
            frame.complaint(bytes, known, |()| made.and_then(|m| stepped(&mut { m })))
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
            stepped(&mut QuasistaticModel::new(Arc::new(asset), &params))
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
            model.ok().and_then(|model| stepped(&mut { model }))
        })
    },
    tokens: &[],
};

/// Remarks, an asset, and a checksum over both.
pub const CACHE: Reader = Reader {
    name: "cache",
    files: || cached().iter().map(|(_, bytes)| bytes.clone()).collect(),
    seal: |bytes| {
        if let Some(end) = bytes.len().checked_sub(SUM) {
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

/// One frame in which a vertex is pushed in. What a model says about it does not matter, but it has to say it.
fn stepped(model: &mut dyn DeformableModel) -> Option<String> {
    let mut frame = SurfaceFrame::default();
    model.write_surface(&mut frame);
    let mut boundary = BoundaryConditions::with_gravity(-9.81 * Vec3::y());
    if !frame.positions.is_empty() {
        let first = frame.position(0) - 1e-3 * Vec3::y();
        let pushed = DisplacementConstraint::contact(0, first, -Vec3::y());
        // a place that is no number is refused
        let _ = boundary.set_displacements([pushed]);
    }
    let _ = model.advance(FrameRequest::new(1.0 / 60.0, &boundary));
    model.write_surface(&mut frame);
    None
}
