//! The columns of a bake: solved in tasks of a fixed size by all threads, wanted ones first, kept on disk and published as they finish.

use std::sync::{Arc, Mutex, PoisonError};

use pliant_core::asset::{AssetKey, Progress};
use pliant_core::math::Mat3;
use pulp::bytemuck::{cast_slice, cast_slice_mut};

use crate::asset::GreensAsset;
use crate::error::BakeError;
use crate::greens::from_fem::GreensFunctions;
use crate::greens::journal::{ColumnJournal, ColumnLayout};
use crate::greens::sum::Number;
use crate::inside::StressRow;
use crate::team::Team;

/// How a bake is watched, ordered and kept.
#[derive(Clone, Copy)]
pub struct BakeControl<'a> {
    /// Stage, fraction and cancelling.
    pub progress: &'a Progress,
    /// What keeps finished columns, so that the same bake goes on where it was stopped. The bake leaves it: whoever has stored the asset removes it.
    pub journal: Option<&'a dyn ColumnJournal>,
    /// The share of the columns that is solved, into the journal; all of them if `None`.
    pub share: Option<BakeShare>,
    /// The processes that bake with this one: the first of them gets the asset, the others [`BakeError::ShareDone`].
    pub team: Option<&'a Team<'a>>,
    /// Columns that somebody waits for.
    pub wanted: Option<&'a WantedColumns>,
    /// Is given what is finished, on the thread that finished it.
    pub publish: Option<&'a (dyn Fn(Published) + Sync)>,
}

impl<'a> BakeControl<'a> {
    /// Watched only.
    pub fn new(progress: &'a Progress) -> Self {
        Self {
            progress,
            journal: None,
            share: None,
            team: None,
            wanted: None,
            publish: None,
        }
    }
}

/// One of several processes that bake the same body: process `part` of `of` solves every `of`-th task, and [`BakeError::ShareDone`] ends it. A
/// last bake, with the journals of all, finds all columns solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BakeShare {
    /// Number of the process, from zero.
    pub part: usize,
    /// Number of processes.
    pub of: usize,
}

impl BakeShare {
    fn has(self, task: usize) -> bool {
        task % self.of.max(1) == self.part
    }
}

/// What a bake gives away before it ends.
#[derive(Debug, Clone)]
pub enum Published {
    /// The body without any column: it answers to gravity and to loads on points inside, and refuses constraints.
    Asset(Box<GreensAsset>),
    /// Columns for it, see [`GreensAsset::insert`].
    Columns(FinishedColumns),
}

/// Columns of some consecutive free boundary nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedColumns {
    /// The first of the nodes.
    pub first_node: u32,
    /// Three columns a node with three numbers for each free boundary node, m/N; not made symmetric.
    pub values: Vec<f64>,
    /// For each support what it carries of a unit force on each of the nodes; empty where the body without columns knows it already.
    pub shares: Vec<Vec<Mat3>>,
    /// For each point inside its rows for these nodes; empty where the body without columns knows them already.
    pub inside: Vec<PointRows>,
}

/// Rows of a point inside for some consecutive free boundary nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointRows {
    /// Displacement of the point for a force on each node, m/N.
    pub displacement: Vec<Mat3>,
    /// Stress for it, Pa/N.
    pub stress: Vec<StressRow>,
}

/// Free boundary nodes whose columns somebody waits for; clones share the list.
#[derive(Debug, Clone, Default)]
pub struct WantedColumns(Arc<Mutex<Vec<u32>>>);

impl WantedColumns {
    /// Asks for the columns of `nodes` before all others; the last asked come first.
    pub fn want(&self, nodes: &[u32]) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.extend_from_slice(nodes);
    }

    /// Takes out the node that was asked for last.
    pub fn take(&self) -> Option<u32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

/// A bake that runs: its control, the key of everything it depends on, and whom to tell when all but the columns is there.
pub(crate) struct BakeTask<'a> {
    pub control: BakeControl<'a>,
    pub key: AssetKey,
    pub opened: &'a (dyn Fn(GreensFunctions) + Sync),
}

/// What is to be solved.
pub(crate) struct ColumnPlan<'a> {
    /// Number of columns, three a node.
    pub columns: usize,
    /// Numbers of a column.
    pub height: usize,
    /// Columns of one task, a multiple of three: they are solved together, so that the bits do not depend on order or threads.
    pub together: usize,
    pub control: BakeControl<'a>,
    pub key: AssetKey,
}

/// Tasks that nobody has begun.
struct Pending<'v, T> {
    tasks: Vec<Option<&'v mut [T]>>,
    next: usize,
    finished: usize,
    failure: Option<BakeError>,
}

/// Solves all columns in the memory `values`: `solve(first, out, memory)` fills the columns from `first` on, as many as fit `out`, which has what `values` had
/// there; `publish(first, out)` follows.
pub(crate) fn all_columns<T: Number, M>(
    plan: &ColumnPlan<'_>,
    values: &mut [T],
    memory: impl Fn() -> M + Sync,
    solve: impl Fn(usize, &mut [T], &mut M) + Sync,
    publish: impl Fn(usize, &[T]) + Sync,
) -> Result<(), BakeError> {
    let (height, together) = (plan.height, plan.together);
    let layout = ColumnLayout {
        height,
        columns: plan.columns,
        bytes: size_of::<T>(),
        key: plan.key,
    };
    let control = &plan.control;
    let journal = match control.journal {
        Some(journal) => journal.open(&layout)?.then_some(journal),
        None => None,
    };
    let share = control.team.map_or(control.share, |team| {
        Some(BakeShare {
            part: team.rank(),
            of: team.size(),
        })
    });
    let is_ours = |task: usize| share.is_none_or(|share| share.has(task));
    let chunk = (height * together).max(1);
    let tasks: Vec<_> = values
        .chunks_mut(chunk)
        .enumerate()
        .map(|(task, out)| is_ours(task).then_some(out))
        .collect();
    let ours: usize = tasks.iter().flatten().map(|out| out.len()).sum();
    let pending = Mutex::new(Pending {
        tasks,
        next: 0,
        finished: 0,
        failure: None,
    });
    let lock = || pending.lock().unwrap_or_else(PoisonError::into_inner);
    let next_task = || {
        let mut pending = lock();
        if pending.failure.is_some() {
            return None;
        }
        while let Some(node) = control.wanted.and_then(WantedColumns::take) {
            let task = 3 * node as usize / together;
            if let Some(out) = pending.tasks.get_mut(task).and_then(Option::take) {
                return Some((task, out));
            }
        }
        while pending.next < pending.tasks.len() {
            let task = pending.next;
            pending.next += 1;
            if let Some(out) = pending.tasks[task].take() {
                return Some((task, out));
            }
        }
        None
    };
    let run = |task: usize, out: &mut [T], (memory, kept): &mut (M, Vec<T>)| {
        control.progress.check()?;
        let first = task * together;
        // by way of other memory: what cannot be read leaves the columns as they were
        let known = journal.is_some_and(|journal| {
            kept.resize(out.len(), T::from_f64(0.0));
            journal.load(first, cast_slice_mut(kept))
        });
        if known {
            out.copy_from_slice(kept);
        } else {
            solve(first, out, memory);
            if let Some(journal) = journal {
                journal.keep(first, cast_slice(out))?;
            }
        }
        publish(first, out);
        Ok::<(), BakeError>(())
    };
    let work = || {
        let mut own = (memory(), Vec::new());
        while let Some((task, out)) = next_task() {
            let width = out.len() / height.max(1);
            let outcome = run(task, out, &mut own);
            let mut pending = lock();
            match outcome {
                Ok(()) => {
                    pending.finished += width;
                    let share = (pending.finished * height) as f64 / ours.max(1) as f64;
                    control.progress.set_fraction(share);
                }
                Err(error) => pending.failure = pending.failure.take().or(Some(error)),
            }
        }
    };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
    });
    let failure = lock().failure.take();
    drop(pending);
    if let Some(team) = control.team {
        let outcome = team.agree(failure.is_none());
        if let (None, Err(process)) = (&failure, outcome) {
            return Err(BakeError::TeamFailed { process });
        }
        if failure.is_none() {
            for (task, columns) in values.chunks_mut(chunk).enumerate() {
                team.bring_in(task % team.size(), cast_slice_mut(columns));
            }
        }
    }
    match (failure, share) {
        (Some(error), _) => Err(error),
        (None, Some(share)) if control.team.is_none() || share.part > 0 => {
            Err(BakeError::ShareDone {
                part: share.part,
                of: share.of,
                columns: ours / height.max(1),
            })
        }
        (None, _) => Ok(()),
    }
}
