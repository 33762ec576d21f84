//! Benchmark cases: one kernel at one size, with the least work that it needs and its readable reference.
//!
//! Each solver crate lists its kernels in `benchmark/`; the program `pliant bench` and the bench targets time them. A case checks its
//! result against the reference before it is timed.
//!
//! ```
//! use pliant_core::bench::{BenchCase, BenchKernel, Quantity, Work};
//! let kernel = BenchKernel {
//!     name: "sum",
//!     about: "sum of numbers",
//!     quantity: Quantity::NanosecondsPer("number"),
//!     sizes: &[1000],
//!     parallel: false,
//!     prepare: |size| {
//!         let numbers = vec![1.0_f64; size];
//!         Ok(BenchCase::new(size, size as f64, Work { bytes: 0.0, flops: size as f64, double: true }, move || {
//!             std::hint::black_box(numbers.iter().sum::<f64>());
//!         }))
//!     },
//! };
//! let mut case = (kernel.prepare)(1000).expect("it can be set up");
//! (case.run)();
//! ```

use crate::machine::large_pages::LargePages;

/// The quantity in which a time is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// ns an item; a case has [`BenchCase::items`] items.
    NanosecondsPer(&'static str),
    /// µs an item.
    MicrosecondsPer(&'static str),
    /// ms an item.
    MillisecondsPer(&'static str),
    /// Seconds of the whole case; a reference may do a share of it, given by its items.
    Seconds,
    /// 10⁹ bytes of [`Work::bytes`] a second.
    GigabytesPerSecond,
    /// How many times faster than the reference, which is timed in the same run.
    SpeedUp,
}

impl Quantity {
    /// The unit in words, such as `ns/tet`.
    pub fn unit(self) -> String {
        match self {
            Self::NanosecondsPer(item) => format!("ns/{item}"),
            Self::MicrosecondsPer(item) => format!("us/{item}"),
            Self::MillisecondsPer(item) => format!("ms/{item}"),
            Self::Seconds => "s".into(),
            Self::GigabytesPerSecond => "GB/s".into(),
            Self::SpeedUp => "x".into(),
        }
    }

    /// The value of a case that took `seconds` for `items` items and `bytes` bytes; for [`Quantity::SpeedUp`] the seconds an item.
    pub fn value(self, seconds: f64, items: f64, bytes: f64) -> f64 {
        match self {
            Self::NanosecondsPer(_) => seconds * 1e9 / items,
            Self::MicrosecondsPer(_) => seconds * 1e6 / items,
            Self::MillisecondsPer(_) => seconds * 1e3 / items,
            Self::Seconds | Self::SpeedUp => seconds / items,
            Self::GigabytesPerSecond => bytes / seconds * 1e-9,
        }
    }

    /// Whether larger values are better.
    pub fn is_rate(self) -> bool {
        matches!(self, Self::GigabytesPerSecond | Self::SpeedUp)
    }
}

/// The least work of one run, from which the machine's limit follows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Bytes that must come from or go to memory; 0 when all of it stays in the caches.
    pub bytes: f64,
    /// Floating-point operations, additions and multiplications counted apart.
    pub flops: f64,
    /// Whether they are in double precision, which is half as fast.
    pub double: bool,
}

/// One run of a kernel, repeated while it is timed.
pub type Run = Box<dyn FnMut() + Send>;

/// Parts of the last run and their wall times, ms.
pub type Stages = Box<dyn Fn() -> Vec<(&'static str, f64)> + Send>;

/// A kernel at one size, ready to run.
pub struct BenchCase {
    /// The true size, near the one asked for.
    pub size: usize,
    /// Items of the [`Quantity`] in one run.
    pub items: f64,
    /// The least work of one run.
    pub work: Work,
    /// The kernel.
    pub run: Run,
    /// The readable implementation and its items a run.
    pub reference: Option<(f64, Run)>,
    /// Memory whose pages alternate with those that the run reads, and that the run does not read itself. The bandwidth depends on where memory lies, by a quarter on a machine of several
    /// nodes; the limit is measured in this memory.
    pub bandwidth_memory: Option<LargePages<f32>>,
    /// Stages of the last run, where they are known.
    pub stages: Option<Stages>,
    /// Figures from the preparation of the case: names with their units, and values.
    pub facts: Vec<(&'static str, f64)>,
    /// Times less work than the reference, where it is known: the limit of a [`Quantity::SpeedUp`].
    pub work_ratio: Option<f64>,
}

impl BenchCase {
    /// A case without a reference.
    pub fn new(size: usize, items: f64, work: Work, run: impl FnMut() + Send + 'static) -> Self {
        Self {
            size,
            items,
            work,
            run: Box::new(run),
            reference: None,
            bandwidth_memory: None,
            stages: None,
            facts: Vec::new(),
            work_ratio: None,
        }
    }

    /// The same with a readable implementation that does `items` items a run.
    #[must_use]
    pub fn with_reference(mut self, items: f64, run: impl FnMut() + Send + 'static) -> Self {
        self.reference = Some((items, Box::new(run)));
        self
    }
}

/// A kernel that can be timed.
#[derive(Debug, Clone, Copy)]
pub struct BenchKernel {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What is reported.
    pub quantity: Quantity,
    /// Sizes that are timed when none is asked for.
    pub sizes: &'static [usize],
    /// Whether it uses several threads.
    pub parallel: bool,
    /// Prepares a case and checks its result against the reference; the reason where it differs or the case cannot be prepared.
    pub prepare: fn(usize) -> Result<BenchCase, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_unit_of_their_name() {
        let per = Quantity::NanosecondsPer("tet");
        assert_eq!(per.unit(), "ns/tet");
        assert!((per.value(1e-3, 1e5, 0.0) - 10.0).abs() < 1e-12);
        assert!((Quantity::GigabytesPerSecond.value(0.5, 1.0, 2e10) - 40.0).abs() < 1e-12);
        assert!((Quantity::MillisecondsPer("step").value(0.5, 10.0, 0.0) - 50.0).abs() < 1e-12);
        assert!(Quantity::SpeedUp.is_rate() && !Quantity::Seconds.is_rate());
    }
}
