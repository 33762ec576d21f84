//! Forces on elements.

mod elements;
mod lanes;
mod regression;
