//! Parameters of a model.

/// A parameter that a panel can show.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterInfo {
    /// Name, unique within the model.
    pub name: &'static str,
    /// Unit as text; empty for plain numbers.
    pub unit: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Whether it acts at once.
    pub effect: ParameterEffect,
}

/// When a parameter takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterEffect {
    /// At the next frame.
    Immediate,
    /// Only after baking again.
    NeedsBake,
}

/// Value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterValue {
    /// A number in the parameter's unit.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// One of several words.
    Choice(String),
}

/// A parameter cannot be read or set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// No such name.
    #[error("unknown parameter `{0}`")]
    Unknown(String),
    /// The value is outside its range or of the wrong type.
    #[error("parameter `{name}` must be between {min} and {max}")]
    OutOfRange {
        /// Which.
        name: String,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// Acts only after baking again.
    #[error("parameter `{0}` acts only after baking again")]
    NeedsBake(String),
}
