//! Which panes are shown.

use pliant_core::scene::Method;
use pliant_simulation::snapshot::WorldSnapshot;

/// Numbers of the panes that are shown: those of the methods of the scene; all of them without a scene.
pub fn shown(snapshot: &WorldSnapshot) -> Vec<usize> {
    let is_shown = |k: &usize| match (&snapshot.setup, snapshot.panes.get(*k)) {
        (Some(setup), Some(pane)) => setup.description.methods.contains(&pane.method),
        _ => true,
    };
    (0..snapshot.panes.len()).filter(is_shown).collect()
}

/// Numbers of the panes that are drawn: only that of `maximised` if it is shown, else all that are shown.
pub fn drawn(snapshot: &WorldSnapshot, maximised: Option<Method>) -> Vec<usize> {
    let mut all = shown(snapshot);
    let is_maximised = |k: &usize| Some(snapshot.panes[*k].method) == maximised;
    if all.iter().any(is_maximised) {
        all.retain(is_maximised);
    }
    all
}

/// The shown method after `method`, cyclically; the first one for `None`.
pub fn next_shown(snapshot: &WorldSnapshot, method: Option<Method>) -> Option<Method> {
    let all = shown(snapshot);
    let method_of = |k: usize| snapshot.panes.get(k).map(|p| p.method);
    let position = all.iter().position(|k| method_of(*k) == method);
    let next = position.map_or(0, |k| (k + 1) % all.len());
    method_of(*all.get(next)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::setup_mut;

    #[test]
    fn a_method_that_the_scene_leaves_out_has_no_pane() {
        let mut snapshot = crate::testing::snapshot();
        assert_eq!(shown(&snapshot), [0, 1, 2]);
        let last = snapshot.panes[2].method;
        setup_mut(&mut snapshot).description.methods = vec![last];
        assert_eq!(shown(&snapshot), [2]);
        snapshot.setup = None;
        assert_eq!(shown(&snapshot), [0, 1, 2]);
    }

    #[test]
    fn one_pane_can_stand_alone_and_the_next_take_its_place() {
        let mut snapshot = crate::testing::snapshot();
        let [a, b, c] = [0, 1, 2].map(|k| snapshot.panes[k].method);
        assert_eq!(drawn(&snapshot, None), [0, 1, 2]);
        assert_eq!(drawn(&snapshot, Some(b)), [1]);
        assert_eq!(next_shown(&snapshot, None), Some(a));
        assert_eq!(next_shown(&snapshot, Some(a)), Some(b));
        assert_eq!(next_shown(&snapshot, Some(c)), Some(a));
        setup_mut(&mut snapshot).description.methods = vec![a, c];
        assert_eq!(next_shown(&snapshot, Some(a)), Some(c));
        assert_eq!(drawn(&snapshot, Some(b)), [0, 2], "it has no pane here");
    }
}
