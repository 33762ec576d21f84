//! Laws of the stream.

mod bodies;
mod damage;
mod progress;
mod round_trip;
