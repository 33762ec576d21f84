//! Which scenes have no reference, and why.

use pliant_core::scene::Method;

use super::span::Span;
use crate::error::BuildError;
use crate::reference::kind::ReferenceKind;
use crate::setup::Setup;

/// Why there is no reference.
pub(in crate::reference) fn refused(code: &str, reason: &str) -> BuildError {
    BuildError::NotApplicable {
        method: Method::Adaptive,
        code: code.into(),
        reason: reason.into(),
    }
}

/// Whether there can be a reference of this kind.
pub(in crate::reference) fn check(
    kind: ReferenceKind,
    setup: &Setup,
    span: &Span,
) -> Result<(), BuildError> {
    if setup.is_group() {
        return Err(refused(
            "ReferenceOfSeveralBodies",
            "a reference can be computed only for a single body without self-contact\n  remedy: compare without a reference",
        ));
    }
    if setup.has_blades() || span.hand.iter().any(|hand| hand.blade.is_some()) {
        return Err(refused(
            "ReferenceOfACutBody",
            "a reference can be computed only for a body that is not cut\n  remedy: compare without a reference",
        ));
    }
    if setup.description.body.fracture.breaks() {
        return Err(refused(
            "ReferenceOfABreakingBody",
            "a reference can be computed only for a body that does not break, but this material has a strength or a toughness\n  remedy: compare without a reference",
        ));
    }
    if kind == ReferenceKind::Dynamic {
        return Ok(());
    }
    if setup.geometry.supports.is_empty() {
        return Err(refused(
            "ReferenceNeedsASupport",
            "nothing holds the body, so that it has no equilibrium, which static and linear references are\n  remedy: add a [[body.support]], or compare with a dynamic reference",
        ));
    }
    let holds = !setup.grabs.is_empty() || setup.tools.iter().any(|t| t.adhesion.is_some());
    if kind == ReferenceKind::Linear && (holds || span.holds()) {
        return Err(refused(
            "ReferenceOfAHeldSkin",
            "a linear reference can be computed only for tools that press, but here a grab or a sticky tool holds the skin\n  remedy: compare with a static or a dynamic reference",
        ));
    }
    Ok(())
}
