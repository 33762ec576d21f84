//! Triangle strips: the element `tristrips` of the Stanford repository and of VRIP.

use super::header::Element;
use crate::io::assembly::polygons::Polygons;
use crate::io::error::ReadError;

/// Whether an element holds strips.
pub(super) fn holds_strips(element: &Element) -> bool {
    matches!(element.name.as_slice(), b"tristrips" | b"tristrip")
}

/// A list of strips that is being read: each corner makes a triangle with the two before it, and −1 ends a strip.
///
/// Every second triangle of a strip has the opposite orientation and is flipped. Two equal corners only continue the strip elsewhere and make no triangle.
#[derive(Debug, Default)]
pub(super) struct Strips {
    last: [u32; 2],
    /// corners of the strip so far
    length: usize,
}

impl Strips {
    /// The next number of the list, which stands at line or byte `at`.
    pub fn corner(&mut self, number: i64, mesh: &mut Polygons, at: usize) -> Result<(), ReadError> {
        if number == -1 {
            self.end(mesh, at);
            return Ok(());
        }
        let Ok(corner) = u32::try_from(number) else {
            return Err(mesh.out_of_range(number, at as u32));
        };
        let [a, b] = self.last;
        self.length += 1;
        let is_triangle = a != b && b != corner && corner != a;
        if self.length >= 3 && is_triangle {
            let is_flipped = self.length.is_multiple_of(2);
            mesh.triangle(
                if is_flipped {
                    [b, a, corner]
                } else {
                    [a, b, corner]
                },
                at,
            );
        } else {
            mesh.note_references(&[corner], at);
        }
        self.last = [b, corner];
        Ok(())
    }

    /// Ends the strip; one of a corner or two is counted as a face too short.
    pub fn end(&mut self, mesh: &mut Polygons, at: usize) {
        if matches!(self.length, 1 | 2) {
            mesh.polygon(&[], at);
        }
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use crate::io::error::{Place, ReadError};
    use crate::io::read::read_mesh_bytes;
    use crate::test_bodies::assert_contains;

    const POINTS: &str = "element vertex 5\nproperty float x\nproperty float y\nproperty float z\n";
    const COORDINATES: &str = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n";

    /// A text file with these strips, one a line.
    fn strips(lines: &[&str]) -> Vec<u8> {
        let count = lines.len();
        format!(
            "ply\nformat ascii 1.0\ncomment zipper output\nobj_info num_cols 512\n{POINTS}element tristrips {count}\nproperty list int int vertex_indices\nend_header\n{COORDINATES}{}\n",
            lines.join("\n")
        )
        .into_bytes()
    }

    fn triangles(bytes: &[u8]) -> Vec<[u32; 3]> {
        read_mesh_bytes(bytes).expect("strips").surface.triangles
    }

    #[test]
    fn a_strip_turns_every_second_triangle_and_minus_one_begins_anew() {
        let one = triangles(&strips(&["5 0 1 2 3 4"]));
        assert_eq!(one, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
        let two = triangles(&strips(&["9 0 1 2 -1 1 3 2 4 -1"]));
        assert_eq!(two, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
        let lists = triangles(&strips(&["3 0 1 2", "4 1 3 2 4"]));
        assert_eq!(lists, two);
        // repeated corners continue the strip and keep the orientation of its triangles
        let stitched = triangles(&strips(&["7 0 1 2 2 2 3 4"]));
        assert_eq!(stitched, [[0, 1, 2], [2, 3, 4]]);
    }

    #[test]
    fn binary_strips_are_the_same_and_all_ones_end_a_strip_of_unsigned_numbers() {
        for (kind, big_endian) in [("int", true), ("uint", false)] {
            let order = if big_endian { "big" } else { "little" };
            let mut bytes = format!(
                "ply\nformat binary_{order}_endian 1.0\n{POINTS}element tristrips 1\nproperty list int {kind} vertex_indices\nend_header\n"
            )
            .into_bytes();
            let mut put = |word: u32| {
                bytes.extend(if big_endian {
                    word.to_be_bytes()
                } else {
                    word.to_le_bytes()
                });
            };
            for word in COORDINATES.split_whitespace() {
                put(word.parse::<f32>().expect("a number").to_bits());
            }
            for word in [8, 0, 1, 2, u32::MAX, 1, 3, 2, 4] {
                put(word);
            }
            let expected = [[0, 1, 2], [1, 3, 2], [2, 3, 4]];
            assert_eq!(triangles(&bytes), expected, "{kind}");
            let cut = &bytes[..bytes.len() - 1];
            let error = read_mesh_bytes(cut).expect_err("cut");
            assert_eq!(error.code(), "Truncated", "{error}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_strip_is_named_with_its_line() {
        // the second strip stands in line 18
        let wrong = |line: &str| read_mesh_bytes(&strips(&["3 0 1 2", line])).expect_err(line);
        for (line, index) in [("3 0 1 5", 5), ("4 0 1 2 -2", -2), ("4 9 0 1 2", 9)] {
            let place = Place::Line(18);
            let expected = ReadError::IndexOutOfRange {
                place,
                index,
                vertices: 5,
            };
            assert_eq!(wrong(line), expected, "{line}");
        }
        for (line, words) in [("3 0 1.5 2", "whole number"), ("3 0 one 2", "not a number")] {
            let error = wrong(line).to_string();
            assert_contains(&error, "line 18");
            assert_contains(&error, words);
        }
        assert_eq!(wrong("4 0 1 2").code(), "Truncated");
        let short = read_mesh_bytes(&strips(&["2 0 1"])).expect_err("no triangle");
        assert_eq!(short.code(), "NoTriangles");
        let file = read_mesh_bytes(&strips(&["3 0 1 2", "2 3 4"])).expect("one triangle");
        assert_eq!((file.surface.triangles.len(), file.notes.len()), (1, 1));
    }

    #[test]
    fn faces_win_over_strips_and_a_note_says_so() {
        let text = String::from_utf8(strips(&["3 0 1 2"])).expect("text");
        let text = text.replace(
            "element tristrips",
            "element face 1\nproperty list uchar int vertex_index\nelement tristrips",
        );
        let text = text.replace("\n3 0 1 2", "\n3 1 3 2\n3 0 1 2");
        let file = read_mesh_bytes(text.as_bytes()).expect("a face");
        assert_eq!(file.surface.triangles, [[1, 3, 2]]);
        assert_contains(&file.notes.join("\n"), "strips");
    }
}
