//! The same body on other supports, without another solution of its inside: exact changes of the boundary value problem (James and Pai 2003, Eq. 13 to 17).
//!
//! [`GreensAsset::with_support`](crate::GreensAsset::with_support) holds free nodes, [`GreensAsset::without_support`](crate::GreensAsset::without_support)
//! releases a support that its bake kept releasable.

mod error;
mod hold;
mod release;
mod superposition;

pub use error::RebaseError;
