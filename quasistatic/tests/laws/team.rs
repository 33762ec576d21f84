//! Processes that bake together, played by threads.

use std::sync::{Barrier, Mutex};

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::Vec3;
use pliant_quasistatic::bake::BakeControl;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::team::{Team, TeamLink};
use pliant_quasistatic::{BakeError, GreensAsset, QuasistaticParams, bake};

use crate::bodies::{held_box, loaded_core, made};

/// What all see.
struct Board {
    barrier: Barrier,
    text: Mutex<Vec<u8>>,
    fine: Mutex<Vec<bool>>,
}

struct Link<'a> {
    board: &'a Board,
    rank: usize,
    /// bytes that came to this process
    came: Mutex<usize>,
}

impl Link<'_> {
    fn copy(&self, from: usize, takes: bool, bytes: &mut [u8]) {
        if self.rank == from {
            *self.board.text.lock().expect("no panic") = bytes.to_vec();
        }
        self.board.barrier.wait();
        if takes && self.rank != from {
            bytes.copy_from_slice(&self.board.text.lock().expect("no panic"));
            *self.came.lock().expect("no panic") += bytes.len();
        }
        self.board.barrier.wait();
    }
}

impl TeamLink for Link<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.board.fine.lock().expect("no panic").len()
    }

    fn first_failure(&self, fine: bool) -> Option<usize> {
        self.board.fine.lock().expect("no panic")[self.rank] = fine;
        self.board.barrier.wait();
        let all = self.board.fine.lock().expect("no panic").clone();
        self.board.barrier.wait();
        all.iter().position(|fine| !fine)
    }

    fn broadcast(&self, from: usize, bytes: &mut [u8]) {
        self.copy(from, true, bytes);
    }

    fn send_to_first(&self, from: usize, bytes: &mut [u8]) {
        self.copy(from, self.rank == 0, bytes);
    }
}

type Outcome = (Result<GreensAsset, BakeError>, usize);

/// What `size` processes have in the end, and how many bytes came to each; `cancelled` does not begin.
fn together(
    size: usize,
    geometry: &BodyGeometry,
    params: &QuasistaticParams,
    cancelled: Option<usize>,
) -> Vec<Outcome> {
    let board = Board {
        barrier: Barrier::new(size),
        text: Mutex::default(),
        fine: Mutex::new(vec![true; size]),
    };
    let process = |rank: usize| {
        let link = Link {
            board: &board,
            rank,
            came: Mutex::default(),
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
        // whoever fails says so, else the others wait
        let agreed = team.agree(!failed);
        assert_eq!(agreed.err(), cancelled);
        let came = *link.came.lock().expect("no panic");
        (baked.map(|(asset, _)| asset), came)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..size)
            .map(|rank| scope.spawn(move || process(rank)))
            .collect();
        let ends = threads.into_iter().map(|t| t.join().expect("no panic"));
        ends.collect()
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
        let alone = made(&geometry, &params);
        for size in [1, 3] {
            let mut ends = together(size, &geometry, &params, None).into_iter();
            let (first, came) = ends.next().expect("one at least");
            assert!(
                first == Ok(alone.clone()),
                "{generator:?}, {size} processes"
            );
            // the work was shared: what came to the first is what others made
            assert_eq!(came > 0, size > 1, "{generator:?}, {size} processes");
            for (rank, (other, came)) in ends.enumerate() {
                let own = matches!(&other, Err(BakeError::ShareDone { part, of, columns })
                    if *part == rank + 1 && *of == size && *columns > 0);
                assert!(own, "{other:?}");
                // nobody but the first holds finished columns of others
                assert_eq!(came > 0, generator != Generator::Fem);
            }
        }
    }
}

#[test]
fn a_process_that_fails_ends_all_and_is_named() {
    let geometry = held_box(Vec3::new(0.3, 0.2, 0.3), [6, 4, 6], None);
    for generator in [Generator::Fem, Generator::BemLinear] {
        let ends = together(3, &geometry, &params(generator), Some(1));
        for (rank, (end, _)) in ends.into_iter().enumerate() {
            match rank {
                1 => assert!(matches!(end, Err(BakeError::Cancelled(_))), "{end:?}"),
                _ => assert_eq!(end.err(), Some(BakeError::TeamFailed { process: 1 })),
            }
        }
    }
}
