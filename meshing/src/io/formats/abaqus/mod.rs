//! Abaqus and CalculiX input, `.inp`: nodes and elements, in parts or flat (Dassault Systèmes, "Abaqus Keywords Reference Guide"; Dhondt, "CalculiX CrunchiX
//! User's Manual").

use std::borrow::Cow;
use std::collections::BTreeSet;

use pliant_core::math::Vec3;

use crate::io::assembly::cells::{Cells, Shape};
use crate::io::encoding::text::{Line, Lines, integer, number, quoted};
use crate::io::error::{Place, ReadError};
use crate::io::formats::format::{Format, Head};
use crate::io::mesh_file::{MeshFile, MeshFormat, ReadOptions};

pub(crate) static FORMAT: Format = Format {
    name: "Abaqus",
    matches,
    read: |bytes, _, options| read(bytes, options),
};

/// Keywords that make nodes and elements out of others, or fetch them from elsewhere.
const GENERATORS: [&str; 8] = [
    "INCLUDE", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM",
];
const REMEDY: &str = "export the mesh with all nodes and elements in one file, without parts, assemblies and generated nodes";

/// Whether a file begins with a keyword, and one of the first keywords is known.
fn matches(head: &Head<'_>) -> bool {
    let known = ["HEADING", "NODE", "ELEMENT", "PART"];
    let mut first = Items::new(head.bytes).take(1_000).peekable();
    let begins = matches!(first.peek(), Some(Item::Keyword(_)));
    let is_known = |item| matches!(item, Item::Keyword(k) if known.iter().any(|n| k.is(n)));
    head.is_text && begins && first.any(is_known)
}

/// Reads the nodes and the elements with flat or curved faces of three or four corners, or with four corners in space; other elements are counted.
fn read(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let mut cells = Cells::new(true, 0, options);
    let nodes = Nodes::read(bytes, &mut cells)?;
    elements(bytes, &nodes, &mut cells)?;
    cells.finish(MeshFormat::Abaqus)
}

/// Which part or instance a line belongs to: each of them numbers its nodes separately.
#[derive(Debug, Default)]
struct Scopes {
    count: u32,
    current: u32,
}

impl Scopes {
    fn update(&mut self, keyword: &Keyword<'_>) {
        if keyword.is("PART") || keyword.is("INSTANCE") {
            self.count += 1;
            self.current = self.count;
        } else if keyword.is("END PART") || keyword.is("END INSTANCE") {
            self.current = 0;
        }
    }
}

/// What the data lines behind a keyword are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Nodes,
    Instance,
    Other,
}

/// A node: its number in the file and its index in the list of vertices.
#[derive(Debug, Clone, Copy)]
struct Node {
    scope: u32,
    number: u32,
    index: u32,
    line: u32,
}

impl Node {
    fn key(&self) -> (u32, u32) {
        (self.scope, self.number)
    }
}

/// All nodes, sorted by scope and number.
#[derive(Debug)]
struct Nodes(Vec<Node>);

impl Nodes {
    fn read(bytes: &[u8], cells: &mut Cells) -> Result<Self, ReadError> {
        let mut scopes = Scopes::default();
        let mut placed = BTreeSet::new();
        let mut section = Section::Other;
        let mut nodes = Vec::new();
        for item in Items::new(bytes) {
            match item {
                Item::Keyword(keyword) => {
                    refuse_external_content(&keyword)?;
                    scopes.update(&keyword);
                    section = if keyword.is("NODE") {
                        Section::Nodes
                    } else if keyword.is("INSTANCE") {
                        let part = keyword.parameter("PART").map(<[u8]>::to_ascii_uppercase);
                        if part.is_some_and(|part| !placed.insert(part)) {
                            return Err(ReadError::unsupported("a part more than once", REMEDY));
                        }
                        Section::Instance
                    } else {
                        Section::Other
                    };
                }
                Item::Data(line) if section == Section::Nodes => {
                    let (number, position) = node(&line)?;
                    let index = cells.surface.vertex_count() as u32;
                    cells.surface.vertex(position, line.number)?;
                    nodes.push(Node {
                        scope: scopes.current,
                        number,
                        index,
                        line: line.number as u32,
                    });
                }
                Item::Data(line) if section == Section::Instance => {
                    let is_zero = |word: &[u8]| number(word) == Some(0.0);
                    if !fields(line.bytes).all(is_zero) {
                        let what = format!("a part that line {} moves into its place", line.number);
                        return Err(ReadError::unsupported(what, REMEDY));
                    }
                }
                Item::Data(_) => {}
            }
        }
        nodes.sort_unstable_by_key(|n: &Node| (n.key(), n.index));
        let twice = |pair: &&[Node]| pair[0].key() == pair[1].key();
        if let Some([first, second]) = nodes.windows(2).find(twice) {
            let what = format!("node {} stands on line {}, too", second.number, first.line);
            return Err(ReadError::syntax(Place::Line(second.line as usize), what));
        }
        Ok(Self(nodes))
    }

    fn find(&self, scope: u32, number: i64) -> Option<u32> {
        let key = (scope, u32::try_from(number).ok()?);
        let at = self.0.binary_search_by_key(&key, Node::key).ok()?;
        self.0.get(at).map(|node| node.index)
    }
}

fn refuse_external_content(keyword: &Keyword<'_>) -> Result<(), ReadError> {
    let generator = GENERATORS.iter().find(|name| keyword.is(name));
    if let Some(name) = generator {
        let what = format!("`*{name}` on line {}", keyword.line);
        return Err(ReadError::unsupported(what, REMEDY));
    }
    let mesh = keyword.is("NODE") || keyword.is("ELEMENT");
    if mesh && keyword.parameter("INPUT").is_some() {
        let what = format!("a second file on line {}", keyword.line);
        return Err(ReadError::unsupported(what, REMEDY));
    }
    let system = keyword.parameter("SYSTEM").unwrap_or(b"R");
    if keyword.is("NODE") && !system.eq_ignore_ascii_case(b"R") {
        let what = format!(
            "cylindrical or spherical coordinates on line {}",
            keyword.line
        );
        return Err(ReadError::unsupported(what, REMEDY));
    }
    Ok(())
}

/// Number and position of a line `number, x, y, z`; what follows are direction cosines.
fn node(line: &Line<'_>) -> Result<(u32, Vec3), ReadError> {
    let place = Place::Line(line.number);
    let mut fields = fields(line.bytes);
    let word = fields.next().unwrap_or_default();
    let node = integer(word).and_then(|n| u32::try_from(n).ok());
    let node = node.ok_or_else(|| {
        let what = format!("{} instead of the number of a node", quoted(word));
        ReadError::syntax(place, what)
    })?;
    let mut position = Vec3::zeros();
    for (axis, x) in position.iter_mut().enumerate() {
        let Some(word) = fields.next() else {
            let what = format!("a node with {axis} coordinates: only three dimensions are read");
            return Err(ReadError::syntax(place, what));
        };
        *x = number(word).ok_or_else(|| {
            let what = format!("{} is not a coordinate", quoted(word));
            ReadError::syntax(place, what)
        })?;
    }
    Ok((node, position))
}

/// How an element is read.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// with so many nodes
    Cell(Shape, usize),
    /// a plural
    Skipped(String),
}

impl Kind {
    /// By the name of the type: a family, then the number of nodes, then letters for the formulation, as in `C3D10MH`.
    fn of(name: &[u8]) -> Self {
        let upper = name.to_ascii_uppercase();
        let nodes = |family: &str| {
            let rest = upper.strip_prefix(family.as_bytes())?;
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            rest.get(..digits).and_then(integer)
        };
        let skipped = |kind: &str| Self::Skipped(kind.into());
        // heat (D) and acoustics (A) have the same shapes
        for family in ["C3D", "DC3D", "AC3D"] {
            match nodes(family) {
                Some(4) => return Self::Cell(Shape::Tet, 4),
                Some(10) => return Self::Cell(Shape::CurvedTet, 10),
                Some(5 | 13) => return skipped("pyramids"),
                Some(6 | 15) => return skipped("wedges"),
                Some(8 | 20 | 27) => return skipped("hexahedra"),
                _ => {}
            }
        }
        for family in ["STRI", "SFM3D", "M3D", "R3D", "DS", "S", "CPS", "CPE"] {
            match nodes(family) {
                Some(3) => return Self::Cell(Shape::Polygon, 3),
                Some(4) => return Self::Cell(Shape::Polygon, 4),
                Some(6 | 65) => return Self::Cell(Shape::CurvedPolygon(3), 6),
                Some(8) => return Self::Cell(Shape::CurvedPolygon(4), 8),
                Some(9) => return Self::Cell(Shape::CurvedPolygon(4), 9),
                _ => {}
            }
        }
        Self::Skipped(format!("elements of the type {}", quoted(&upper)))
    }
}

fn elements(bytes: &[u8], nodes: &Nodes, cells: &mut Cells) -> Result<(), ReadError> {
    let mut scopes = Scopes::default();
    let mut kind = None;
    // nodes of the current element, and whether its number has been read
    let mut corners = Vec::new();
    let mut is_open = false;
    for item in Items::new(bytes) {
        match item {
            Item::Keyword(keyword) => {
                if is_open && matches!(kind, Some(Kind::Cell(..))) {
                    let what = format!("the element before it ends after {} nodes", corners.len());
                    return Err(ReadError::syntax(Place::Line(keyword.line), what));
                }
                is_open = false;
                scopes.update(&keyword);
                kind = if keyword.is("ELEMENT") {
                    let place = Place::Line(keyword.line);
                    let name = keyword.parameter("TYPE");
                    let name =
                        name.ok_or_else(|| ReadError::syntax(place, "elements without a type"))?;
                    Some(Kind::of(name))
                } else {
                    None
                };
            }
            Item::Data(line) => match &kind {
                None => {}
                Some(Kind::Skipped(name)) => {
                    // a record goes on where its line ends with a comma
                    if !is_open {
                        cells.skip(name, 1);
                    }
                    is_open = line.bytes.trim_ascii_end().ends_with(b",");
                }
                Some(Kind::Cell(shape, count)) => {
                    let place = Place::Line(line.number);
                    for word in fields(line.bytes) {
                        let number = integer(word).ok_or_else(|| {
                            let what = format!("{} instead of the number of a node", quoted(word));
                            ReadError::syntax(place, what)
                        })?;
                        if !is_open {
                            is_open = true;
                            corners.clear();
                            continue;
                        }
                        let found = nodes.find(scopes.current, number);
                        corners.push(found.ok_or_else(|| {
                            let what =
                                format!("an element uses node {number}, which is not in the file");
                            ReadError::syntax(place, what)
                        })?);
                        if corners.len() == *count {
                            cells.cell(*shape, &corners, line.number)?;
                            is_open = false;
                        }
                    }
                }
            },
        }
    }
    if is_open && matches!(kind, Some(Kind::Cell(..))) {
        return Err(ReadError::truncated(bytes.len(), "the rest of an element"));
    }
    Ok(())
}

/// A keyword or a line of data.
#[derive(Debug)]
enum Item<'a> {
    Keyword(Keyword<'a>),
    Data(Line<'a>),
}

/// A keyword with its parameters; case and blanks are ignored.
#[derive(Debug)]
struct Keyword<'a> {
    /// behind the star, lines that belong together joined
    text: Cow<'a, [u8]>,
    /// where it begins, from 1
    line: usize,
}

impl Keyword<'_> {
    /// Whether it has this name.
    fn is(&self, name: &str) -> bool {
        let own = self.text.split(|&b| b == b',').next().unwrap_or_default();
        matches_name(own, name)
    }

    /// The value of a parameter, without quotes.
    fn parameter(&self, name: &str) -> Option<&[u8]> {
        let mut all = self.text.split(|&b| b == b',').skip(1);
        all.find_map(|parameter| {
            let equals = parameter.iter().position(|&b| b == b'=')?;
            let (key, value) = parameter.split_at(equals);
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            let quotes = value
                .strip_prefix(b"\"")
                .and_then(|v| v.strip_suffix(b"\""));
            matches_name(key, name).then(|| quotes.unwrap_or(value))
        })
    }
}

/// Whether two names are equal except for case and blanks.
fn matches_name(found: &[u8], name: &str) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        let solid = text.iter().filter(|b| !b.is_ascii_whitespace());
        solid.take(40).map(u8::to_ascii_uppercase).collect()
    };
    letters(found) == letters(name.as_bytes())
}

/// The numbers or words of a line of data: separated by commas. A trailing comma continues the list on the next line.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let line = line.trim_ascii();
    let line = line.strip_suffix(b",").unwrap_or(line);
    line.split(|&b| b == b',').map(<[u8]>::trim_ascii)
}

/// Keywords and lines of data in the order of the file, without comments (`**`) and empty lines.
#[derive(Debug)]
struct Items<'a>(Lines<'a>);

impl<'a> Items<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self(Lines::new(bytes))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let has_content = |line: &[u8]| !line.is_empty() && !line.starts_with(b"**");
        let line = self.0.find(|line| has_content(line.bytes.trim_ascii()))?;
        let Some(text) = line.bytes.trim_ascii().strip_prefix(b"*") else {
            return Some(Item::Data(line));
        };
        let mut text = Cow::Borrowed(text);
        while text.ends_with(b",") {
            let mut following = self.0.clone();
            let more = following
                .next()
                .map_or(&b""[..], |line| line.bytes.trim_ascii());
            if more.is_empty() || more.starts_with(b"*") {
                break;
            }
            text.to_mut().extend(more);
            self.0 = following;
        }
        let line = line.number;
        Some(Item::Keyword(Keyword { text, line }))
    }
}

#[cfg(test)]
pub(crate) mod tests;
