//! The cost of a frame of several bodies: resolution, steps, and what is given up where a budget does not suffice.

mod adapt;
mod budget;
mod contact_rates;
mod degrade;
mod touched;
