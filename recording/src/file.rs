//! Recordings that are written to a file during the run.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use pliant_core::asset::bytes::{WholeFile, temporary_path};

use crate::contents::{Frame, Header, Skin, Summary, Surface};
use crate::error::RecordingError;
use crate::writer::RecordingWriter;

/// Most frames that wait for the disk. The run waits when there are more.
const MAX_QUEUED_FRAMES: usize = 8;

/// A message to the writing thread.
enum Message {
    Frame(Frame, Vec<Surface>),
    Done(Summary),
}

/// A recording that is written to a file during the run, by a thread of its own.
///
/// It is written under a temporary name and renamed by [`RecordingFile::finish`]. If it is dropped before, the temporary file is removed, and an older file of its name stays as it was.
#[derive(Debug)]
pub struct RecordingFile {
    path: PathBuf,
    header: Header,
    frames: u32,
    send: Option<SyncSender<Message>>,
    thread: Option<JoinHandle<io::Result<Option<u64>>>>,
}

impl RecordingFile {
    /// Checks before long work that `path` can be written: creates its folder, and an empty file under its temporary name, which [`RecordingFile::create`] overwrites.
    ///
    /// # Errors
    /// [`RecordingError::Unwritable`].
    pub fn reserve(path: &Path) -> Result<(), RecordingError> {
        // renaming over a device or a pipe would remove it
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            let error = io::Error::other("something is there that is no file");
            return Err(unwritable(path, &error));
        }
        path.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| File::create(temporary_path(path)))
            .map(drop)
            .map_err(|error| unwritable(path, &error))
    }

    /// Begins a recording at `path`; creates its folder.
    ///
    /// # Errors
    /// [`RecordingError::Unwritable`].
    pub fn create(path: &Path, header: Header, skin: &Skin) -> Result<Self, RecordingError> {
        Self::reserve(path)?;
        let start = || {
            let out = WholeFile::create(path)?;
            let mut writer = RecordingWriter::new(out, header.clone(), skin)?;
            let (send, receive) = sync_channel(MAX_QUEUED_FRAMES);
            let work = move || {
                while let Ok(message) = receive.recv() {
                    match message {
                        Message::Frame(frame, surfaces) => writer.frame(&frame, &surfaces)?,
                        Message::Done(summary) => {
                            let (out, bytes) = writer.finish(&summary)?;
                            out.finish()?;
                            return Ok(Some(bytes));
                        }
                    }
                }
                Ok(None)
            };
            let name = "recording".to_string();
            let thread = std::thread::Builder::new().name(name).spawn(work)?;
            Ok((send, thread))
        };
        let (send, thread) = start().map_err(|error: io::Error| unwritable(path, &error))?;
        Ok(Self {
            path: path.to_path_buf(),
            header,
            frames: 0,
            send: Some(send),
            thread: Some(thread),
        })
    }

    /// The header of the recording.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the next frame needs the surfaces of all methods.
    pub fn wants_surfaces(&self) -> bool {
        self.header.keeps_surface(self.frames)
    }

    /// Queues the next frame, with the surface of each method where [`RecordingFile::wants_surfaces`] says so.
    ///
    /// Does not wait, unless eight frames wait for the disk.
    ///
    /// # Errors
    /// [`RecordingError::Unwritable`] once the thread has failed to write.
    pub fn frame(&mut self, frame: Frame, surfaces: Vec<Surface>) -> Result<(), RecordingError> {
        self.frames += 1;
        self.send(Message::Frame(frame, surfaces))
    }

    /// Ends the recording and renames the file. Returns its length in bytes.
    ///
    /// # Errors
    /// [`RecordingError::Unwritable`]; no file is left then.
    pub fn finish(mut self, summary: Summary) -> Result<u64, RecordingError> {
        self.send(Message::Done(summary))?;
        Ok(self.join()?.unwrap_or(0))
    }

    fn send(&mut self, message: Message) -> Result<(), RecordingError> {
        let sent = self.send.as_ref().map(|s| s.send(message).is_ok());
        if sent == Some(true) {
            return Ok(());
        }
        // a thread that has stopped receiving has an error to report
        self.join()?;
        Err(unwritable(
            &self.path,
            &io::Error::other("the recording has ended"),
        ))
    }

    /// Waits for the end of the thread.
    fn join(&mut self) -> Result<Option<u64>, RecordingError> {
        self.send = None;
        let ended = self.thread.take().map(JoinHandle::join);
        let failed = |error: io::Error| unwritable(&self.path, &error);
        match ended {
            None => Ok(None),
            Some(Ok(written)) => written.map_err(failed),
            Some(Err(_)) => Err(failed(io::Error::other("the writing thread failed"))),
        }
    }
}

impl Drop for RecordingFile {
    fn drop(&mut self) {
        // the recording is discarded, and with it errors of writing; the thread removes the temporary file
        let _ = self.join();
    }
}

fn unwritable(path: &Path, error: &io::Error) -> RecordingError {
    RecordingError::Unwritable {
        file: path.to_path_buf(),
        reason: error.to_string(),
    }
}
