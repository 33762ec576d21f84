//! Whether the levels of a body are levels of the same body.

use pliant_core::math::numbers::counted;
use pliant_core::mesh::validate::topology;

use crate::bake::error::AdaptiveBakeError;
use crate::hierarchy::Level;

/// Relative difference of a level's volume from that of the finest level above which a note is given.
const NOTED_VOLUME_DIFFERENCE: f64 = 0.1;
/// Largest ratio of the volumes of a level and the finest level, either way. A level beyond it is refused: it is another body.
pub const VOLUME_LIMIT: f64 = 1.5;
/// Usual ratios of the mean edges of neighbouring levels.
const USUAL_EDGE_RATIOS: std::ops::RangeInclusive<f64> = 1.6..=2.5;

/// Refuses a level with another number of parts or another volume than the finest; returns what else is unusual, a sentence each.
///
/// Volumes that differ by more than a tenth, surfaces with another genus or another number of shells (decimation closed a gap or tore a thin part), and
/// edges that are not about twice as long as those of the next finer level are reported and accepted.
pub(crate) fn compare_levels(levels: &[Level]) -> Result<Vec<String>, AdaptiveBakeError> {
    let Some(finest) = levels.last() else {
        return Ok(Vec::new());
    };
    let volume = finest.mesh.volume();
    let expected = Topology::of(finest);
    let mut notes = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        let found = if index + 1 == levels.len() {
            expected
        } else {
            Topology::of(level)
        };
        if found.parts > expected.parts {
            return Err(AdaptiveBakeError::DisconnectedLevel {
                level: index,
                parts: found.parts,
                of_finest: expected.parts,
            });
        }
        let ratio = level.mesh.volume() / volume;
        if !(1.0 / VOLUME_LIMIT..=VOLUME_LIMIT).contains(&ratio) {
            return Err(AdaptiveBakeError::LevelVolumeMismatch {
                level: index,
                percent: 100.0 * ratio,
            });
        }
        if (ratio - 1.0).abs() > NOTED_VOLUME_DIFFERENCE {
            notes.push(format!(
                "LevelVolumeMismatch: level {index} has {:.1} % of the finest level's volume",
                100.0 * ratio
            ));
        }
        if found != expected {
            notes.push(format!(
                "LevelTopologyMismatch: level {index} has {found}, the finest {expected}"
            ));
        }
        if let Some(finer) = levels.get(index + 1) {
            let ratio = level.spacing / finer.spacing;
            if !USUAL_EDGE_RATIOS.contains(&ratio) {
                notes.push(format!(
                    "RatioOutOfRange: the edges of level {index} are {ratio:.2} times those of level {}",
                    index + 1
                ));
            }
        }
    }
    Ok(notes)
}

/// What must not change between levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Topology {
    parts: usize,
    shells: usize,
    /// `None` where the surface pinches
    genus: Option<i64>,
}

impl Topology {
    fn of(level: &Level) -> Self {
        let surface = topology(&level.mesh.boundary().surface);
        Self {
            parts: level.components().1,
            shells: surface.components,
            genus: surface.genus(),
        }
    }
}

impl std::fmt::Display for Topology {
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
