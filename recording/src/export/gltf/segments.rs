//! Stretches of a recording in which the triangles of a method stay the same.

use std::sync::Arc;

use crate::contents::Skin;
use crate::error::RecordingError;
use crate::reader::Recording;

/// Surfaces with the same triangles, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    /// The cut skin; none for the skin itself.
    pub cut: Option<Arc<Skin>>,
    /// Number of the first surface, where rest is 0, and how many there are.
    pub first: usize,
    pub count: usize,
}

impl Stretch {
    /// What is seen in it, at rest.
    pub fn skin<'a>(&'a self, skin: &'a Skin) -> &'a Skin {
        self.cut.as_deref().unwrap_or(skin)
    }

    /// Surfaces that are displaced: rest is none.
    pub fn targets(&self) -> usize {
        self.count - usize::from(self.first == 0)
    }
}

/// The stretches of method number `method`. The first begins with the skin at rest. Cost: for a method that is cut, each surface is unpacked.
pub(super) fn stretches(
    recording: &Recording<'_>,
    method: usize,
) -> Result<Vec<Stretch>, RecordingError> {
    let mut all = vec![Stretch {
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
        match last.filter(|stretch| skin(&stretch.cut) == skin(&cut)) {
            Some(stretch) => stretch.count += 1,
            None => all.push(Stretch {
                cut,
                first: k + 1,
                count: 1,
            }),
        }
    }
    Ok(all)
}
