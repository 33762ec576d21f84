//! A frame of the group.

mod boundary;
mod contact_points;
mod find;
mod run;
mod steps;
mod violation;
