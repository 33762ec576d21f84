//! What tests of several readers share.

use super::read::read_mesh_bytes;

/// Asserts how a reader refuses a text with one part replaced. Each row has the part, what stands there instead, the code of the error, its place and words of its message.
/// The place `byte` is any byte. An empty one says that the error has none.
#[track_caller]
pub(crate) fn assert_refused(text: &str, rows: &[(&str, &str, &str, &str, &str)]) {
    for &(part, instead, code, place, words) in rows {
        let row = format!("`{part}` => `{instead}`");
        assert!(text.contains(part), "{row}");
        let changed = text.replacen(part, instead, 1);
        let error = read_mesh_bytes(changed.as_bytes()).expect_err(&row);
        assert_eq!(error.code(), code, "{row}: {error}");
        let found = error.place().unwrap_or_default();
        let any_byte = place == "byte" && found.starts_with("byte ");
        assert!(any_byte || found == place, "{row}: {error}");
        assert!(error.to_string().contains(words), "{row}: {error}");
    }
}
