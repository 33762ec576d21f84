//! A solid from any surface: repair, close small holes, wrap.

mod foil;
#[cfg(test)]
mod tests;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::numbers::counted;
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

pub use foil::thicken_foil;

use crate::geometry::fidelity::fidelity;
use crate::geometry::self_intersection::crossings as count_crossings;
use crate::geometry::winding::WindingNumber;
use crate::repair::error::{RepairError, length};
use crate::repair::holes::close as holes;
use crate::repair::repair_surface::{prepare, repair, tidy};
use crate::repair::repaired::{RepairStep, Repaired};
use crate::wrap::error::WrapError;
use crate::wrap::finish::Wrapped;
use crate::wrap::options::WrapOptions;
use crate::wrap::wrapping::wrap;

/// A surface with more crossing pairs than this share of its triangles is wrapped.
const MAX_CROSSINGS: f64 = 0.05;
/// A surface that crosses itself and holds more than this share of its volume twice, or inside out, is wrapped.
const MAX_OVERLAP: f64 = 0.01;
/// Shells that lie in each other are one body where no more than this share of the volume is inside out.
const MAX_NEGATIVE: f64 = 1e-3;
/// Share of the input's surface that may be lost.
const MAX_LOST: f64 = 0.05;
/// Share of the input's surface that may have been fins and sheets outside of the body.
const MAX_LOOSE: f64 = 0.2;
/// Samples along each axis of the box when overlaps are looked for.
const SAMPLES: usize = 28;

/// Makes a solid: [`repair`]; where that fails closes small holes; where holes are too large or edges branch, or the result crosses itself badly, wraps.
/// A clean surface comes out unchanged and without steps. The result is compared with the input at the end.
///
/// Further steps besides those of [`repair`]: `ClosedHole` (place, size and new area of each), `Wrapped` (how far the surface moved), `WrapNote`,
/// `KeptCrossings` (the surface crosses itself and no wrap of it is good enough).
///
/// # Errors
/// [`RepairError::NotSolid`] with the error of [`repair`] and what was tried; the error of [`repair`] itself where nothing can be tried;
/// [`RepairError::LostSurface`] where more than 5 % of the input's surface is farther than 1 % of the diagonal from the result and does not lie inside.
///
/// Cost: that of [`repair`] and of looking for self-intersections; a wrap takes seconds.
///
/// ```
/// use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
/// use pliant_meshing::repair::make_solid;
/// let mut surface = box_surface(Vec3::repeat(1.0), [6, 6, 6], CellStyle::Kuhn);
/// surface.triangles.pop();
/// let solid = make_solid(&surface, &Progress::new()).expect("one triangle is missing");
/// assert_eq!(solid.steps[0].code, "ClosedHole");
/// assert!((solid.surface.volume() - 1.0).abs() < 1e-12);
/// ```
pub fn make_solid(raw: &SurfaceMesh, progress: &Progress) -> Result<Repaired, RepairError> {
    make_solid_with(raw, &WrapOptions::default(), false, progress)
}

/// As [`make_solid`], but closed shells that lie in each other stay as they are, crossings included: for those who ask for what is inside of any of them, as
/// [`crate::lod`] does, and need no wrap, which rounds edges. Their step is `KeptShells`.
///
/// # Errors
/// As [`make_solid`].
pub fn make_solid_of_shells(
    raw: &SurfaceMesh,
    progress: &Progress,
) -> Result<Repaired, RepairError> {
    make_solid_with(raw, &WrapOptions::default(), true, progress)
}

/// As [`make_solid`], but what [`repair`] cannot make a solid becomes walls of this thickness (in the unit of the file) around its faces, open or not.
///
/// # Errors
/// As [`make_solid`]; a thickness too small or too large for the body is reported in [`RepairError::NotSolid`].
pub fn make_solid_of_sheets(
    raw: &SurfaceMesh,
    thickness: f64,
    progress: &Progress,
) -> Result<Repaired, RepairError> {
    let options = WrapOptions {
        thickness: Some(thickness),
        ..WrapOptions::default()
    };
    make_solid_with(raw, &options, false, progress)
}

fn make_solid_with(
    raw: &SurfaceMesh,
    options: &WrapOptions,
    keeps_shells: bool,
    progress: &Progress,
) -> Result<Repaired, RepairError> {
    let solid = unchecked_solid(raw, options, keeps_shells, progress)?;
    if solid.steps.is_empty() || options.thickness.is_some() {
        return Ok(solid);
    }
    let input = tidy(raw, progress)?.surface;
    let kept = fidelity(&input, &solid.surface, progress)?;
    let (lost, limit) = if kept.lost_share > MAX_LOST {
        (kept.lost_share, MAX_LOST)
    } else {
        (kept.loose_share, MAX_LOOSE)
    };
    if lost > limit {
        return Err(RepairError::LostSurface {
            lost,
            limit,
            distance: kept.distance,
            at: kept.farthest,
        });
    }
    Ok(solid)
}

/// A solid by repair, closed holes or a wrap; not yet compared with the input.
fn unchecked_solid(
    raw: &SurfaceMesh,
    options: &WrapOptions,
    keeps_shells: bool,
    progress: &Progress,
) -> Result<Repaired, RepairError> {
    let mut tried = Vec::new();
    let mut outcome = repair(raw, progress);
    if options.thickness.is_none() && outcome.as_ref().is_err_and(is_unsound) {
        match close_holes(raw, progress)? {
            Ok(closed) => outcome = Ok(closed),
            Err(why) => tried.push(why),
        }
    }
    let first = match outcome {
        Ok(repaired) => match crossings(&repaired.surface, progress)? {
            Crossings::Few(pairs) => return Ok(with_crossings(repaired, pairs)),
            Crossings::Many {
                pairs,
                text,
                are_shells,
            } => {
                if let Some(joined) = weld_parts(raw, progress)? {
                    return Ok(joined);
                }
                if are_shells && keeps_shells {
                    return Ok(with_shells(repaired, pairs, &text));
                }
                Attempt::Crossing(repaired, pairs, text)
            }
        },
        Err(error) if is_unsound(&error) || matches!(error, RepairError::FlatSurface { .. }) => {
            Attempt::Failed(error)
        }
        Err(error) => return Err(error),
    };
    let tidied = match &first {
        Attempt::Crossing(repaired, ..) => repaired.clone(),
        Attempt::Failed(_) => match tidy(raw, progress) {
            // both sides of a sheet on each other: walls need only their places
            Err(RepairError::FlatSurface { .. }) if options.thickness.is_some() => Repaired {
                surface: raw.clone(),
                steps: Vec::new(),
            },
            tidied => tidied?,
        },
    };
    match wrap(&tidied.surface, options, progress) {
        Ok(wrapped) => Ok(with_wrap_steps(tidied, wrapped, options.thickness)),
        Err(WrapError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(why) => match first {
            Attempt::Crossing(mut repaired, pairs, crossing) => {
                repaired.steps.push(RepairStep {
                    code: "KeptCrossings",
                    count: pairs,
                    message: format!("{crossing}, which could not be removed: {}", reason(&why)),
                });
                Ok(repaired)
            }
            Attempt::Failed(error) => {
                tried.push(format!("wrapping: {}", reason(&why)));
                Err(RepairError::NotSolid {
                    first: Box::new(error),
                    tried,
                })
            }
        },
    }
}

/// Whether a surface was refused because it is not a closed, oriented manifold.
fn is_unsound(error: &RepairError) -> bool {
    matches!(
        error,
        RepairError::SkinOpen { .. }
            | RepairError::NonManifold { .. }
            | RepairError::NotOrientable { .. }
            | RepairError::Misoriented { .. }
            | RepairError::Pinched { .. }
    )
}

/// The outcome of the repair before a wrap.
enum Attempt {
    /// a solid, the pairs of triangles in which it crosses itself, and how bad that is
    Crossing(Repaired, usize, String),
    Failed(RepairError),
}

fn with_crossings(mut repaired: Repaired, pairs: usize) -> Repaired {
    if pairs > 0 {
        repaired.steps.push(RepairStep {
            code: "KeptCrossings",
            count: pairs,
            message: format!(
                "the surface crosses itself in {} of triangles, too few to matter",
                counted(pairs, "pair")
            ),
        });
    }
    repaired
}

fn with_shells(mut repaired: Repaired, pairs: usize, why: &str) -> Repaired {
    repaired.steps.push(RepairStep {
        code: "KeptShells",
        count: pairs,
        message: format!("{why}: the body is the union of what its shells enclose"),
    });
    repaired
}

/// Welds a surface of closed parts that lie on each other; `None` where joining equal positions and dropping duplicate faces is not enough.
fn weld_parts(raw: &SurfaceMesh, progress: &Progress) -> Result<Option<Repaired>, Cancelled> {
    let joined = prepare(raw, true, progress).and_then(|mut work| {
        work.orient(progress)?;
        work.finish(progress)
    });
    match joined {
        Ok(repaired) => Ok(match crossings(&repaired.surface, progress)? {
            Crossings::Few(pairs) => Some(with_crossings(repaired, pairs)),
            Crossings::Many { .. } => None,
        }),
        Err(RepairError::Cancelled(cancelled)) => Err(cancelled),
        Err(_) => Ok(None),
    }
}

/// The message without its remedy.
fn reason(error: &WrapError) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_string()
}

/// The inner error is the reason why holes cannot be closed.
fn close_holes(
    raw: &SurfaceMesh,
    progress: &Progress,
) -> Result<Result<Repaired, String>, RepairError> {
    let mut work = prepare(raw, false, progress)?;
    let open = work.surface.clone();
    let closed = work.orient(progress).and_then(|()| {
        if let Err(why) = holes::close_small(&mut work, progress)? {
            return Ok(Err(why));
        }
        // patches must not cut the surface
        let (before, _) = count_crossings(&open, progress)?;
        if count_crossings(&work.surface, progress)?.0 > before {
            return Ok(Err("patches for the holes would cross the surface".into()));
        }
        work.orient(progress)?;
        work.finish(progress).map(Ok)
    });
    match closed {
        Err(RepairError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(error) => Ok(Err(format!("closing holes leaves {}", error.code()))),
        Ok(outcome) => Ok(outcome),
    }
}

/// How a closed surface crosses itself.
enum Crossings {
    /// pairs of triangles, perhaps none
    Few(usize),
    /// the solid that the surface bounds is in doubt
    Many {
        /// of triangles
        pairs: usize,
        /// how they show
        text: String,
        /// shells lie in each other, and none is inside out
        are_shells: bool,
    },
}

fn crossings(surface: &SurfaceMesh, progress: &Progress) -> Result<Crossings, Cancelled> {
    let (pairs, has_duplicates) = count_crossings(surface, progress)?;
    if pairs == 0 && !has_duplicates {
        return Ok(Crossings::Few(0));
    }
    let tree = WindingNumber::new(&surface.positions, &surface.triangles);
    let bounds = surface.bounds();
    let step = bounds.size() / SAMPLES as f64;
    let counts: Vec<[usize; 3]> = (0..SAMPLES * SAMPLES * SAMPLES)
        .into_par_iter()
        .map(|at| {
            let index = [
                at % SAMPLES,
                (at / SAMPLES) % SAMPLES,
                at / (SAMPLES * SAMPLES),
            ];
            let share = Vec3::from(index.map(|i| i as f64 + 0.5));
            let times = tree.at(&(bounds.min + share.component_mul(&step)));
            [
                usize::from(times > 0.5),
                usize::from(!(-0.5..=1.5).contains(&times)),
                usize::from(times < -0.5),
            ]
        })
        .collect();
    let [inside, wrong, negative] =
        (counts.iter()).fold([0, 0, 0], |sums, c| [0, 1, 2].map(|k| sums[k] + c[k]));
    let share_of = |count: usize| count as f64 / inside.max(1) as f64;
    let share = share_of(wrong);
    let text = if pairs as f64 > MAX_CROSSINGS * surface.triangles.len() as f64 {
        let pairs = counted(pairs, "pair");
        format!("the surface crosses itself in {pairs} of triangles")
    } else if share > MAX_OVERLAP {
        let percent = 100.0 * share;
        format!("{percent:.1} % of the inside lies in several parts of the surface at once")
    } else {
        return Ok(Crossings::Few(pairs));
    };
    Ok(Crossings::Many {
        pairs,
        text,
        are_shells: share_of(negative) <= MAX_NEGATIVE,
    })
}

fn with_wrap_steps(tidied: Repaired, wrapped: Wrapped, thickness: Option<f64>) -> Repaired {
    let mut steps = tidied.steps;
    if let Some(thickness) = thickness {
        steps.push(RepairStep {
            code: "Thickened",
            count: wrapped.surface.triangles.len(),
            message: format!(
                "the surface was replaced by walls of a thickness of {} around it, as asked for: it moved by {}",
                length(thickness),
                length(wrapped.max_distance)
            ),
        });
        return Repaired {
            surface: wrapped.surface,
            steps,
        };
    }
    let diagonal = tidied.surface.bounds().diagonal();
    let percent = |x: f64| 100.0 * x;
    steps.push(RepairStep {
        code: "Wrapped",
        count: wrapped.surface.triangles.len(),
        message: format!(
            "the surface was replaced by a wrap that moved it by at most {} ({:.2} % of the diagonal), lost {:.1} % of its area and added {:.1} %",
            length(wrapped.max_distance),
            percent(wrapped.max_distance / diagonal),
            percent(wrapped.lost_area_share),
            percent(wrapped.new_area_share),
        ),
    });
    steps.extend(wrapped.notes.into_iter().map(|message| RepairStep {
        code: "WrapNote",
        count: 1,
        message,
    }));
    Repaired {
        surface: wrapped.surface,
        steps,
    }
}
