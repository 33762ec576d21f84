//! `pliant gf --mpi` of a program without MPI.

use pliant_simulation::scenes::LoadedScene;

use crate::args::Gf;
use crate::failure::Failure;
use crate::output::Done;
use crate::session::Session;

/// Refuses the command, with a remedy.
pub fn gf(_: &Session, _: &Gf, _: &LoadedScene, _: &str) -> Result<Done, Failure> {
    Err(Failure::bad_input(
        "NoMpi",
        "this program was built without MPI",
        "build it with `cargo build --release --features mpi`, or run parts with --part and --merge, which need none",
    ))
}
