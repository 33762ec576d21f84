//! `--record`, `replay`, `inspect` and `export` from outside: files, exit codes, JSON.

mod answer;
mod json_command;
mod program;
mod refused;
mod small;

use json_command::{done, json};
use refused::refused;
use small::{SCENE, folder};

#[test]
fn a_comparison_is_recorded_replayed_inspected_and_exported() {
    let at = &folder();
    let words = "compare small.toml --no-pictures --out report";
    let compared = done(at, &format!("{words} --record a.plrec"));
    assert_eq!(compared["recording"]["file"], "a.plrec");
    let plain = done(at, words);
    assert!(plain["recording"].is_null());
    let inspected = done(at, "inspect a.plrec");
    assert_eq!(inspected["kind"], "recording");
    assert_eq!(inspected["frames"], 12);
    assert_eq!(inspected["surfaces"], 6);
    assert_eq!(inspected["bytes"], compared["recording"]["bytes"]);
    for method in ["adaptive", "quasistatic", "lattice"] {
        let hash = &compared["methods"][method]["surface_hash"];
        assert_eq!(hash, &plain["methods"][method]["surface_hash"]);
        assert_eq!(hash, &inspected["methods"][method]["surface_hash"]);
    }
    // the recording alone is enough, from any folder
    std::fs::remove_file(at.join("small.toml")).expect("removed");
    for threads in ["1", "2"] {
        let replayed = done(at, &format!("replay a.plrec --threads {threads}"));
        for method in ["adaptive", "quasistatic", "lattice"] {
            let hash = &replayed["methods"][method]["surface_hash"];
            assert_eq!(hash, &compared["methods"][method]["surface_hash"]);
        }
    }
    let all = "export a.plrec --to vtk,gltf,usd,obj,csv --out exported";
    let exported = done(at, all);
    let formats = exported["formats"].as_object().expect("formats");
    assert_eq!(formats.len(), 5);
    for (name, format) in formats {
        let files = format["files"].as_array().expect("files");
        let many = ["vtk", "obj"].contains(&name.as_str());
        assert_eq!(files.len() > 1, many, "{name}");
        for file in files {
            let file = at.join("exported").join(file.as_str().expect("a name"));
            assert!(file.is_file(), "{}", file.display());
        }
    }
    // into the same folder again, and into the default one
    done(at, all);
    let exported = done(at, "export a.plrec --to csv");
    assert_eq!(exported["folder"], "pliant-out/a");
}

#[test]
fn a_single_method_is_recorded_with_the_options_that_changed_it() {
    let at = &folder();
    let run = "run small.toml --method lattice --frames 7 --seed 9 --simd portable";
    let ran = done(at, &format!("{run} --record a.plrec --record-every 0"));
    let inspected = done(at, "inspect a.plrec");
    assert_eq!(inspected["frames"], 7);
    assert_eq!(inspected["surfaces"], 0);
    assert_eq!(inspected["scene"]["seed"], 9);
    assert_eq!(
        (&inspected["portable"], &inspected["kernels"]),
        (&true.into(), &"portable".into())
    );
    let refused_seed = refused(at, "replay a.plrec --seed 9", "Usage");
    let message = refused_seed["message"].as_str().expect("a message");
    assert!(message.contains("`--seed`"), "{message}");
    let replayed = done(at, "replay a.plrec");
    let hash = &replayed["methods"]["lattice"]["surface_hash"];
    assert_eq!(hash, &ran["metrics"]["surface_hash"]);
    let error = refused(at, "export a.plrec --to csv,gltf", "NoSurfaces");
    assert!(
        error["hint"]
            .as_str()
            .expect("a hint")
            .contains("--record-every")
    );
    assert!(!at.join("pliant-out").exists(), "nothing was written");
}

#[test]
fn a_replay_of_another_run_fails_as_a_check_does() {
    let at = &folder();
    let record = |name: &str, young: &str| {
        let text = SCENE.replace("2.0e4", young);
        std::fs::write(at.join("small.toml"), text).expect("written");
        let run = "run small.toml --method adaptive --record";
        done(at, &format!("{run} {name}"));
        std::fs::read(at.join(name)).expect("there")
    };
    let (soft, hard) = (record("soft.plrec", "2.0e4"), record("hard.plrec", "9.0e4"));
    // the header of one and the frames of the other: both are whole chunks
    let end = |bytes: &[u8]| {
        let length = [16, 17, 18, 19, 20, 21, 22, 23].map(|k| bytes[k]);
        12 + 12 + u64::from_le_bytes(length) as usize + 8
    };
    let mixed = [&soft[..end(&soft)], &hard[end(&hard)..]].concat();
    std::fs::write(at.join("mixed.plrec"), mixed).expect("written");
    let (code, value) = json(at, "replay mixed.plrec");
    assert_eq!(code, 1, "{value:#}");
    assert_eq!(value["error"]["code"], "ReplayDiverged");
    assert_eq!(value["error"]["where"], "adaptive, frame 0");
}

#[test]
fn what_is_no_recording_is_refused_by_name() {
    let at = &folder();
    let run = "run small.toml --method lattice --record";
    done(at, &format!("{run} a.plrec"));
    let whole = std::fs::read(at.join("a.plrec")).expect("there");
    let write = |name: &str, bytes: &[u8]| std::fs::write(at.join(name), bytes).expect("written");
    write("cut.plrec", &whole[..whole.len() / 2]);
    let mut changed = whole.clone();
    // in the first chunk, behind its kind and its length
    changed[12 + 12 + 10] ^= 1;
    write("changed.plrec", &changed);
    let mut later = whole.clone();
    later[8] += 1;
    write("later.plrec", &later);
    for command in ["replay", "inspect", "export --to vtk --out exported"] {
        let with = |file: &str| format!("{command} {file}");
        let cut = refused(at, &with("cut.plrec"), "Truncated");
        let place = format!("cut.plrec: byte {}", whole.len() / 2);
        assert_eq!(cut["where"], place);
        let changed = refused(at, &with("changed.plrec"), "Damaged");
        let place = changed["where"].as_str().expect("a place");
        assert!(place.starts_with("changed.plrec: byte "), "{place}");
        refused(at, &with("later.plrec"), "NewerVersion");
        refused(at, &with("gone.plrec"), "Unreadable");
        let other = if command == "inspect" {
            "UnknownFile"
        } else {
            "NotARecording"
        };
        refused(at, &with("small.toml"), other);
    }
    let unknown = refused(at, "export a.plrec --to fbx", "UnknownFormat");
    assert_eq!(unknown["hint"], "use vtk, gltf, usd, obj, csv");
    refused(at, "export a.plrec", "Usage");
    std::fs::create_dir(at.join("theirs")).expect("a folder");
    write("theirs/thesis.txt", b"precious");
    let into_theirs = "export a.plrec --to csv --out theirs";
    refused(at, into_theirs, "FolderNotOurs");
    for words in [
        "run a.plrec --method lattice",
        "compare a.plrec",
        "view a.plrec",
        "a.plrec",
    ] {
        refused(at, words, "IsARecording");
    }
    // what is there and is no recording stays
    refused(at, &format!("{run} small.toml"), "FileNotOurs");
    let kept = std::fs::read_to_string(at.join("small.toml")).expect("there");
    assert_eq!(kept, SCENE);
    let below = format!("{run} small.toml/below.plrec");
    refused(at, &below, "Unwritable");
    for option in ["--realtime", "--budget-by time", "--explain 0,0,0"] {
        refused(at, &format!("{run} b.plrec {option}"), "Usage");
    }
    let free = SCENE.replace(
        "support = [ { name = \"base\", select = { lowest = 0.01 } } ]",
        "",
    );
    write("free.toml", free.as_bytes());
    let words = "run free.toml --method quasistatic --record b.plrec";
    refused(at, words, "Unconstrained");
    let words = "run small.toml --method lattice --record-every 2";
    refused(at, words, "Usage");
    assert!(!at.join("b.plrec").exists() && !at.join("b.plrec.partial").exists());
}

#[test]
fn baked_files_are_inspected() {
    let at = &folder();
    done(at, "gf small.toml --out block.pgf");
    let greens = done(at, "inspect block.pgf");
    assert_eq!(greens["kind"], "Green's functions");
    assert_eq!(
        (&greens["form"], &greens["from_cache"]),
        (&"dense".into(), &false.into())
    );
    assert_eq!(greens["supports"][0], "base");
    done(at, "gf small.toml --hierarchical 0.01 --out h.pgf");
    let packed = done(at, "inspect h.pgf");
    assert_eq!(packed["form"], "hierarchical matrix");
    done(at, "bake small.toml");
    for (method, kind) in [
        ("adaptive", "levels of finite elements"),
        ("lattice", "lattice"),
        ("quasistatic", "Green's functions"),
    ] {
        let files = std::fs::read_dir(at.join("cache").join(method)).expect("a folder");
        let names = files.flatten().map(|f| f.file_name());
        let mut names = names.filter_map(|name| name.into_string().ok());
        let asset = names.find(|name| name.ends_with(".asset"));
        let asset = asset.expect("an asset");
        let inspected = done(at, &format!("inspect cache/{method}/{asset}"));
        assert_eq!(inspected["kind"], kind);
        assert_eq!(inspected["from_cache"], true);
        assert_eq!(inspected["skin_vertices"], greens["skin_vertices"]);
    }
}
