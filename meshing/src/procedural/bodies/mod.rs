//! The bodies, each as a signed distance function.

pub(crate) mod bear;
pub(crate) mod buddha;
pub(crate) mod dragon;
pub(crate) mod infant;
pub(crate) mod organs;
pub(crate) mod penguin;
pub(crate) mod rabbit;
pub(crate) mod simple;
pub(crate) mod table;
pub(crate) mod things;
pub(crate) mod torso;
