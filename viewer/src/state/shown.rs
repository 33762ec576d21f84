//! Which panes are shown.

use pliant_simulation::snapshot::WorldSnapshot;

/// Numbers of the panes that are shown: those of the methods that the scene asks for; all of them before there is a scene.
pub fn shown(snapshot: &WorldSnapshot) -> Vec<usize> {
    let asked = |k: &usize| match (&snapshot.setup, snapshot.panes.get(*k)) {
        (Some(setup), Some(pane)) => setup.description.methods.contains(&pane.method),
        _ => true,
    };
    (0..snapshot.panes.len()).filter(asked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_the_scene_leaves_out_has_no_pane() {
        let mut snapshot = crate::testing::snapshot();
        assert_eq!(shown(&snapshot), [0, 1, 2]);
        let mut setup =
            pliant_simulation::setup::Setup::clone(snapshot.setup.as_deref().expect("a scene"));
        setup.description.methods = vec![snapshot.panes[2].method];
        snapshot.setup = Some(setup.into());
        assert_eq!(shown(&snapshot), [2]);
        snapshot.setup = None;
        assert_eq!(shown(&snapshot), [0, 1, 2]);
    }
}
