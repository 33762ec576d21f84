//! From TOML text to a checked scene.

use toml::Value;

use crate::math::Vec3;
use crate::scene::body::{BodyDescription, read_body};
use crate::scene::check::{check_names, read_check};
use crate::scene::comparison::read_comparison;
use crate::scene::description::{SceneDescription, read_view};
use crate::scene::error::SceneError;
use crate::scene::grab::read_grab;
use crate::scene::method::{Method, read_method};
use crate::scene::motion::read_paths;
use crate::scene::probe::read_probe;
use crate::scene::text::{Reader, check_keys, check_strings};
use crate::scene::tool::{check_carriers, read_tool, repeat_tools};

/// Largest gravity along an axis, m/s²: that of a strong centrifuge.
const MAX_GRAVITY: f64 = 1e5;

/// Duration of a run without a window for a scene without an end, s.
const DURATION_WITHOUT_END: f64 = 4.0;

/// Reads a scene and checks syntax, keys, types, ranges and names.
///
/// # Errors
/// [`SceneError`] names the first key that is wrong and what to do.
///
/// ```
/// use pliant_core::scene::load_scene;
/// let scene = load_scene(r#"
///     schema = 1
///     name = "hello"
///     body = [ { name = "ball", mesh = { procedural = "sphere", longest = 0.1 } } ]
/// "#)?;
/// assert_eq!(scene.frame_rate, 60.0);
/// let wrong = load_scene("schema = 1\nnamme = 'x'").unwrap_err();
/// assert_eq!(wrong.code(), "UnknownKey");
/// assert!(wrong.to_string().contains("did you mean `name`?"));
/// # Ok::<(), pliant_core::scene::SceneError>(())
/// ```
pub fn load_scene(text: &str) -> Result<SceneDescription, SceneError> {
    let table: toml::Table = text
        .parse()
        .map_err(|e: toml::de::Error| SceneError::Syntax {
            line: e.span().map_or(1, |span| {
                text[..span.start.min(text.len())].matches('\n').count() + 1
            }),
            message: e.message().trim().replace('\n', " "),
        })?;
    check_strings(&table)?;
    check_keys(&table)?;
    let scene = Reader::new(&table, "");
    match scene.get("schema") {
        None | Some(Value::Integer(1)) => {}
        Some(Value::Integer(other)) => {
            return Err(SceneError::NotYetSupported {
                path: format!("schema = {other}"),
                instead: "write schema = 1".into(),
            });
        }
        Some(_) => return Err(scene.bad("schema", "must be the whole number 1")),
    }
    let mut bodies = scene.each("body", read_body)?.into_iter();
    let body = bodies.next().ok_or_else(|| scene.missing("body"))?;
    let others: Vec<BodyDescription> = bodies.collect();
    let names: Vec<&String> = [&body]
        .into_iter()
        .chain(&others)
        .map(|b| &b.name)
        .collect();
    let paths = read_paths(&scene)?;
    let duration = scene.number_in("duration", (0.0, 3600.0), "s")?;
    let (nu0, reference) = read_comparison(&scene)?;
    let mut methods = Vec::new();
    for name in scene.texts("methods")? {
        methods.push(read_method(&scene, "methods", name)?);
    }
    if methods.is_empty() {
        let reason =
            "names no method\n  remedy: name at least one, or leave it out for all of them";
        scene.refuse(&["methods"], reason)?;
        methods.extend(Method::ALL);
    }
    methods.sort_unstable();
    methods.dedup();
    let mut result = SceneDescription {
        name: scene.text("name")?.unwrap_or("scene").to_string(),
        title: scene.text("title")?.unwrap_or("").to_string(),
        duration: duration
            .filter(|d| *d > 0.0)
            .unwrap_or(DURATION_WITHOUT_END),
        frame_rate: scene
            .number_in("frame_rate", (1.0, 10_000.0), "frames a second")?
            .unwrap_or(60.0),
        gravity: read_gravity(&scene)?,
        strain_hint: scene
            .number_in("strain_hint", (0.0, 10.0), "")?
            .unwrap_or(0.0),
        seed: match scene.get("seed") {
            None => 0,
            Some(Value::Integer(n)) => *n as u64,
            Some(_) => return Err(scene.bad("seed", "must be a whole number")),
        },
        methods,
        nu0,
        reference,
        tools: scene.each("tool", |t| read_tool(t, &paths))?,
        grabs: scene.each("grab", |g| read_grab(g, &paths, &names))?,
        probes: scene.each("probe", |p| read_probe(p, &names))?,
        checks: scene.each("check", read_check)?,
        view: read_view(&scene)?,
        body,
        others,
    };
    let kinds = [&result.body].into_iter().chain(&result.others);
    scene.unique("body", kinds.clone().map(|b| b.name.as_str()))?;
    check_carriers(&result.tools)?;
    repeat_tools(&scene, &mut result.tools)?;
    scene.unique("tool", result.tools.iter().map(|t| t.name.as_str()))?;
    scene.unique("grab", result.grabs.iter().map(|g| g.name.as_str()))?;
    scene.unique("probe", result.probes.iter().map(|p| p.name.as_str()))?;
    let probes = result.probes.iter().map(|p| p.name.as_str());
    let tools = result.tools.iter().map(|t| t.name.as_str());
    check_names(&result.checks, probes, tools)?;
    for (k, body) in kinds.enumerate() {
        let path = format!("body[{k}].support");
        scene.unique(&path, body.supports.iter().map(|s| s.name.as_str()))?;
    }
    Ok(result)
}

/// Gravity, m/s².
fn read_gravity(scene: &Reader<'_>) -> Result<Vec3, SceneError> {
    let down = Vec3::new(0.0, -9.81, 0.0);
    let gravity = scene.vector("gravity")?.unwrap_or(down);
    let (size, reason) = (gravity.amax(), "on Earth it is 9.81");
    scene.suspect_if(size > MAX_GRAVITY, "gravity", (size, "m/s2"), reason)?;
    Ok(gravity)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::boundary::{ConstrainedDirections, Friction};
    use crate::contact::Adhesion;
    use crate::scene::motion::MotionDescription;

    const HEAD: &str = "schema = 1\nname = 'x'\n";
    const BODY: &str = "[[body]]\nname = 'b'\nmesh = { procedural = 'sphere', longest = 0.1 }\n";

    const TOOL: &str = "[[tool]]\nname = 't'\nshape = { sphere = { radius = 0.1 } }\n";

    /// Checks that the scene of each text is refused as it says: `TEXT => CODE PLACE: SOME WORDS`, the words where they matter.
    #[track_caller]
    pub fn assert_refused(scene: impl Fn(&str) -> String, cases: &[&str]) {
        for case in cases {
            let (text, told) = case.split_once(" => ").expect("an arrow");
            let (told, words) = told.split_once(": ").unwrap_or((told, ""));
            let error = load_scene(&scene(text)).expect_err(case);
            let found = format!("{} {}", error.code(), error.place());
            assert_eq!(found, told, "{case}: {error}");
            assert!(error.to_string().contains(words), "{case}: {error}");
        }
    }

    /// A body with these keys.
    fn body(keys: &str) -> String {
        format!("{HEAD}{BODY}{keys}")
    }

    #[test]
    fn errors_name_the_key() {
        assert_refused(
            |keys| format!("{HEAD}{keys}"),
            &["name = 2 => Syntax line 3", " => MissingKey body"],
        );
        assert_refused(
            |keys| format!("{HEAD}{keys}\n{BODY}"),
            &[
                "duration = 'long' => BadValue duration: without quotation marks",
                "methods = ['magic'] => BadValue methods",
                "methods = [] => BadValue methods",
                "gravity = [0, -9.81e300, 0] => UnitSuspicious gravity",
            ],
        );
        assert_refused(
            body,
            &[
                "materal = {} => UnknownKey body[0].materal",
                "count = 0 => BadValue body[0].count",
                "material = { poisson = 0.6 } => BadValue body[0].material.poisson",
                "[[check]]\nmetric = 'pop'\nof = 'adaptive'\nmax = 1 => BadValue check[0].metric",
            ],
        );
        assert_refused(
            |mesh| format!("{HEAD}[[body]]\nname = 'b'\nmesh = {{ {mesh} }}"),
            &[
                "procedural = 'sphere', repair = 'off' => BadValue body[0].mesh.repair",
                "procedural = 'box', size = [200, 100, 50] => UnitSuspicious body[0].mesh.size",
                "file = 'a.obj', edge = 0.01 => BadValue body[0].mesh.edge",
                "file = 'a.obj', repair = 'off', thickness = 0.01 => BadValue body[0].mesh.thickness",
            ],
        );
        assert_refused(
            |motion| body(&format!("{TOOL}motion = {{ {motion} }}")),
            &[
                "path = 'p' => UnknownName tool[0].motion.path",
                "path = 'p', script = '$POKE' => BadValue tool[0].motion.script",
            ],
        );
    }

    #[test]
    fn copies_are_read_and_too_many_refused() {
        let layout = "layout = { grid = [2, 3, 4], spacing = 0.5, jitter = 0.01, turn = 20 }\n";
        let scene = load_scene(&format!("{HEAD}seed = 7\n{BODY}{layout}")).expect("valid");
        let read = scene.body.layout.expect("a layout");
        assert_eq!((read.count, read.grid, scene.seed), (24, [2, 3, 4], 7));
        let alone = load_scene(&body("count = 9")).expect("valid");
        assert_eq!(alone.body.layout.map(|l| l.grid), Some([3, 3, 3]));
        assert_refused(
            |count| body(&format!("{count}\n{layout}")),
            &[
                "count = 25 => BadValue body[0].count",
                "count = 5001 => BadValue body[0].count",
                "count = 1.5 => BadValue body[0].count",
            ],
        );
        let empty = "layout = { grid = [0, 1, 1] } => BadValue body[0].layout.grid";
        assert_refused(body, &[empty]);
    }

    #[test]
    fn kinds_of_bodies_are_distinguished_by_name() {
        let second =
            "[[body]]\nname = 'c'\nmesh = { procedural = 'torus' }\nlattice = { friction = 0.7 }\n";
        let grab = "[[grab]]\nname = 'g'\nbody = 'c'\nselect = { lowest = 0.1 }\nmotion = { path = 'p' }\n[[path]]\nname = 'p'\nkeys = [{ t = 0, at = [0, 0, 0] }]\n";
        let scene = load_scene(&body(&format!("{second}{grab}"))).expect("valid");
        assert_eq!((scene.body.name.as_str(), scene.others.len()), ("b", 1));
        assert_eq!(scene.others[0].lattice.friction, 0.7);
        assert_eq!(scene.grabs[0].body, Some(1));
        let misspelt = second.replace("friction", "frictio");
        let elsewhere = grab.replace("'c'", "'d'");
        assert_refused(
            body,
            &[
                &format!("{BODY} => DuplicateName body"),
                &format!("{misspelt} => UnknownKey body[1].lattice.frictio"),
                &format!("{second}{elsewhere} => UnknownName grab[0].body"),
            ],
        );
    }

    #[test]
    fn contacts_stick_and_grabs_slide_as_the_scene_says() {
        let text = |contact: &str, grab: &str| {
            let grab = format!("[[grab]]\nname = 'g'\nselect = {{ lowest = 0.1 }}\n{grab}\n");
            body(&format!("{TOOL}contact = {{ {contact} }}\n{grab}"))
        };
        let read = |contact: &str, grab: &str| load_scene(&text(contact, grab)).expect("valid");
        let adhesion = |contact: &str| read(contact, "").tools[0].adhesion;
        let sticky = |pull_limit: f64| Some(Adhesion::Sticky { pull_limit });
        let bonded = |pull_limit: f64| Some(Adhesion::Bonded { pull_limit });
        assert_eq!(adhesion("kind = 'coulomb'"), None);
        assert_eq!(adhesion("kind = 'sticky'"), sticky(f64::INFINITY));
        assert_eq!(adhesion("kind = 'sticky', f_max = 2"), sticky(2.0));
        assert_eq!(adhesion("kind = 'bonded'"), bonded(f64::INFINITY));
        assert_eq!(adhesion("kind = 'bonded', f_max = 0.5"), bonded(0.5));
        let directions = |grab: &str| read("", grab).grabs[0].directions;
        assert_eq!(directions(""), ConstrainedDirections::All);
        let up = Vec3::y();
        assert_eq!(
            directions("along = [0, 1e-300, 0]"),
            ConstrainedDirections::Along(up)
        );
        assert_eq!(
            directions("across = [0, 3, 0]"),
            ConstrainedDirections::Across(up)
        );
        assert_refused(
            |contact| text(contact, ""),
            &[
                "f_max = 2 => BadValue tool[0].contact.f_max",
                "kind = 'sticky', f_max = -1 => BadValue tool[0].contact.f_max",
                "kind = 'bonded', f_max = -1 => BadValue tool[0].contact.f_max",
                // the kind is judged before what stands beside it
                "kind = 'glued', f_max = -1 => BadValue tool[0].contact.kind",
            ],
        );
        assert_refused(
            |grab| text("", grab),
            &[
                "along = [0, 0, 0] => BadValue grab[0].along",
                "along = [0, 1, 0]\nacross = [1, 0, 0] => BadValue grab[0].across",
            ],
        );
    }

    #[test]
    fn a_full_scene_is_read() {
        let scene = load_scene(&format!(
            "{HEAD}gravity = [0, 0, 0]\nmethods = ['lattice', 'adaptive']\n{BODY}\
             material = {{ young = 5e3, zeta = 0.2, law = 'stable_neo_hookean' }}\n\
             support = [{{ name = 's', select = {{ lowest = 0.1 }}, motion = 'fixed' }}]\n\
             [[tool]]\nname = 't'\nshape = {{ capsule = {{ radius = 0.01, half_length = 0.02 }} }}\n\
             contact = {{ kind = 'coulomb', mu_s = 0.4 }}\nmotion = {{ device = 'pointer', script = '$POKE' }}\n\
             [[grab]]\nname = 'g'\nselect = {{ sphere = {{ center = [0, 0, 0], radius = 1 }} }}\nmotion = {{ path = 'p' }}\n\
             [[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 0, 0] }}, {{ t = 1, at = [0, 1, 0], turn = [0, 90, 0] }}]\n"
        ))
        .expect("valid");
        assert_eq!(scene.methods, vec![Method::Adaptive, Method::Lattice]);
        assert_eq!(scene.duration, DURATION_WITHOUT_END);
        assert_eq!(scene.tools[0].motion, MotionDescription::ScriptedPoke);
        assert_eq!(scene.grabs[0].path.pose(1.0).position.y, 1.0);
        assert_eq!(scene.body.material.elastic.young, 5e3);
    }

    #[test]
    fn coefficients_of_friction_alone_mean_friction_and_contradict_a_kind_without_it() {
        let with_contact = |contact: &str| {
            let methods = "methods = ['lattice']\n";
            load_scene(&format!(
                "{HEAD}{methods}{BODY}{TOOL}contact = {{ {contact} }}\n"
            ))
        };
        let scene = with_contact("mu_s = 0.5").expect("valid");
        assert_eq!(scene.tools[0].friction, Friction::coulomb(0.5));
        for refused in [
            "kind = 'frictionless', mu_s = 0.5",
            "kind = 'sticky', mu_k = 0.5",
            "kind = 'bonded', mu_s = 0.5",
            "mu_s = 0.2, mu_k = 0.5",
        ] {
            assert!(with_contact(refused).is_err(), "{refused}");
        }
    }
}
