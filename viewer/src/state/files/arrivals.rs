//! Files that were dropped on the window, on their way to it: a browser reads them while the window goes on.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use egui::DroppedFileHandle;

/// Files that have arrived, and why others did not.
#[derive(Debug, Clone, Default)]
pub struct Arrivals {
    read: Arc<Mutex<Vec<Result<PathBuf, String>>>>,
}

impl Arrivals {
    /// Takes in files that were dropped together. They arrive at once, by their paths.
    #[cfg(not(target_family = "wasm"))]
    pub fn receive(&self, files: &[DroppedFileHandle], _: &egui::Context) {
        let path = |file: &DroppedFileHandle| file.path().to_path_buf();
        let paths = files.iter().map(path);
        let named = paths.filter(|path| !path.as_os_str().is_empty());
        self.arrive(named.map(Ok).collect());
    }

    /// Takes in files that were dropped together. The page reads them into memory, and draws again when they are there.
    #[cfg(target_family = "wasm")]
    pub fn receive(&self, files: &[DroppedFileHandle], ctx: &egui::Context) {
        let files = files.to_vec();
        self.read_later(ctx, async move {
            let mut contents = Vec::new();
            for file in &files {
                contents.push((file.path().to_path_buf(), file.bytes_async().await));
            }
            contents
        });
    }

    /// Lets the user choose files of the computer, and takes them in. A browser that refuses says why.
    #[cfg(target_family = "wasm")]
    pub fn choose(&self, ctx: &egui::Context) {
        use super::browser_files::{choose, content};
        let (arrivals, ctx) = (self.clone(), ctx.clone());
        let asked = choose(move |files| {
            arrivals.read_later(&ctx, async move {
                let mut contents = Vec::new();
                for file in &files {
                    let content = content(file).await.map_err(|reason| format!("{reason:?}"));
                    contents.push((PathBuf::from(file.name()), content));
                }
                contents
            });
        });
        if let Err(reason) = asked {
            self.arrive(vec![Err(format!("no file can be chosen: {reason:?}"))]);
        }
    }

    /// Keeps in memory what `contents` gives, and draws again then.
    #[cfg(target_family = "wasm")]
    fn read_later(
        &self,
        ctx: &egui::Context,
        contents: impl Future<Output = Vec<(PathBuf, Result<Vec<u8>, String>)>> + 'static,
    ) {
        let (arrivals, ctx) = (self.clone(), ctx.clone());
        let keep = |(path, content): (PathBuf, Result<Vec<u8>, String>)| match content {
            Ok(bytes) => {
                pliant_simulation::scenes::keep_file(&path, bytes);
                Ok(path)
            }
            Err(reason) => Err(format!("{}: {reason}", path.display())),
        };
        wasm_bindgen_futures::spawn_local(async move {
            arrivals.arrive(contents.await.into_iter().map(keep).collect());
            ctx.request_repaint();
        });
    }

    fn arrive(&self, read: Vec<Result<PathBuf, String>>) {
        let mut waiting = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(read);
    }

    /// What is to be opened of all that has arrived: the first scene, else the first file. An error only where no file could be read.
    pub fn take(&self) -> Option<Result<OsString, String>> {
        let mut waiting = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let arrived = std::mem::take(&mut *waiting);
        let is_scene = |path: &&PathBuf| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("toml"))
        };
        let mut files = arrived.iter().flatten();
        let scene = files.clone().find(is_scene);
        if let Some(file) = scene.or_else(|| files.next()) {
            return Some(Ok(file.clone().into_os_string()));
        }
        arrived.into_iter().find_map(Result::err).map(Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_opened_rather_than_the_mesh_that_came_with_it() {
        let arrivals = Arrivals::default();
        assert_eq!(arrivals.take(), None);
        let unreadable = || Err::<OsString, _>("lost.obj: no such file".to_string());
        let failed = || unreadable().map(PathBuf::from);
        arrivals.arrive(vec![failed()]);
        assert_eq!(arrivals.take(), Some(unreadable()));
        arrivals.arrive(vec![failed(), Ok("ear.obj".into()), Ok("ear.TOML".into())]);
        assert_eq!(arrivals.take(), Some(Ok("ear.TOML".into())));
        arrivals.arrive(vec![Ok("a.obj".into()), Ok("b.obj".into())]);
        assert_eq!(arrivals.take(), Some(Ok("a.obj".into())));
        assert_eq!(arrivals.take(), None);
    }
}
