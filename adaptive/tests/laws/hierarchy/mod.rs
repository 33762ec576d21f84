//! The hierarchy: what is baked, and how levels are calibrated.

mod asset;
mod calibration;
