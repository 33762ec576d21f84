"""Several methods in one call, recordings, and the cache."""

import pathlib

import numpy as np
import pytest
from conftest import METHODS, PAD_AND_FINGER, make_pad, make_scene, press

import pliant

DOWN = """motion = { path = "down" }
[[path]]
name = "down"
keys = [{ t = 0.0, at = [0.0, 0.13, 0.0] }, { t = 0.3, at = [0.0, 0.12, 0.0] }]
"""
POKED = PAD_AND_FINGER + DOWN


def poked() -> pliant.Scene:
    return pliant.Scene.parse(POKED)


def test_methods_run_side_by_side_and_agree_roughly():
    found = poked().compare(duration=0.3, keep_surfaces=True)
    assert list(found.runs) == METHODS and not found.refused
    assert len(found.pairs) == 3
    for pair in found.pairs:
        assert 0 < pair["rms"] <= pair["max"] < 0.02
    for name, run in found.runs.items():
        assert (run.method, run.frames, run.stopped) == (name, 18, None)
        assert run.times == pytest.approx(np.arange(1, 19) / 60)
        force = run.forces["finger"]
        assert force.shape == (18,) and force[-1] > 0.5
        assert run.figures["force_max_n"] == pytest.approx(force.max())
        assert run.reactions["finger"][1] < 0 < run.reactions["foot"][1]
        assert run.carriers == {}
        times, positions = run.surfaces
        assert times == pytest.approx([0.25]) and positions.shape == (1, len(poked().prepare().rest_positions), 3)
        assert len(run.cost_ms) == 18 and (run.cost_ms > 0).all()
    assert found.runs["lattice"].figures["energy_balance"] < 0.05
    assert found.runs["quasistatic"].figures["energy_balance"] is None
    assert found.reference is None and found.ranking is None


def test_a_comparison_has_the_bits_of_a_world():
    run = poked().compare(["lattice"], 0.3, keep_surfaces=True).runs["lattice"]
    world = poked().build("lattice")
    world.step(15)
    assert np.array_equal(run.surfaces[1][0], world.positions())
    assert run.surface_hash == poked().compare(["lattice"], 0.3).runs["lattice"].surface_hash


def test_a_reference_judges():
    found = poked().compare(["lattice", "quasistatic"], 0.3, reference="dynamic")
    assert found.reference["force"] > 0 and found.reference["uncertainty"] > 0
    assert found.ranking[0] in METHODS and found.ranking[1] in METHODS
    for run in found.runs.values():
        assert run.accuracy["force_error"] == pytest.approx(run.accuracy["force"] / found.reference["force"] - 1)


def test_what_one_method_cannot_do_stands_in_the_result():
    pad = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.04)
    found = pliant.Scene("free", bodies=[pad]).compare(["lattice", "quasistatic"], 0.05)
    assert list(found.runs) == ["lattice"]
    code, reason = found.refused["quasistatic"]
    assert code == "Unconstrained" and "Body.hold" in reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"methods": []}, "`methods` is empty"),
        ({"methods": ["fem"]}, "`method` is `fem`"),
        ({"duration": -1.0}, "`duration` is -1 s"),
        ({"duration": float("nan")}, "`duration` is NaN s"),
        ({"reference": "exact"}, "`reference` is `exact`, wanted `none`, `estimate`, `dynamic`, `static`, `linear`, `explained`"),
    ],
)
def test_impossible_comparisons_are_refused(arguments, words):
    with pytest.raises(pliant.ArgumentError) as caught:
        poked().compare(**arguments)
    assert words in str(caught.value)


def test_a_recorded_comparison_is_read_again(tmp_path):
    file = tmp_path / "run.plrec"
    found = poked().compare(["lattice", "quasistatic"], 0.2, record=file, record_every=4)
    read = pliant.Recording(file)
    assert (read.scene, read.methods, read.tools) == ("pad", ["quasistatic", "lattice"], ["finger"])
    assert read.scene_text == POKED and len(read) == 12
    for name, run in found.runs.items():
        assert read.surface_hashes[name] == run.surface_hash
        assert np.linalg.norm(read.tool_force(name, "finger"), axis=1) == pytest.approx(run.forces["finger"])
        times, positions = read.surfaces(name)
        assert times == pytest.approx([4 / 60, 8 / 60, 12 / 60])
        assert positions.shape == (3, *read.rest_positions.shape)
    assert read.tool_positions("finger")[-1] == pytest.approx([0, 0.13 - 0.01 * 0.2 / 0.3, 0])


def test_worlds_that_python_steps_are_recorded_and_exported(tmp_path):
    worlds = [make_scene().build(name) for name in ("lattice", "quasistatic")]
    file = tmp_path / "new" / "steps.plrec"
    seen, forces = [], []
    with pliant.Recorder(file, *worlds, every=2) as recorder:
        for frame in range(20):
            for world in worlds:
                press(world, range(frame, frame + 1))
            recorder.frame()
            seen.append(worlds[0].positions())
            forces.append(worlds[0].tool_force("finger"))
        assert not file.exists()
    read = pliant.Recording(file)
    assert np.array_equal(read.surfaces("lattice")[1], np.array(seen[1::2]))
    assert np.array_equal(read.tool_force("lattice", "finger"), np.array(forces))
    assert np.array_equal(read.triangles, worlds[0].triangles)
    written = read.export("vtk", tmp_path / "vtk")
    assert written and all(pathlib.Path(path).stat().st_size > 0 for path in written)
    table = read.export("csv", tmp_path)[0]
    assert len(pathlib.Path(table).read_text().splitlines()) > 20


def test_a_recorder_writes_what_a_comparison_does(tmp_path):
    run = poked().compare(["lattice"], 0.2).runs["lattice"]
    world = poked().build("lattice")
    with pliant.Recorder(tmp_path / "a.plrec", world, every=0) as recorder:
        for _ in range(12):
            world.step()
            recorder.frame()
    read = pliant.Recording(tmp_path / "a.plrec")
    assert read.surface_hashes == {"lattice": run.surface_hash}
    assert read.surfaces("lattice")[1].shape == (0, 0, 3)
    with pytest.raises(pliant.RecordingError, match="every=") as caught:
        read.export("vtk", tmp_path)
    assert caught.value.code == "NoSurfaces"


def test_recorders_and_recordings_refuse(tmp_path, lattice):
    file = tmp_path / "a.plrec"

    def assert_refused(work, code, words, kind=pliant.ArgumentError):
        with pytest.raises(kind) as caught:
            work()
        assert (caught.value.code, words in str(caught.value)) == (code, True), str(caught.value)

    assert_refused(lambda: pliant.Recorder(file), "BadArgument", "`worlds` is empty")
    assert_refused(lambda: pliant.Recorder(file, lattice, lattice), "BadArgument", "two worlds of `lattice`")
    other = poked().build("quasistatic")
    assert_refused(lambda: pliant.Recorder(file, lattice, other), "BadArgument", "of several scenes")
    assert_refused(lambda: pliant.Recorder("/proc/none/a.plrec", lattice), "Unwritable", "/proc/none", pliant.RecordingError)
    recorder = pliant.Recorder(file, lattice)
    assert_refused(recorder.frame, "BadArgument", "step each of them before frame()")
    lattice.step()
    recorder.frame()
    assert recorder.close() == file.stat().st_size
    assert_refused(recorder.frame, "BadArgument", "closed")
    assert_refused(recorder.close, "BadArgument", "closed")
    read = pliant.Recording(file)
    assert_refused(lambda: read.tool_force("lattice", "thumb"), "BadArgument", "one of finger")
    assert_refused(lambda: read.surfaces("adaptive"), "BadArgument", "one of lattice")
    assert_refused(lambda: read.export("step", tmp_path), "BadArgument", "one of vtk, gltf, usd, obj, csv")
    with pytest.raises(RuntimeError, match="mine"):
        with pliant.Recorder(tmp_path / "b.plrec", lattice):
            raise RuntimeError("mine")
    assert [path.name for path in tmp_path.iterdir()] == ["a.plrec"]
    assert_refused(lambda: pliant.Recording(tmp_path / "none"), "Unreadable", "none", pliant.RecordingError)
    assert_refused(lambda: pliant.Recording(__file__), "NotARecording", "no recording", pliant.RecordingError)
    whole = file.read_bytes()
    for damaged in (whole[:-20], whole[:200] + b"x" + whole[201:]):
        file.write_bytes(damaged)
        with pytest.raises(pliant.RecordingError):
            pliant.Recording(file)


def test_baked_assets_are_kept_in_a_folder(tmp_path):
    def scene():
        return pliant.Scene("pad", bodies=[make_pad()], cache=tmp_path)

    first = scene().compare(["adaptive"], 0.05).runs["adaptive"]
    again = scene().compare(["adaptive"], 0.05).runs["adaptive"]
    assert (first.from_cache, again.from_cache) == (False, True)
    assert first.surface_hash == again.surface_hash


def test_a_surface_is_written_as_obj_and_opened_again(tmp_path, lattice):
    press(lattice, range(15))
    file = tmp_path / "pressed.obj"
    lattice.write_obj(file)
    skin = pliant.Scene("again", bodies=[pliant.Body.from_file(file)]).prepare()
    now = lattice.positions()
    # the skin of a file may be refined, inside its triangles
    assert skin.rest_positions.min(axis=0) == pytest.approx(now.min(axis=0), abs=1e-6)
    assert skin.rest_positions.max(axis=0) == pytest.approx(now.max(axis=0), abs=1e-6)
    dropped = pliant.Scene.load(file).prepare().rest_positions
    assert (dropped.max(axis=0) - dropped.min(axis=0)).max() == pytest.approx(0.3)


def test_bundled_scenes_and_bodies_are_there():
    assert "poke" in pliant.BUNDLED_SCENES and "liver" in pliant.PROCEDURAL_BODIES
    assert pliant.METHODS == ("adaptive", "quasistatic", "lattice")
    scene = pliant.Scene.load("poke").tool(pliant.Tool.sphere("more", 0.1, at=(0, 1, 0)))
    assert "more" in scene.build("lattice").tools


def test_a_cut_body_shows_its_cut_surface():
    world = pliant.Scene.load("cut").build("lattice")
    assert world.cut_surface() is None
    for _ in range(240):
        world.step()
        cut = world.cut_surface()
        if cut is not None:
            break
    positions, triangles = cut
    assert len(positions) > len(world.rest_positions) and triangles.max() < len(positions)
