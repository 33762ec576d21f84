//! A hand's motion from the text of a scene.

use pliant_core::diagnostics::nearest_name;
use pliant_core::inspect::ParameterValue;
use pliant_core::math::Vec3;
use pliant_core::scene::{Method, SceneError, hand_keys};
use toml::{Table, Value};

use super::motion::{HandHold, HandMotion};
use super::parameter::HandParameter;

/// The first line of the table.
const TABLE_LINE: &str = "[hand]";
/// Most frames: ten hours at the default rate.
const MAX_FRAMES: u64 = 36_000 * 60;
/// Most bytes of the name or of the word of a parameter.
const MAX_WORD_BYTES: usize = 100;

/// The text of a scene without the table `[hand]`, and that table.
pub(crate) fn split(text: &str) -> Result<(&str, Option<HandMotion>), SceneError> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == TABLE_LINE {
            let (scene, hand) = text.split_at(offset);
            return Ok((scene, Some(read(hand, scene.lines().count())?)));
        }
        offset += line.len();
    }
    Ok((text, None))
}

/// The table that begins after `lines` lines.
fn read(text: &str, lines: usize) -> Result<HandMotion, SceneError> {
    let mut table: Table = text.parse().map_err(|e: toml::de::Error| {
        let before = e.span().map_or("", |span| &text[..span.start]);
        SceneError::Syntax {
            line: lines + 1 + before.matches('\n').count(),
            message: e.message().trim().replace('\n', " "),
        }
    })?;
    let hand = table.remove("hand");
    if let Some(other) = table.keys().next() {
        return Err(bad(
            "",
            &format!(
                "has to be the last table of the file, and `{other}` follows it\n  remedy: move `[hand]` to the end"
            ),
        ));
    }
    let Some(Value::Table(hand)) = hand else {
        return Err(bad("", "has to be a table"));
    };
    refuse_unknown(&hand, &hand_keys(None), "hand")?;
    let frame_rate = hand.get("frame_rate").and_then(number);
    let frame_rate = frame_rate.filter(|rate| *rate > 0.0);
    let frames = hand.get("frames").and_then(count);
    let frames = frames.filter(|frames| (1..=MAX_FRAMES).contains(frames));
    let mut motion = HandMotion {
        frame_rate: needed(frame_rate, ".frame_rate", "has to be a number above 0")?,
        frames: needed(
            frames,
            ".frames",
            &format!("has to be a number from 1 to {MAX_FRAMES}"),
        )?,
        ..HandMotion::default()
    };
    let frames = motion.frames;
    for row in rows(&hand, "gravity")? {
        let span = match row {
            [from, until] => count(from).zip(count(until)),
            _ => None,
        };
        let span = span.filter(|(from, until)| from < until && *until <= frames);
        let (from, until) = needed(
            span,
            ".gravity",
            "needs pairs [FROM, UNTIL] of frames of the motion",
        )?;
        motion.gravity.push(from..until);
    }
    motion.tool = frame_rows(&hand, "tool", frames, |[x, y, z]| Vec3::new(x, y, z))?;
    let ends = |n: [f64; 12]| {
        let place = |k: usize| Vec3::new(n[k], n[k + 1], n[k + 2]);
        [[place(0), place(3)], [place(6), place(9)]]
    };
    motion.blades = frame_rows(&hand, "blade", frames, ends)?;
    motion.grabs = holds(&hand, "grab", "displacements", frames)?;
    motion.pulls = holds(&hand, "pull", "forces", frames)?;
    motion.parameters = parameters(&hand, frames)?;
    Ok(motion)
}

/// Refuses the first key of the table `at` that is not among those that are `known`.
fn refuse_unknown(table: &Table, known: &[&str], at: &str) -> Result<(), SceneError> {
    match table.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(SceneError::UnknownKey {
            path: format!("{at}.{key}"),
            remedy: match nearest_name(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys here are {}", known.join(", ")),
            },
        }),
    }
}

/// The parameters that the hand sets.
fn parameters(hand: &Table, frames: u64) -> Result<Vec<HandParameter>, SceneError> {
    let mut list: Vec<HandParameter> = Vec::new();
    for (k, table) in tables(hand, "parameter")?.iter().enumerate() {
        let at = |key: &str| format!(".parameter[{k}]{key}");
        let table = needed(table.as_table(), &at(""), "has to be a table")?;
        let known = hand_keys(Some("parameter"));
        refuse_unknown(table, &known, &format!("hand.parameter[{k}]"))?;
        let after = list.last().map_or(0, |set| set.frame);
        let frame = table.get("frame").and_then(count);
        let frame = frame.filter(|frame| (after..=frames).contains(frame));
        let method = table.get("method").and_then(Value::as_str);
        let method = method.and_then(Method::from_name);
        let value = match table.get("value") {
            Some(Value::Boolean(flag)) => Some(ParameterValue::Flag(*flag)),
            Some(Value::String(word)) => {
                is_word(word).then(|| ParameterValue::Choice(word.clone()))
            }
            other => other.and_then(number).map(ParameterValue::Number),
        };
        let name = table.get("name").and_then(Value::as_str);
        let name = name.filter(|name| is_word(name)).map(str::to_string);
        let late = "has to be a frame of the motion, not earlier than the one before";
        let methods = "has to be adaptive, quasistatic or lattice";
        let values = "has to be a number, a word, true or false";
        list.push(HandParameter {
            frame: needed(frame, &at(".frame"), late)?,
            method: needed(method, &at(".method"), methods)?,
            name: needed(name, &at(".name"), "has to be the name of a parameter")?,
            value: needed(value, &at(".value"), values)?,
        });
    }
    Ok(list)
}

/// Whether a message can tell it in one line.
fn is_word(text: &str) -> bool {
    text.len() <= MAX_WORD_BYTES && !text.chars().any(char::is_control)
}

/// The tables `key`; none where it is missing.
fn tables<'a>(hand: &'a Table, key: &str) -> Result<&'a [Value], SceneError> {
    match hand.get(key) {
        None => Ok(&[]),
        Some(Value::Array(tables)) => Ok(tables),
        Some(_) => Err(bad(
            &format!(".{key}"),
            &format!("has to be written as [[hand.{key}]]"),
        )),
    }
}

/// Frames of `key`, ascending, each with `N` numbers.
fn frame_rows<const N: usize, T>(
    hand: &Table,
    key: &str,
    frames: u64,
    of: impl Fn([f64; N]) -> T,
) -> Result<Vec<(u64, T)>, SceneError> {
    let mut list: Vec<(u64, T)> = Vec::new();
    for (k, row) in rows(hand, key)?.enumerate() {
        let after = list.last().map_or(0, |(frame, _)| frame + 1);
        let frame = row.first().and_then(count);
        let frame = frame.filter(|frame| (after..frames).contains(frame));
        let read = frame.zip(all_numbers(row.get(1..).unwrap_or_default()));
        let (frame, numbers) = read.ok_or_else(|| {
            let reason = "has to be a frame of the motion, later than the one before, and";
            bad(&format!(".{key}[{k}]"), &format!("{reason} {N} numbers"))
        })?;
        list.push((frame, of(numbers)));
    }
    Ok(list)
}

/// The tables `name` of what the hand had hold of, with three numbers for each frame under `key`.
fn holds(hand: &Table, name: &str, key: &str, frames: u64) -> Result<Vec<HandHold>, SceneError> {
    let known = hand_keys(Some(name));
    let tables = tables(hand, name)?.iter().enumerate();
    tables
        .map(|(k, table)| hold(table, (&format!("{name}[{k}]"), &known), key, frames))
        .collect()
}

/// One of them, which stands at `name` and may have the keys that are `known`.
fn hold(
    table: &Value,
    (name, known): (&str, &[&str]),
    key: &str,
    frames: u64,
) -> Result<HandHold, SceneError> {
    let at = |key: &str| format!(".{name}.{key}");
    let table = needed(table.as_table(), &format!(".{name}"), "has to be a table")?;
    refuse_unknown(table, known, &format!("hand.{name}"))?;
    let first = table.get("first").and_then(count);
    let vertices = table.get("vertices").and_then(Value::as_array);
    let vertices: Option<Vec<u32>> = vertices.and_then(|list| {
        let vertex = |v: &Value| count(v).and_then(|v| u32::try_from(v).ok());
        list.iter().map(vertex).collect()
    });
    let vertices = vertices.filter(|list| !list.is_empty() && list.is_sorted_by(|a, b| a < b));
    let mut values = Vec::new();
    for row in rows(table, key)? {
        let [x, y, z] =
            all_numbers(row).ok_or_else(|| bad(&at(key), "needs lists of three numbers"))?;
        values.push(Vec3::new(x, y, z));
    }
    let listed = "has to list skin vertices, ascending";
    let hold = HandHold {
        first: needed(first, &at("first"), "has to be a frame of the motion")?,
        vertices: needed(vertices, &at("vertices"), listed)?,
        values,
    };
    let end = hold.first.saturating_add(hold.values.len() as u64);
    match hold.values.is_empty() || end > frames {
        true => Err(bad(
            &at(key),
            "needs three numbers for each frame in which the hand holds, within the motion",
        )),
        false => Ok(hold),
    }
}

/// The lists in the list `key`; none where it is missing.
fn rows<'a>(
    table: &'a Table,
    key: &str,
) -> Result<impl Iterator<Item = &'a [Value]> + use<'a>, SceneError> {
    let list = match table.get(key) {
        None => &[][..],
        Some(Value::Array(list)) if list.iter().all(Value::is_array) => list,
        Some(_) => return Err(bad(&format!(".{key}"), "has to be a list of lists")),
    };
    Ok(list
        .iter()
        .map(|row| row.as_array().map_or(&[][..], Vec::as_slice)))
}

fn all_numbers<const N: usize>(values: &[Value]) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
    numbers?.try_into().ok()
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Float(x) => *x,
        Value::Integer(n) => *n as f64,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn count(value: &Value) -> Option<u64> {
    value.as_integer().and_then(|n| u64::try_from(n).ok())
}

/// A value, or what is wrong with its key.
fn needed<T>(value: Option<T>, key: &str, reason: &str) -> Result<T, SceneError> {
    value.ok_or_else(|| bad(key, reason))
}

fn bad(key: &str, reason: &str) -> SceneError {
    SceneError::BadValue {
        path: format!("hand{key}"),
        reason: reason.to_string(),
    }
}
