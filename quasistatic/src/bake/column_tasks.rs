//! The columns of a bake. All threads solve them in tasks of a fixed size, tasks with requested columns first. Each finished task is kept in the journal and published.

use std::sync::{Mutex, PoisonError};

use pliant_core::asset::AssetKey;
use pulp::bytemuck::{cast_slice, cast_slice_mut};

use crate::asset::GreensAsset;
use crate::bake::control::{BakeControl, ColumnRequests, Published};
use crate::bake::journal::ColumnLayout;
use crate::bake::limits::too_many_columns;
use crate::error::BakeError;
use crate::greens::GreensMatrix;
use crate::greens::sum::ColumnNumber;
use crate::params::QuasistaticParams;

/// A running bake: its control, and the key of everything that it depends on.
pub(crate) struct BakeTask<'a> {
    pub control: BakeControl<'a>,
    pub key: AssetKey,
    /// The body with its skin, before its Green's functions.
    pub body: GreensAsset,
}

impl BakeTask<'_> {
    /// Publishes `asset`, all of which is known except its columns of `nodes` nodes.
    pub fn publish_without_columns(
        &self,
        asset: &GreensAsset,
        nodes: usize,
        params: &QuasistaticParams,
    ) -> Result<(), BakeError> {
        if let Some(publish) = self.control.publish {
            let matrix = GreensMatrix::empty(nodes, params.precision);
            publish(Published::Asset(Box::new(GreensAsset {
                matrix: matrix.ok_or_else(|| too_many_columns(nodes, params))?,
                ..asset.clone()
            })));
        }
        Ok(())
    }
}

/// Layout and tasks of the columns to solve.
pub(crate) struct ColumnPlan<'a> {
    /// Number of columns, three a node.
    pub columns: usize,
    /// Numbers of a column.
    pub height: usize,
    /// Columns of one task, a multiple of three. They are solved together, so that the bits do not depend on order or threads.
    pub columns_per_task: usize,
    pub bake: &'a BakeTask<'a>,
}

/// Tasks that no thread has begun.
struct Pending<'v, T> {
    tasks: Vec<Option<&'v mut [T]>>,
    next: usize,
    finished: usize,
    failure: Option<BakeError>,
}

impl<'v, T> Pending<'v, T> {
    /// A task with a requested column, else the first task; none after a failure.
    fn next(
        &mut self,
        requests: Option<&ColumnRequests>,
        columns_per_task: usize,
    ) -> Option<(usize, &'v mut [T])> {
        if self.failure.is_some() {
            return None;
        }
        while let Some(node) = requests.and_then(ColumnRequests::take) {
            let task = 3 * node as usize / columns_per_task;
            if let Some(out) = self.tasks.get_mut(task).and_then(Option::take) {
                return Some((task, out));
            }
        }
        while self.next < self.tasks.len() {
            let task = self.next;
            self.next += 1;
            if let Some(out) = self.tasks[task].take() {
                return Some((task, out));
            }
        }
        None
    }
}

/// Solves all columns in place. `solve(first, out, memory)` replaces the part `out` of `values`, which begins with column `first`, by solved columns; `publish(first, out)` follows.
pub(crate) fn all_columns<T: ColumnNumber, M>(
    plan: &ColumnPlan<'_>,
    values: &mut [T],
    memory: impl Fn() -> M + Sync,
    solve: impl Fn(usize, &mut [T], &mut M) + Sync,
    publish: impl Fn(usize, &[T]) + Sync,
) -> Result<(), BakeError> {
    let (height, columns_per_task) = (plan.height, plan.columns_per_task);
    let layout = ColumnLayout {
        height,
        columns: plan.columns,
        bytes: size_of::<T>(),
        key: plan.bake.key,
    };
    let control = &plan.bake.control;
    let journal = match control.journal {
        Some(journal) => journal.open(&layout)?.then_some(journal),
        None => None,
    };
    let share = control.own_share();
    let is_ours = |task: usize| share.is_none_or(|share| share.includes(task));
    let chunk = (height * columns_per_task).max(1);
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
    let next_task = || lock().next(control.requests, columns_per_task);
    let run = |task: usize, out: &mut [T], (memory, buffer): &mut (M, Vec<T>)| {
        control.progress.check()?;
        let first = task * columns_per_task;
        // a failed read leaves `out` unchanged, because it goes into a buffer
        let restored = journal.is_some_and(|journal| {
            buffer.resize(out.len(), T::from_f64(0.0));
            journal.load(first, cast_slice_mut(buffer))
        });
        if restored {
            out.copy_from_slice(buffer);
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
        let mut workspace = (memory(), Vec::new());
        while let Some((task, out)) = next_task() {
            let width = out.len() / height.max(1);
            let outcome = run(task, out, &mut workspace);
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
    let agreed = control
        .team
        .map_or(Ok(()), |team| team.agree(failure.is_none()));
    if let Some(error) = failure {
        return Err(error);
    }
    agreed.map_err(|process| BakeError::TeamFailed { process })?;
    if let Some(team) = control.team {
        for (task, columns) in values.chunks_mut(chunk).enumerate() {
            team.send_to_first(task % team.size(), cast_slice_mut(columns));
        }
    }
    match share {
        Some(share) if control.team.is_none() || share.part > 0 => Err(BakeError::ShareDone {
            part: share.part,
            of: share.of,
            columns: ours / height.max(1),
        }),
        _ => Ok(()),
    }
}
