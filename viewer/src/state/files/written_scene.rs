//! Saving the requested text of the scene as a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_simulation::snapshot::WorldSnapshot;

use super::new_file;

/// Which text was saved last.
#[derive(Debug, Clone, Default)]
pub struct WrittenScene(Option<Arc<Result<String, String>>>);

impl WrittenScene {
    /// Saves the text of a snapshot in `folder`, if it is a new one. Returns its path, or why it could not be saved.
    pub fn save(
        &mut self,
        snapshot: &WorldSnapshot,
        folder: &Path,
    ) -> Option<Result<PathBuf, String>> {
        let text = snapshot.written_scene.as_ref()?;
        let is_saved = |saved: &Arc<_>| Arc::ptr_eq(saved, text);
        if self.0.as_ref().is_some_and(is_saved) {
            return None;
        }
        self.0 = Some(Arc::clone(text));
        let scene = new_file::scene_name(snapshot);
        let text = text.as_ref().clone();
        Some(text.and_then(|text| new_file::save(folder, scene, "hand", "toml", text.as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_saved_once_and_a_reason_is_passed_on() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path();
        let mut snapshot = crate::testing::snapshot();
        let mut written = WrittenScene::default();
        assert_eq!(written.save(&snapshot, folder), None);
        snapshot.written_scene = Some(Arc::new(Ok("name = 'x'".into())));
        let path = written
            .save(&snapshot, folder)
            .expect("new")
            .expect("saved");
        assert!(path.ends_with("welcome-hand.toml"), "{path:?}");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "name = 'x'");
        assert_eq!(written.save(&snapshot, folder), None);
        snapshot.written_scene = Some(Arc::new(Err("no scene is open".into())));
        let refused = written.save(&snapshot, folder);
        assert_eq!(refused, Some(Err("no scene is open".into())));
    }
}
