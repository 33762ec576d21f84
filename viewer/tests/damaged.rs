//! Damaged settings of the window: the list of recent files, and the word for the theme. The test command runs a fixed number of cases; `cargo
//! xtask fuzz` runs this program for a given time.

use std::path::{Path, PathBuf};

use pliant_fuzzing::{Counting, Limits, Plan, Target, fuzz_all};
use pliant_viewer::{RecentFiles, settings};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A reader under test.
struct Reader {
    /// As `cargo xtask fuzz` calls it.
    name: &'static str,
    file: &'static str,
    good: &'static [&'static [u8]],
    tokens: &'static [&'static [u8]],
    /// Reads what is in the folder and changes it; a sentence if a rule was broken.
    using: fn(&Path) -> Option<String>,
}

const READERS: [Reader; 2] = [
    Reader {
        name: "recent",
        file: "recent.txt",
        good: &[
            b"/home/a/liver.stl\n/tmp/with a space.toml\n",
            "/home/\u{fc}ber/k\u{f6}rper.obj\r\n\r\n/b.ply\r\n".as_bytes(),
            b"",
        ],
        tokens: &[b"/a.stl\n", b"\n", b"\r", b"\0", b"../..", b"\x1b[2J"],
        using: recent,
    },
    Reader {
        name: "theme",
        file: "theme.txt",
        good: &[b"light\n", b"dark\n"],
        tokens: &[b"light", b"dark", b" ", b"\n", b"\0"],
        using: chosen,
    },
];

/// Most files that are kept.
const MAX_FILES: usize = 10;

/// A list of any bytes has at most ten files; one that is opened comes first, and is there when the list is read again.
fn recent(folder: &Path) -> Option<String> {
    let store = folder.join("recent.txt");
    let mut list = RecentFiles::kept_in(Some(store.clone()));
    let found = list.files().len();
    let opened = std::path::absolute(&store).expect("a path");
    list.opened(&opened);
    let again = RecentFiles::kept_in(Some(store));
    let is_sound = found <= MAX_FILES
        && list.files().len() <= MAX_FILES
        && list.files().first() == Some(&opened)
        && again.files().first() == Some(&opened)
        && again.files().len() == list.files().len();
    let lists = || format!("gave {found} files, then {list:?}, then {again:?}");
    (!is_sound).then(lists)
}

/// A theme of any bytes is a theme or none, and another one takes its place.
fn chosen(folder: &Path) -> Option<String> {
    let found = settings::theme(folder);
    for other in [egui::Theme::Light, egui::Theme::Dark] {
        settings::keep_theme(folder, other);
        if settings::theme(folder) != Some(other) {
            return Some(format!("gave {found:?} and does not keep {other:?}"));
        }
    }
    None
}

impl Target for Reader {
    fn name(&self) -> &str {
        self.name
    }

    fn files(&self) -> Vec<Vec<u8>> {
        self.good.iter().map(|bytes| bytes.to_vec()).collect()
    }

    fn tokens(&self) -> &[&[u8]] {
        self.tokens
    }

    fn check(&self, bytes: &[u8]) -> Option<String> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(self.name);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(self.file), bytes).expect("written");
        let reading = |_: &[u8]| Ok((self.using)(&folder));
        Limits::default().complaint(bytes, reading, |complaint| complaint)
    }
}

#[test]
fn no_damaged_setting_breaks_its_reader() {
    for reader in &READERS {
        for bytes in reader.files() {
            assert_eq!(reader.check(&bytes), None, "{}: {bytes:?}", reader.name);
        }
    }
    let folder = env!("CARGO_TARGET_TMPDIR");
    fuzz_all(&READERS, &Plan::from_environment(), folder.as_ref());
}
