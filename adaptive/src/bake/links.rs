//! Parents, children and stencils between neighbouring levels.

use pliant_core::asset::{Cancelled, Progress};

use crate::asset::link_children;
use crate::hierarchy::places_above::places_above;
use crate::hierarchy::{Level, link};

/// Links every level to the next coarser one. Adds notes for the user.
pub(crate) fn link_levels(
    levels: &mut [Level],
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<(), Cancelled> {
    for l in 1..levels.len() {
        progress.stage(&format!("parents of level {} of {}", l + 1, levels.len()));
        progress.check()?;
        let made = link(&levels[l].mesh, &levels[l - 1].mesh, progress)?;
        let leaves = made.parentage.leaves.len();
        if leaves > 0 {
            notes.push(format!(
                "{leaves} nodes of level {} have no child in level {l} and are not split",
                l - 1
            ));
        }
        if made.far_outside > 0 {
            notes.push(format!(
                "FarOutside: {} nodes of levels {} and {l} lie far outside the other level",
                made.far_outside,
                l - 1
            ));
        }
        levels[l].above = places_above(&levels[l].mesh, &levels[l - 1], &made.up, progress)?;
        levels[l].parents = made.parentage.parents;
        levels[l].up = made.up;
        levels[l - 1].down_tet = made.down_tet;
        levels[l - 1].down_affine = made.down_affine;
    }
    link_children(levels);
    Ok(())
}
