//! Whether the levels of a body are levels of the same body.

use pliant_core::math::numbers::counted;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::validate::topology;

use crate::hierarchy::Level;
use crate::hierarchy::level::components;

/// Difference of a level's volume from the finest one's, as a share, that is worth a note.
const VOLUME_NOTE: f64 = 0.1;
/// Volume of a level over that of the finest, or its inverse, beyond which it is another body and refused.
pub const VOLUME_LIMIT: f64 = 1.5;
/// Ratios of mean edges of neighbouring levels that are usual.
const EDGE_RATIO: std::ops::RangeInclusive<f64> = 1.6..=2.5;

/// A level that does not belong to the same body as the finest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MismatchError {
    /// More parts than the finest level has.
    Disconnected {
        /// Level, 0 is the coarsest.
        level: usize,
        /// Parts of this level.
        parts: usize,
        /// Parts of the finest level.
        of_finest: usize,
    },
    /// A volume that differs by more than half.
    Volume {
        /// Level, 0 is the coarsest.
        level: usize,
        /// Volume over that of the finest level.
        ratio: f64,
    },
}

/// Refuses a level with another number of parts or another volume than the finest; returns what else is unusual, a sentence each.
///
/// Volumes that differ by more than a tenth, surfaces with another genus or another number of shells (decimation closed a gap or tore a thin part), and
/// edges that are not about twice as long as those of the next finer level are reported and accepted.
pub fn compare_levels(levels: &[Level]) -> Result<Vec<String>, MismatchError> {
    let Some(finest) = levels.last() else {
        return Ok(Vec::new());
    };
    let volume = finest.mesh.volume();
    let wanted = Shape::of(&finest.mesh);
    let mut notes = Vec::new();
    for (level, here) in levels.iter().enumerate() {
        let shape = if level + 1 == levels.len() {
            wanted
        } else {
            Shape::of(&here.mesh)
        };
        if shape.parts > wanted.parts {
            return Err(MismatchError::Disconnected {
                level,
                parts: shape.parts,
                of_finest: wanted.parts,
            });
        }
        let ratio = here.mesh.volume() / volume;
        if !(1.0 / VOLUME_LIMIT..=VOLUME_LIMIT).contains(&ratio) {
            return Err(MismatchError::Volume { level, ratio });
        }
        if (ratio - 1.0).abs() > VOLUME_NOTE {
            notes.push(format!(
                "LevelVolumeMismatch: level {level} has {:.1} % of the finest level's volume",
                100.0 * ratio
            ));
        }
        if shape != wanted {
            notes.push(format!(
                "LevelTopologyMismatch: level {level} has {shape}, the finest {wanted}"
            ));
        }
        if let Some(finer) = levels.get(level + 1) {
            let ratio = here.spacing / finer.spacing;
            if !EDGE_RATIO.contains(&ratio) {
                notes.push(format!(
                    "RatioOutOfRange: the edges of level {level} are {ratio:.2} times those of level {}",
                    level + 1
                ));
            }
        }
    }
    Ok(notes)
}

/// What must not change between levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    parts: usize,
    shells: usize,
    /// `None` where the surface pinches
    genus: Option<i64>,
}

impl Shape {
    fn of(mesh: &TetMesh) -> Self {
        let surface = topology(&mesh.boundary().surface);
        Self {
            parts: components(mesh.nodes.len(), &mesh.tets).1,
            shells: surface.components,
            genus: surface.genus(),
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}, {}, ",
            counted(self.parts, "part"),
            counted(self.shells, "shell")
        )?;
        match self.genus {
            Some(genus) => write!(f, "genus {genus}"),
            None => f.write_str("a surface that pinches"),
        }
    }
}
