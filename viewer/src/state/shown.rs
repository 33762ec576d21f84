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

/// Numbers of the panes that are drawn: only that of `maximised` if it is shown, else all that are shown but for those of `hidden` methods. A scene without another method has all of its panes.
pub fn drawn(snapshot: &WorldSnapshot, maximised: Option<Method>, hidden: &[Method]) -> Vec<usize> {
    let all = shown(snapshot);
    let method = |k: usize| snapshot.panes[k].method;
    let alone = all.iter().find(|&&k| Some(method(k)) == maximised);
    if let Some(&alone) = alone {
        return vec![alone];
    }
    let is_visible = |k: &usize| !hidden.contains(&method(*k));
    let visible: Vec<usize> = all.iter().copied().filter(is_visible).collect();
    if visible.is_empty() { all } else { visible }
}

/// Why the pane of `method` can be neither hidden nor shown; `None` where it can.
pub fn fixed_pane(
    snapshot: &WorldSnapshot,
    hidden: &[Method],
    method: Method,
) -> Option<&'static str> {
    if snapshot.setup.is_none() {
        return Some("no scene is open");
    }
    let is_of = |k: &usize| snapshot.panes[*k].method == method;
    if !shown(snapshot).iter().any(is_of) {
        return Some("this scene leaves the method out");
    }
    let visible = drawn(snapshot, None, hidden);
    let is_last = visible.len() == 1 && visible.iter().any(is_of);
    is_last.then_some("it is the only pane that is shown")
}

/// The hidden methods after the pane of `method` was hidden, or shown again.
pub fn with_pane_toggled(
    snapshot: &WorldSnapshot,
    hidden: &[Method],
    method: Method,
) -> Vec<Method> {
    let visible = drawn(snapshot, None, hidden);
    let is_hidden = |k: &usize| visible.contains(k) == (snapshot.panes[*k].method == method);
    let left = shown(snapshot).into_iter().filter(is_hidden);
    left.map(|k| snapshot.panes[k].method).collect()
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
        assert_eq!(drawn(&snapshot, None, &[]), [0, 1, 2]);
        assert_eq!(drawn(&snapshot, Some(b), &[b]), [1]);
        assert_eq!(next_shown(&snapshot, None), Some(a));
        assert_eq!(next_shown(&snapshot, Some(a)), Some(b));
        assert_eq!(next_shown(&snapshot, Some(c)), Some(a));
        setup_mut(&mut snapshot).description.methods = vec![a, c];
        assert_eq!(next_shown(&snapshot, Some(a)), Some(c));
        assert_eq!(
            drawn(&snapshot, Some(b), &[]),
            [0, 2],
            "it has no pane here"
        );
    }

    #[test]
    fn panes_are_hidden_and_shown_again_but_for_the_last_one() {
        let mut snapshot = crate::testing::snapshot();
        let [a, b, c] = [0, 1, 2].map(|k| snapshot.panes[k].method);
        let two = with_pane_toggled(&snapshot, &[], b);
        assert_eq!(
            (two.clone(), drawn(&snapshot, None, &two)),
            (vec![b], vec![0, 2])
        );
        assert!(with_pane_toggled(&snapshot, &two, b).is_empty());
        let one = with_pane_toggled(&snapshot, &two, a);
        assert_eq!(drawn(&snapshot, None, &one), [2]);
        assert_eq!(fixed_pane(&snapshot, &two, c), None);
        assert!(fixed_pane(&snapshot, &one, c).is_some());
        assert_eq!(fixed_pane(&snapshot, &one, a), None);
        // a scene whose methods were all hidden in another one
        setup_mut(&mut snapshot).description.methods = vec![a, b];
        assert_eq!(drawn(&snapshot, None, &one), [0, 1]);
        assert_eq!(with_pane_toggled(&snapshot, &one, a), [a]);
        assert!(fixed_pane(&snapshot, &one, c).is_some());
    }
}
