//! Commands that hide the pane of a method, and show it again.

use pliant_core::scene::Method;

use super::window_command::WindowCommand;
use crate::panels::context::Context;
use crate::state::{fixed_pane, with_pane_toggled};

const ABOUT: &str = "beside the others; a hidden method goes on running, and its curves stay";

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[ADAPTIVE, QUASISTATIC, LATTICE];

const ADAPTIVE: WindowCommand = WindowCommand::new("Hide or show the pane of Adaptive", ABOUT)
    .unless(|cx| refused(cx, Method::Adaptive))
    .runs(|_, cx| toggle(cx, Method::Adaptive));

const QUASISTATIC: WindowCommand =
    WindowCommand::new("Hide or show the pane of Quasistatic", ABOUT)
        .unless(|cx| refused(cx, Method::Quasistatic))
        .runs(|_, cx| toggle(cx, Method::Quasistatic));

const LATTICE: WindowCommand = WindowCommand::new("Hide or show the pane of Lattice", ABOUT)
    .unless(|cx| refused(cx, Method::Lattice))
    .runs(|_, cx| toggle(cx, Method::Lattice));

/// The command for the pane of `method`.
pub fn pane_of(method: Method) -> &'static WindowCommand {
    match method {
        Method::Adaptive => &ADAPTIVE,
        Method::Quasistatic => &QUASISTATIC,
        Method::Lattice => &LATTICE,
    }
}

fn refused(cx: &Context<'_>, method: Method) -> Option<&'static str> {
    fixed_pane(cx.snapshot, &cx.state.hidden, method)
}

/// All that are not hidden are seen, so that the change is visible.
fn toggle(cx: &mut Context<'_>, method: Method) {
    cx.state.hidden = with_pane_toggled(cx.snapshot, &cx.state.hidden, method);
    cx.state.maximised = None;
}
