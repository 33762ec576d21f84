//! Processes that bake together, simulated by threads.

use std::sync::{Barrier, Mutex};

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::Vec3;
use pliant_quasistatic::bake::BakeControl;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::team::{Team, TeamLink};
use pliant_quasistatic::{BakeError, GreensAsset, QuasistaticParams, bake};

use crate::bodies::{bake_body, held_box, loaded_core};

/// Memory that all processes of the team share.
struct SharedBoard {
    barrier: Barrier,
    message: Mutex<Vec<u8>>,
    succeeded: Mutex<Vec<bool>>,
}

struct Link<'a> {
    board: &'a SharedBoard,
    rank: usize,
    /// number of bytes that this process received
    received: Mutex<usize>,
}

impl Link<'_> {
    fn copy(&self, from: usize, receives: bool, bytes: &mut [u8]) {
        if self.rank == from {
            *self.board.message.lock().expect("no panic") = bytes.to_vec();
        }
        self.board.barrier.wait();
        if receives && self.rank != from {
            bytes.copy_from_slice(&self.board.message.lock().expect("no panic"));
            *self.received.lock().expect("no panic") += bytes.len();
        }
        self.board.barrier.wait();
    }
}

impl TeamLink for Link<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.board.succeeded.lock().expect("no panic").len()
    }

    fn first_failure(&self, succeeded: bool) -> Option<usize> {
        self.board.succeeded.lock().expect("no panic")[self.rank] = succeeded;
        self.board.barrier.wait();
        let all = self.board.succeeded.lock().expect("no panic").clone();
        self.board.barrier.wait();
        all.iter().position(|succeeded| !succeeded)
    }

    fn broadcast(&self, from: usize, bytes: &mut [u8]) {
        self.copy(from, true, bytes);
    }

    fn send_to_first(&self, from: usize, bytes: &mut [u8]) {
        self.copy(from, self.rank == 0, bytes);
    }
}

type Outcome = (Result<GreensAsset, BakeError>, usize);

/// The outcome of each of `size` processes, and the number of bytes that it received. The process `cancelled` is cancelled before it starts.
fn bake_in_team(
    size: usize,
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
    cancelled: Option<usize>,
) -> Vec<Outcome> {
    let board = SharedBoard {
        barrier: Barrier::new(size),
        message: Mutex::default(),
        succeeded: Mutex::new(vec![true; size]),
    };
    let process = |rank: usize| {
        let link = Link {
            board: &board,
            rank,
            received: Mutex::default(),
        };
        let team = Team::new(&link);
        let progress = Progress::new();
        if cancelled == Some(rank) {
            progress.cancel();
        }
        let control = BakeControl {
            team: Some(&team),
            ..BakeControl::new(&progress)
        };
        let baked = bake::bake_controlled(geometry, params, &control);
        let failed = matches!(&baked, Err(error) if !matches!(error, BakeError::ShareDone { .. }));
        // a failed process has to report it, else the others wait
        let agreed = team.agree(!failed);
        assert_eq!(agreed.err(), cancelled);
        let received = *link.received.lock().expect("no panic");
        (baked.map(|(asset, _)| asset), received)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..size)
            .map(|rank| scope.spawn(move || process(rank)))
            .collect();
        let outcomes = threads.into_iter().map(|t| t.join().expect("no panic"));
        outcomes.collect()
    })
}

fn params(generator: Generator) -> QuasistaticParams {
    QuasistaticParams {
        generator,
        inside: vec![loaded_core()],
        ..QuasistaticParams::default()
    }
}

#[test]
fn a_team_leaves_the_bits_of_one_process() {
    let geometry = held_box(Vec3::new(0.3, 0.2, 0.3), [6, 4, 6], None);
    for generator in [Generator::Fem, Generator::BemLinear, Generator::BemConstant] {
        let params = params(generator);
        let alone = bake_body(&geometry, &params);
        for size in [1, 3] {
            let mut outcomes = bake_in_team(size, &geometry, &params, None).into_iter();
            let (first, received) = outcomes.next().expect("one at least");
            assert!(
                first == Ok(alone.clone()),
                "{generator:?}, {size} processes"
            );
            // the work was shared: the first process receives the columns of the others
            assert_eq!(received > 0, size > 1, "{generator:?}, {size} processes");
            for (rank, (other, received)) in outcomes.enumerate() {
                let own = matches!(&other, Err(BakeError::ShareDone { part, of, columns })
                    if *part == rank + 1 && *of == size && *columns > 0);
                assert!(own, "{other:?}");
                // only the first process receives finished columns of others
                assert_eq!(received > 0, generator != Generator::Fem);
            }
        }
    }
}

#[test]
fn a_process_that_fails_ends_all_and_is_named() {
    let geometry = held_box(Vec3::new(0.3, 0.2, 0.3), [6, 4, 6], None);
    for generator in [Generator::Fem, Generator::BemLinear] {
        let outcomes = bake_in_team(3, &geometry, &params(generator), Some(1));
        for (rank, (end, _)) in outcomes.into_iter().enumerate() {
            match rank {
                1 => assert!(matches!(end, Err(BakeError::Cancelled(_))), "{end:?}"),
                _ => assert_eq!(end.err(), Some(BakeError::TeamFailed { process: 1 })),
            }
        }
    }
}
