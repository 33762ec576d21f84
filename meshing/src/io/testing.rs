//! What tests of several readers share.

use super::error::ReadError;
use super::mesh_file::MeshFile;

/// Asserts how a reader refuses a text with one part replaced. Each row is `part => instead | code | place | words`, with words of the message. A `*` ends a place of
/// which only the beginning is known. Without a place in the row, the error has none.
#[track_caller]
pub(crate) fn assert_refused(
    text: &str,
    read: impl Fn(&[u8]) -> Result<MeshFile, ReadError>,
    rows: &[&str],
) {
    for row in rows {
        let mut fields = row.split(" | ");
        let change = fields.next().and_then(|change| change.split_once(" => "));
        let (part, instead) = change.expect(row);
        assert!(text.contains(part), "{row}");
        let error = read(text.replacen(part, instead, 1).as_bytes()).expect_err(row);
        assert_eq!(error.code(), fields.next().expect(row), "{row}: {error}");
        let (expected, place) = (
            fields.next().unwrap_or(""),
            error.place().unwrap_or_default(),
        );
        match expected.strip_suffix('*') {
            Some(start) => assert!(place.starts_with(start), "{row}: {error}"),
            None => assert_eq!(place, expected, "{row}: {error}"),
        }
        let words = fields.next().unwrap_or("");
        assert!(error.to_string().contains(words), "{row}: {error}");
    }
}
