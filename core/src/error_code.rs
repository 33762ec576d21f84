//! Codes of errors: the names of their variants.

/// The name of the variant of an error enum, from its debug form: what scripts match on, and what the JSON output has.
///
/// ```
/// use pliant_core::error_code::variant_name;
/// use pliant_core::model::StepError;
///
/// assert_eq!(variant_name(&StepError::Unconstrained), "Unconstrained");
/// ```
pub fn variant_name(error: &impl std::fmt::Debug) -> String {
    let text = format!("{error:?}");
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    text[..end].to_string()
}
