//! What a frame of several bodies may cost: resolution, steps, and what is given up where neither is enough.

mod adapt;
mod budget;
mod contact_rates;
mod degrade;
mod touched;
