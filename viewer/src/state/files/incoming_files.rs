//! Files that were dropped on the window or chosen. A browser reads them asynchronously.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use egui::DroppedFileHandle;

/// Files that have been read, and errors of those that could not be read.
#[derive(Debug, Clone, Default)]
pub struct IncomingFiles {
    read: Arc<Mutex<Vec<Result<PathBuf, String>>>>,
}

impl IncomingFiles {
    /// Adds files that were dropped together, by their paths.
    #[cfg(not(target_family = "wasm"))]
    pub fn add_dropped(&self, files: &[DroppedFileHandle], _: &egui::Context) {
        let path = |file: &DroppedFileHandle| file.path().to_path_buf();
        let paths = files.iter().map(path);
        let named = paths.filter(|path| !path.as_os_str().is_empty());
        self.push(named.map(Ok).collect());
    }

    /// Adds files that were dropped together. The page reads them into memory, and repaints when they have been read.
    #[cfg(target_family = "wasm")]
    pub fn add_dropped(&self, files: &[DroppedFileHandle], ctx: &egui::Context) {
        let files = files.to_vec();
        self.read_later(ctx, async move {
            let mut contents = Vec::new();
            for file in &files {
                contents.push((file.path().to_path_buf(), file.bytes_async().await));
            }
            contents
        });
    }

    /// Lets the user choose files of the computer, and adds them. If the browser refuses, its reason is added.
    #[cfg(target_family = "wasm")]
    pub fn choose(&self, ctx: &egui::Context) {
        use super::browser_files::{choose, content};
        let (incoming, ctx) = (self.clone(), ctx.clone());
        let result = choose(move |files| {
            incoming.read_later(&ctx, async move {
                let mut contents = Vec::new();
                for file in &files {
                    let content = content(file).await.map_err(|reason| format!("{reason:?}"));
                    contents.push((PathBuf::from(file.name()), content));
                }
                contents
            });
        });
        if let Err(reason) = result {
            self.push(vec![Err(format!("no file can be chosen: {reason:?}"))]);
        }
    }

    /// Keeps the files that `contents` returns in memory, and repaints.
    #[cfg(target_family = "wasm")]
    fn read_later(
        &self,
        ctx: &egui::Context,
        contents: impl Future<Output = Vec<(PathBuf, Result<Vec<u8>, String>)>> + 'static,
    ) {
        let (incoming, ctx) = (self.clone(), ctx.clone());
        let keep = |(path, content): (PathBuf, Result<Vec<u8>, String>)| match content {
            Ok(bytes) => {
                pliant_simulation::scenes::keep_file(&path, bytes);
                Ok(path)
            }
            Err(reason) => Err(format!("{}: {reason}", path.display())),
        };
        wasm_bindgen_futures::spawn_local(async move {
            incoming.push(contents.await.into_iter().map(keep).collect());
            ctx.request_repaint();
        });
    }

    fn push(&self, read: Vec<Result<PathBuf, String>>) {
        let mut files_read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        files_read.extend(read);
    }

    /// Removes all files and returns the one to open: the first scene, or else the first file. An error only if no file could be read.
    pub fn take(&self) -> Option<Result<OsString, String>> {
        let mut files_read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let incoming = std::mem::take(&mut *files_read);
        let is_scene = |path: &&PathBuf| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("toml"))
        };
        let mut files = incoming.iter().flatten();
        let scene = files.clone().find(is_scene);
        if let Some(file) = scene.or_else(|| files.next()) {
            return Some(Ok(file.clone().into_os_string()));
        }
        incoming.into_iter().find_map(Result::err).map(Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_opened_rather_than_a_mesh_that_was_dropped_with_it() {
        let incoming = IncomingFiles::default();
        assert_eq!(incoming.take(), None);
        let unreadable = || Err::<OsString, _>("lost.obj: no such file".to_string());
        let failed = || unreadable().map(PathBuf::from);
        incoming.push(vec![failed()]);
        assert_eq!(incoming.take(), Some(unreadable()));
        incoming.push(vec![failed(), Ok("ear.obj".into()), Ok("ear.TOML".into())]);
        assert_eq!(incoming.take(), Some(Ok("ear.TOML".into())));
        incoming.push(vec![Ok("a.obj".into()), Ok("b.obj".into())]);
        assert_eq!(incoming.take(), Some(Ok("a.obj".into())));
        assert_eq!(incoming.take(), None);
    }
}
