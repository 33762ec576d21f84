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

impl ParameterInfo {
    /// The parameter `name` among `all`, if it can be set now.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] or [`ParameterError::NeedsBake`].
    pub fn settable<'a>(all: &'a [Self], name: &str) -> Result<&'a Self, ParameterError> {
        let info = all.iter().find(|info| info.name == name);
        let info = info.ok_or_else(|| ParameterError::Unknown(name.to_string()))?;
        match info.effect {
            ParameterEffect::Immediate | ParameterEffect::Observation => Ok(info),
            ParameterEffect::NeedsBake => Err(ParameterError::NeedsBake(name.to_string())),
        }
    }

    /// Whether `name` is a parameter among `all` that changes no frame.
    pub fn is_observation(all: &[Self], name: &str) -> bool {
        let info = all.iter().find(|info| info.name == name);
        info.is_some_and(|info| info.effect == ParameterEffect::Observation)
    }

    /// Whether a number, in the parameter's unit, is in its range.
    pub fn accepts(&self, number: f64) -> bool {
        (self.min..=self.max).contains(&number)
    }

    /// The error for a value that is not in its range.
    pub fn out_of_range(&self) -> ParameterError {
        ParameterError::OutOfRange {
            name: self.name.to_string(),
            min: self.min,
            max: self.max,
        }
    }
}

/// A table of parameters: name, unit, range, effect and help of each.
///
/// ```
/// use pliant_core::inspect::ParameterInfo;
///
/// static PARAMETERS: [ParameterInfo; 1] = pliant_core::parameters! {
///     "young", "Pa", 1.0 => 1e12, Immediate, "Young's modulus.";
/// };
/// assert!(PARAMETERS[0].accepts(1e4));
/// ```
#[macro_export]
macro_rules! parameters {
    ($($name:expr, $unit:literal, $min:expr => $max:expr, $effect:ident, $help:literal;)+) => {
        [$($crate::inspect::ParameterInfo {
            name: $name,
            unit: $unit,
            help: $help,
            min: $min,
            max: $max,
            effect: $crate::inspect::ParameterEffect::$effect,
        }),+]
    };
}

/// When a parameter takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterEffect {
    /// At the next frame.
    Immediate,
    /// At once, on statistics alone: frames stay the same to the bit.
    Observation,
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
    #[error("parameter `{name}` {}", limits(*.min, *.max))]
    OutOfRange {
        /// Name of the parameter.
        name: String,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// Acts only after baking again.
    #[error("parameter `{0}` takes effect only after a new bake")]
    NeedsBake(String),
}

/// What is asked of a value; words have no range.
fn limits(min: f64, max: f64) -> String {
    match min < max {
        true => format!("must be between {min} and {max}"),
        false => "must be one of the words that its description names".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_number_is_told_its_range_and_a_refused_word_that_it_is_none() {
        let told = |min, max| {
            let name = "law".to_string();
            ParameterError::OutOfRange { name, min, max }.to_string()
        };
        assert_eq!(told(0.5, 2.0), "parameter `law` must be between 0.5 and 2");
        assert!(told(0.0, 0.0).contains("one of the words"));
    }
}
