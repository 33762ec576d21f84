//! From the text of a scene to what its bodies touch.

use pliant_contact::BodyContact;
use pliant_core::scene::Method;

use crate::setup::Setup;

/// What the bodies of a kind touch: the same in all methods where the scene makes no difference.
pub(crate) fn body_contact(kind: &Setup, method: Method) -> BodyContact {
    let body = &kind.description.body;
    let common = BodyContact {
        with_others: body.lattice.body_contact,
        with_itself: body.lattice.self_contact,
        friction: body.lattice.friction,
    };
    match method {
        Method::Adaptive => BodyContact {
            with_others: body.adaptive.body_contact.unwrap_or(common.with_others),
            with_itself: body.adaptive.self_contact.unwrap_or(common.with_itself),
            friction: body.adaptive.friction.unwrap_or(common.friction),
        },
        Method::Lattice | Method::Quasistatic => common,
    }
}
