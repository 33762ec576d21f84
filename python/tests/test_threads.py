"""Ctrl-C, progress, threads, and worlds that outlive what they were built of."""

import functools
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import make_scene, press

import pliant


@pytest.fixture(autouse=True)
def _interrupts():
    """Shells start background jobs with interrupts ignored; here they are those of a terminal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def long_bake(**settings) -> pliant.Scene:
    """Seconds of work for the adaptive method; for the others with settings, `method__key=value`."""
    body = pliant.Body.procedural("liver", longest=0.2, edge=0.006, hold_lowest=0.25)
    for key, value in settings.items():
        body.set(key.replace("__", "."), value)
    return pliant.Scene("long", bodies=[body])


def interrupt_after(seconds: float, due: "threading.Event | None" = None) -> threading.Thread:
    """Sends Ctrl-C so long after now, or after `due` is set."""

    def send():
        if due and not due.wait(120):
            return
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


@pytest.mark.parametrize(
    "work",
    [
        lambda: long_bake().build("adaptive"),
        lambda: long_bake().prepare().build("adaptive"),
        lambda: long_bake().compare(["adaptive"], 3600.0),
    ],
)
def test_ctrl_c_ends_a_bake_at_once(work):
    thread = interrupt_after(0.5)
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        # the bake looks every few tenths of a second
        assert time.monotonic() - started < 5.0
    finally:
        thread.join()
    # the process goes on as if nothing had been
    world = make_scene().build("lattice")
    press(world, range(12))
    assert world.tool_force("finger")[1] > 0


def reading(folder):
    """Reads a wavy ball of 640,000 triangles."""
    rows, columns = 400, 800
    down, around = np.meshgrid(np.linspace(0, np.pi, rows), np.linspace(0, 2 * np.pi, columns, endpoint=False), indexing="ij")
    radius = 0.1 + 0.01 * np.sin(9 * down) * np.cos(7 * around)
    places = radius * (np.sin(down) * np.cos(around), np.cos(down), np.sin(down) * np.sin(around))
    corner = np.arange((rows - 1) * columns)
    beside = corner - corner % columns + (corner + 1) % columns
    upper = np.stack([corner, beside, corner + columns], axis=1)
    lower = np.stack([beside, beside + columns, corner + columns], axis=1)
    with open(folder / "ball.obj", "w", encoding="utf-8") as file:
        np.savetxt(file, places.reshape(3, -1).T, "v %.6g %.6g %.6g")
        np.savetxt(file, 1 + np.concatenate([upper, lower]), "f %d %d %d")
    body = pliant.Body.from_file(folder / "ball.obj", hold_lowest=0.2)
    return pliant.Scene("ball", bodies=[body]).prepare


def exporting(folder):
    """Writes 3,000 files."""
    body = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.01, hold_lowest=0.01).set("lattice.cells_longest", 6)
    world = pliant.Scene("pad", bodies=[body]).build("lattice")
    with pliant.Recorder(folder / "pad.plrec", world) as recorder:
        for _ in range(3000):
            world.step()
            recorder.frame()
    recording = pliant.Recording(folder / "pad.plrec")
    return lambda progress: recording.export("obj", folder / "out", progress=progress)


# what works for seconds, and a stage of it that does
LONG = {
    "quasistatic": ("solving", lambda _: functools.partial(long_bake(quasistatic__elements="linear").build, "quasistatic")),
    "lattice": ("lattice stiffness", lambda _: functools.partial(long_bake(lattice__cells_longest=32).build, "lattice")),
    "reference": ("local stiffness", lambda _: functools.partial(make_scene().compare, ["lattice"], 0.5, reference="dynamic")),
    "file": ("self-intersections", reading),
    "export": ("", exporting),
}


@pytest.mark.parametrize(("stage", "prepare"), LONG.values(), ids=LONG)
def test_ctrl_c_ends_any_long_work_in_its_middle(stage, prepare, tmp_path):
    work, due = prepare(tmp_path), threading.Event()
    thread = interrupt_after(0.3, due)
    try:
        with pytest.raises(KeyboardInterrupt):
            work(progress=lambda told, _: due.set() if stage in told else None)
    finally:
        thread.join()
    # what has been written by then is whole
    lines = {file.read_bytes().count(b"\n") for file in tmp_path.glob("out/**/*.*")}
    assert len(lines) == (1 if prepare is exporting else 0)
    lattice = make_scene().build("lattice")
    lattice.step()
    assert lattice.time > 0


def test_ctrl_c_ends_many_frames_between_two(lattice):
    thread = interrupt_after(0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            lattice.step(100_000_000)
    finally:
        thread.join()
    frames = round(lattice.time / lattice.frame_duration)
    assert 0 < frames < 100_000_000
    lattice.step()
    assert round(lattice.time / lattice.frame_duration) == frames + 1


def test_progress_is_told_and_its_exceptions_cancel():
    seen = []
    liver = pliant.Body.procedural("liver", longest=0.2, edge=0.012, hold_lowest=0.25)
    pliant.Scene("liver", bodies=[liver]).build("adaptive", progress=lambda stage, share: seen.append((stage, share)))
    assert seen[-1] == ("done", 1.0)
    assert all(stage and 0.0 <= share <= 1.0 for stage, share in seen[:-1] if stage)
    assert len(seen) > 1

    class Enough(Exception):
        pass

    def stop(stage, share):
        raise Enough(stage)

    started = time.monotonic()
    with pytest.raises(Enough):
        long_bake().build("adaptive", progress=stop)
    assert time.monotonic() - started < 5.0
    with pytest.raises(TypeError):
        make_scene().build("lattice", progress=3)


def test_other_threads_of_python_run_during_a_bake_and_a_step():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.monotonic()
    liver = pliant.Body.procedural("liver", longest=0.2, edge=0.012, hold_lowest=0.25)
    world = pliant.Scene("liver", bodies=[liver]).build("adaptive")
    baked = time.monotonic()
    while time.monotonic() - baked < 0.3:
        world.step()
    ended = time.monotonic()
    done.set()
    thread.join()
    assert baked - started > 0.1, "too short to tell"
    # the interpreter's lock is free: a thread that wakes every 5 ms does so at least a few times
    assert sum(started < t < baked for t in ticks) >= 3
    assert sum(baked < t < ended for t in ticks) >= 3


def test_a_world_is_used_from_several_threads_at_once(lattice):
    failures = []

    def use():
        try:
            for _ in range(30):
                lattice.move_tool("finger", (0, 0.125, 0))
                lattice.step()
                assert np.isfinite(lattice.positions()).all()
                lattice.tool_force("finger")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert lattice.time == pytest.approx(120 / 60)


def test_worlds_built_on_another_thread_have_the_same_bits(lattice):
    built = []
    thread = threading.Thread(target=lambda: built.append(make_scene().build("lattice")))
    thread.start()
    thread.join()
    assert np.array_equal(press(built[0], range(15)), press(lattice, range(15)))


def test_a_world_outlives_its_scene_and_a_snapshot_its_world():
    scene = make_scene()
    prepared = scene.prepare()
    world = prepared.build("lattice")
    del scene, prepared
    gc.collect()
    press(world, range(10))
    kept, hash_then = world.snapshot(), world.surface_hash
    del world
    gc.collect()
    again = make_scene().build("lattice")
    again.restore(kept)
    assert again.surface_hash == hash_then


def test_bodies_are_copied_into_scenes():
    body = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.04, hold_lowest=0.01)
    scene = pliant.Scene("pad", bodies=[body])
    assert body.set("lattice.cel", 1.0) is body
    scene.build("lattice")
    with pytest.raises(pliant.BuildError, match="did you mean `cell`"):
        pliant.Scene("pad", bodies=[body]).build("lattice")


def forked(queue):
    try:
        make_scene().build("lattice")
        queue.put("built")
    except pliant.PliantError as error:
        queue.put(error.code)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_is_told_instead_of_hanging(lattice):
    lattice.step()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=forked, args=(queue,))
    process.start()
    try:
        assert queue.get(timeout=30) == "ForkedProcess"
    finally:
        process.join(5)
        process.kill()


def test_an_interpreter_ends_while_a_thread_steps(tmp_path):
    program = """
import threading, pliant
pad = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.04, hold_lowest=0.01)
world = pliant.Scene("pad", bodies=[pad]).build("lattice")
threading.Thread(target=lambda: world.step(10_000_000), daemon=True).start()
print(world.kind)
"""
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "lattice", "")
