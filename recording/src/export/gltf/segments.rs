//! Segments of a recording in which the triangles of a method do not change.

use std::sync::Arc;

use crate::contents::Skin;
use crate::error::RecordingError;
use crate::reader::Recording;

/// Consecutive surfaces with the same triangles.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    /// The cut surface at rest; `None` for the skin itself.
    pub cut: Option<Arc<Skin>>,
    /// index of the first surface; 0 is the skin at rest
    pub first: usize,
    /// number of surfaces
    pub count: usize,
}

impl Segment {
    /// The surface that is shown, at rest.
    pub fn skin<'a>(&'a self, skin: &'a Skin) -> &'a Skin {
        self.cut.as_deref().unwrap_or(skin)
    }

    /// Number of morph targets: all surfaces but the skin at rest.
    pub fn targets(&self) -> usize {
        self.count - usize::from(self.first == 0)
    }
}

/// The segments of method number `method`. The first one begins with the skin at rest. Cost: for a method with cuts, each surface is unpacked.
pub(super) fn segments(
    recording: &Recording<'_>,
    method: usize,
) -> Result<Vec<Segment>, RecordingError> {
    let mut all = vec![Segment {
        cut: None,
        first: 0,
        count: 1,
    }];
    if !recording.has_cuts(method) {
        all[0].count += recording.surface_count();
        return Ok(all);
    }
    for (k, stored) in recording.surfaces(method).enumerate() {
        let cut = stored?.surface.cut.map(|cut| cut.skin);
        let skin = |cut: &Option<Arc<Skin>>| cut.as_ref().map(Arc::as_ptr);
        let last = all.last_mut();
        match last.filter(|segment| skin(&segment.cut) == skin(&cut)) {
            Some(segment) => segment.count += 1,
            None => all.push(Segment {
                cut,
                first: k + 1,
                count: 1,
            }),
        }
    }
    Ok(all)
}
