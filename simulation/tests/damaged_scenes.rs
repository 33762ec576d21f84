//! The scene reader on damaged scenes: values of other kinds, numbers out of all bounds, keys that are gone, doubled or in the wrong place, damaged text. The test command runs
//! some thousands of cases; `cargo xtask fuzz scene` runs this program for as long as it is told to.

use pliant_core::scene::load_scene;
use pliant_fuzzing::{Plan, Random};
use pliant_simulation::scenes::BUNDLED;
use toml::{Table, Value};

/// Cases of the test command.
const CASES: u64 = 3_000;
/// Longest message, characters. Damaged strings are shorter than a tenth of it.
const MAX_MESSAGE_LENGTH: usize = 1_000;

/// One of them.
fn pick<'a, T>(items: &'a [T], random: &mut Random) -> &'a T {
    random.pick(items).expect("some")
}

/// A step from a value to one inside.
#[derive(Clone)]
enum Step {
    Key(String),
    Item(usize),
}

/// Paths to all values inside `value`.
fn places(value: &Value, path: &mut Vec<Step>, all: &mut Vec<Vec<Step>>) {
    let mut inside = |step: Step, value: &Value| {
        path.push(step);
        all.push(path.clone());
        places(value, path, all);
        path.pop();
    };
    match value {
        Value::Table(table) => table
            .iter()
            .for_each(|(key, value)| inside(Step::Key(key.clone()), value)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(k, value)| inside(Step::Item(k), value)),
        _ => {}
    }
}

fn at<'a>(value: &'a mut Value, path: &[Step]) -> &'a mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Item(k) => &mut value[*k],
    })
}

/// Another value in place of `value`; `others` are values of all scenes.
fn damaged(value: &Value, others: &[Value], random: &mut Random) -> Value {
    let factors = [
        0.0,
        -1.0,
        10.0,
        1e-3,
        1e6,
        1e-12,
        1e12,
        1e300,
        f64::NAN,
        f64::INFINITY,
    ];
    let number = |number: f64, random: &mut Random| match random.below(4) {
        0 => Value::Integer(*pick(&[0, -1, 1, 7, 1 << 53, i64::MIN, i64::MAX], random)),
        _ => Value::Float(number * pick(&factors, random)),
    };
    let unlike = [
        Value::Boolean(true),
        Value::Integer(0),
        Value::String(String::new()),
        Value::String("é\u{0}\n\" [x] = ".repeat(8)),
        Value::Array(Vec::new()),
        Value::Table(Table::new()),
    ];
    match (random.below(3), value) {
        (0, _) => pick(&unlike, random).clone(),
        (1, _) => pick(others, random).clone(),
        (_, Value::Float(f)) => number(*f, random),
        (_, Value::Integer(i)) => number(*i as f64, random),
        (_, Value::Array(items)) => {
            let mut items = items.clone();
            match random.below(3) {
                0 => items.truncate(random.below(items.len())),
                1 => items.reverse(),
                _ => items.extend(items.clone()),
            }
            Value::Array(items)
        }
        _ => pick(others, random).clone(),
    }
}

/// One damaged scene: the same for the same seed and number.
fn case(scenes: &[Value], others: &[Value], seed: u64, number: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
    let mut scene = pick(scenes, &mut random).clone();
    for _ in 0..=random.below(3) {
        let mut all = Vec::new();
        places(&scene, &mut Vec::new(), &mut all);
        let path = pick(&all, &mut random).clone();
        let Some((last, parent)) = path.split_last() else {
            continue;
        };
        let kind = random.below(8);
        match (at(&mut scene, parent), last) {
            (Value::Table(table), Step::Key(key)) if kind == 0 => {
                table.remove(key);
            }
            (Value::Table(table), Step::Key(key)) if kind == 1 => {
                // a key of another place
                let name = all.iter().rev().find_map(|path| match path.last() {
                    Some(Step::Key(other)) if other != key && random.below(9) == 0 => Some(other),
                    _ => None,
                });
                let value = pick(others, &mut random).clone();
                table.insert(name.unwrap_or(key).clone(), value);
            }
            (Value::Array(items), Step::Item(k)) if kind == 0 => {
                let twin = items[*k].clone();
                items.push(twin);
            }
            (parent, last) => {
                let place = at(parent, std::slice::from_ref(last));
                *place = damaged(place, others, &mut random);
            }
        }
    }
    let mut text = toml::to_string(&scene).expect("a scene is a table");
    if random.below(6) == 0 {
        let mut bytes = std::mem::take(&mut text).into_bytes();
        for _ in 0..=random.below(4) {
            let k = random.below(bytes.len());
            match random.below(3) {
                0 => bytes.truncate(k),
                1 => bytes.insert(k, random.below(256) as u8),
                _ => drop(bytes.splice(k..k + random.below(9).min(bytes.len() - k), [])),
            }
        }
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    text
}

/// What is wrong with the answer to `text`, if anything.
fn find_fault(text: &str) -> Option<String> {
    match load_scene(text) {
        Ok(scene) => {
            let body = std::iter::once(&scene.body).chain(&scene.others);
            let materials = body.flat_map(|b| {
                [
                    b.material.elastic.young,
                    b.material.elastic.poisson,
                    b.material.density,
                ]
            });
            let mut numbers = [scene.duration, scene.frame_rate]
                .into_iter()
                .chain(scene.gravity.iter().copied())
                .chain(materials);
            let is_sound = numbers.all(f64::is_finite) && scene.duration > 0.0;
            (!is_sound).then(|| "a number without bounds was taken".to_string())
        }
        Err(error) => {
            let told = error.to_string();
            let lines = told.lines().count();
            if error.place().is_empty() {
                Some(format!("no place: {told}"))
            } else if !(1..=2).contains(&lines) || told.chars().count() > MAX_MESSAGE_LENGTH {
                Some(format!("{lines} lines: {told}"))
            } else {
                None
            }
        }
    }
}

#[test]
fn no_damaged_scene_breaks_the_reader() {
    let plan = Plan::from_environment();
    let seed = plan.seed();
    let scenes: Vec<Value> = BUNDLED
        .iter()
        .map(|(_, text)| Value::Table(text.parse().expect("bundled")))
        .collect();
    let mut others = Vec::new();
    for scene in &scenes {
        let mut all = Vec::new();
        places(scene, &mut Vec::new(), &mut all);
        let mut scene = scene.clone();
        others.extend(all.iter().map(|path| at(&mut scene, path).clone()));
    }
    let (mut refused, mut cases) = (0, 0);
    for number in plan.cases(CASES) {
        let text = case(&scenes, &others, seed, number);
        if let Some(fault) = find_fault(&text) {
            panic!("case {number} of seed {seed}: {fault}\n{text}");
        }
        refused += u64::from(load_scene(&text).is_err());
        cases += 1;
    }
    println!("scene: {cases} cases, {refused} refused");
    // damage that nothing notices tests nothing
    assert!(refused > cases / 4, "{refused} of {cases}");
}
