//! `pliant gf --mpi`: the processes that `mpirun` or `srun` started bake one body together.

use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use pliant_simulation::build::{Team, TeamLink, greens_with_team};
use pliant_simulation::journal::{ColumnJournal, FileJournal};
use pliant_simulation::scenes::LoadedScene;

use super::baked::{part_file, print, store};
use crate::args::Gf;
use crate::failure::{Failure, INTERNAL};
use crate::output::Done;
use crate::session::Session;

/// Most bytes of one message: counts of MPI are 32 bit numbers.
const MAX_MESSAGE_BYTES: usize = 1 << 28;

/// Runs the command in one of the processes. The first process writes and reports. If processes fail, the first of them reports the error.
pub fn gf(
    session: &Session,
    args: &Gf,
    loaded: &LoadedScene,
    generator: &str,
) -> Result<Done, Failure> {
    let Some(universe) = mpi::initialize() else {
        return Err(Failure::bad_input(
            "NoMpi",
            "MPI cannot be started",
            "start the program with mpirun or srun",
        ));
    };
    let _end = AbortOnPanic(&universe);
    let link = World::of(&universe);
    let team = Team::new(&link);
    let outcome = bake(session, args, loaded, generator, &team);
    match team.agree(outcome.is_ok()) {
        // `mpirun` ends all processes as soon as one fails: that has to be the one that reports the error, after it has done so
        Err(process) if process != link.rank => Ok(Done::without_json()),
        _ => outcome,
    }
}

fn bake(
    session: &Session,
    args: &Gf,
    loaded: &LoadedScene,
    generator: &str,
    team: &Team<'_>,
) -> Result<Done, Failure> {
    let is_first = team.rank() == 0;
    let watch = is_first.then(|| session.output.watch(&session.progress));
    let setup = session.prepare(loaded)?;
    let out_of_range = |_| {
        Failure::bad_input(
            "TooManyProcesses",
            format!("{} processes are too many", team.size()),
            "start at most 65535",
        )
    };
    let part = u16::try_from(team.rank() + 1).map_err(out_of_range)?;
    let of = u16::try_from(team.size()).map_err(out_of_range)?;
    // the files of `--part`: a job that was ended goes on from them, and `--merge` reads them too
    let file = args.out.as_ref().map(|out| part_file(out, part, of));
    let journal = file.as_deref().map(FileJournal::new);
    let kept = journal.as_ref().map(|j| j as &dyn ColumnJournal);
    let baked = greens_with_team(&setup, kept, team, &session.progress)?;
    if let Some(baked) = &baked {
        store(session, args, &baked.asset.to_bytes())?;
    }
    drop(watch);
    let written = team.agree(true);
    if let (Ok(()), Some(file)) = (written, file) {
        // the bake is complete and needs no journal
        let _ = std::fs::remove_file(file);
    }
    match (baked, written) {
        (Some(baked), Ok(())) => {
            let figures = (&baked.asset, &baked.times, baked.boundary_vertices);
            Ok(print(session, args, generator, figures, None))
        }
        _ => Ok(Done::without_json()),
    }
}

/// A panic of one process aborts all, which would wait for it forever.
struct AbortOnPanic<'a>(&'a Universe);

impl Drop for AbortOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.world().abort(i32::from(INTERNAL));
        }
    }
}

/// All processes.
struct World {
    rank: usize,
    size: usize,
}

impl World {
    fn of(universe: &Universe) -> Self {
        let world = universe.world();
        // both are positive
        Self {
            rank: usize::try_from(world.rank()).unwrap_or_default(),
            size: usize::try_from(world.size()).unwrap_or(1),
        }
    }
}

/// A rank as MPI counts.
fn number(rank: usize) -> i32 {
    i32::try_from(rank).unwrap_or(i32::MAX)
}

impl TeamLink for World {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn first_failure(&self, succeeded: bool) -> Option<usize> {
        let mut all = vec![0_u8; self.size];
        SimpleCommunicator::world().all_gather_into(&u8::from(succeeded), &mut all[..]);
        all.iter().position(|succeeded| *succeeded == 0)
    }

    fn broadcast(&self, from: usize, bytes: &mut [u8]) {
        let world = SimpleCommunicator::world();
        for message in bytes.chunks_mut(MAX_MESSAGE_BYTES) {
            world.process_at_rank(number(from)).broadcast_into(message);
        }
    }

    fn send_to_first(&self, from: usize, bytes: &mut [u8]) {
        if from == 0 {
            return;
        }
        let world = SimpleCommunicator::world();
        for message in bytes.chunks_mut(MAX_MESSAGE_BYTES) {
            if self.rank == from {
                world.process_at_rank(0).send(&*message);
            } else if self.rank == 0 {
                world.process_at_rank(number(from)).receive_into(message);
            }
        }
    }
}
