"""Laws of a world: signs of forces, same bits, energies, what moves where it is pulled."""

import os
import subprocess

import numpy as np
import pytest
from conftest import METHODS, PAD_AND_FINGER, make_pad, make_scene, press

import pliant

PROBE = """
[[probe]]
name = "top"
at = { nearest_surface_point = [0.0, 0.05, 0.0] }
"""
SCENE = PAD_AND_FINGER + PROBE


def test_the_tool_is_pushed_out_and_the_support_carries_it(world):
    press(world, range(20))
    world.step(180)
    tool, foot = world.tool_force("finger"), world.support_force("foot")
    assert tool[1] > 1.0
    assert np.linalg.norm(tool - foot) < 0.02 * np.linalg.norm(tool)
    force, torque = world.tool_wrench("finger")
    assert np.array_equal(force, tool)
    # the contact is symmetric about the axis of the finger
    assert np.linalg.norm(torque) < 0.02 * np.linalg.norm(tool) * 0.08


def test_a_carried_tool_moves_with_its_carrier_and_adds_to_its_wrench():
    thumb = '[[tool]]\nname = "thumb"\nshape = { sphere = { radius = 0.08 } }\n'
    carried = 'motion = { carried_by = "finger", at = [0.06, 0.0, 0.0] }\n'
    world = pliant.Scene.parse(SCENE + thumb + carried).build("lattice")
    press(world, range(20))
    arm = world.tool_pose("thumb")[0] - world.tool_pose("finger")[0]
    assert arm == pytest.approx([0.06, 0, 0])
    (force, torque), (of_thumb, about_thumb) = (world.tool_wrench(name) for name in ("finger", "thumb"))
    assert force[1] > 0 and of_thumb[1] > 0
    both, about_finger = world.wrench_with_carried("finger")
    assert both == pytest.approx(force + of_thumb)
    assert about_finger == pytest.approx(torque + about_thumb + np.cross(arm, of_thumb))


def test_a_finger_of_a_text_closes_and_lifts_the_skin_that_is_bonded_to_it():
    pressing = '[[path]]\nname = "press"\nkeys = [{ t = 0.0, at = [0, 0, 0] }, { t = 0.3, at = [0, -0.02, 0] }]\n'
    carried = 'motion = { carried_by = "finger", at = [0, -0.26, 0], path = "press" }\ncontact = { kind = "bonded", f_max = 1e3 }\n'
    tip = '[[tool]]\nname = "tip"\nshape = { sphere = { radius = 0.08 } }\n'
    world = pliant.Scene.parse(SCENE + tip + carried + pressing).build("lattice")
    for _ in range(20):
        world.move_tool("finger", (0, 0.4, 0))
        world.step()
    assert world.tool_pose("tip")[0] == pytest.approx([0, 0.12, 0])
    assert world.wrench_with_carried("finger")[0][1] > 0.1
    for height in np.linspace(0.4, 0.412, 13):
        world.move_tool("finger", (0, height, 0))
        world.step()
    world.step(30)
    assert world.tool_pose("tip")[0] == pytest.approx([0, 0.132, 0])
    assert world.wrench_with_carried("finger")[0][1] < -0.1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.skipif("PLIANT_SAME_BITS" not in os.environ, reason="python/check.sh builds the Rust program and runs this")
def test_python_and_rust_compute_the_same_bits(method, tmp_path):
    file = tmp_path / "pad.toml"
    file.write_text(SCENE)
    rust = [os.environ["PLIANT_SAME_BITS"], str(file), method, "12"]
    lines = subprocess.run(rust, check=True, capture_output=True, text=True).stdout.splitlines()
    world = pliant.Scene.load(file).build(method)
    assert len(lines) == 12
    for frame, line in enumerate(lines):
        press(world, range(frame, frame + 1))
        bits = [f"{int(b):016x}" for b in world.tool_force("finger").view(np.uint64)]
        assert [world.surface_hash, *bits] == line.split(), f"frame {frame}"
    assert world.tool_force("finger")[1] > 0


def test_a_snapshot_goes_on_to_the_same_bits(world):
    press(world, range(10))
    kept = world.snapshot()
    time, once = world.time, press(world, range(10, 25))
    force = world.tool_force("finger")
    world.restore(kept)
    assert world.time == kept.time == time
    assert np.array_equal(once, press(world, range(10, 25)))
    assert np.array_equal(force, world.tool_force("finger"))
    assert not np.array_equal(once[0], once[-1])
    anew = make_scene().build(world.kind)
    assert np.array_equal(once, press(anew, range(25))[10:])


def test_a_reset_world_starts_over(lattice):
    once = press(lattice, range(5))
    lattice.reset()
    assert lattice.time == 0.0
    assert lattice.positions() == pytest.approx(lattice.rest_positions, abs=1e-7)
    assert np.array_equal(once, press(lattice, range(5)))


def test_frames_at_once_are_frames_one_by_one():
    one, many = make_scene().build("lattice"), make_scene().build("lattice")
    for world in (one, many):
        world.move_tool("finger", (0, 0.125, 0))
    reports = [one.step() for _ in range(7)]
    report = many.step(7)
    assert one.surface_hash == many.surface_hash
    assert one.time == many.time == pytest.approx(7 / 60)
    assert report.substeps == reports[-1].substeps > 0
    assert report.work == reports[-1].work > 0
    assert report.degraded is None


def test_a_clock_is_followed_and_a_slow_one_slows_the_body(lattice):
    assert sum(lattice.advance(1 / 60) for _ in range(60)) == 60
    assert lattice.advance(1.0) == 4
    assert lattice.advance(0.001) == 0


def test_grabs_and_pushes_move_the_body_where_they_point(world):
    top = world.nearest_vertex((0, 0.05, 0))
    for frame in range(40):
        world.grab([top], (0.004 * min(1.0, frame / 30), 0, 0))
        world.step()
    assert world.displacement(top) == pytest.approx([0.004, 0, 0], abs=1e-5)
    assert world.grab_force()[0] > 0
    world.release()
    world.reset()
    for _ in range(60):
        world.push(top, (0, -0.5, 0))
        world.step()
    assert world.displacement(top)[1] < -1e-4


def test_each_vertex_of_a_grab_may_have_a_displacement_of_its_own():
    def built(method):
        return pliant.Scene("pad", bodies=[make_pad()], gravity=(0, 0, 0)).build(method)

    world = built("quasistatic")
    rest = world.rest_positions
    held = np.flatnonzero((rest[:, 1] > 0.049) & (np.abs(rest[:, [0, 2]]).max(axis=1) < 0.07))
    # a linear field
    field = rest[held] @ np.array([[0.05, 0.03, 0], [0, 0, 0], [0.02, -0.01, -0.04]])
    assert len(held) > 8 and np.ptp(field, axis=0).max() > 3e-3
    world.grab(held, field)  # takes hold
    world.step()
    world.grab(held.tolist(), field.tolist())
    world.step()
    moved = np.array([world.displacement(vertex) for vertex in held.tolist()])
    # to a hundredth of a millimetre, as above
    assert moved == pytest.approx(field, abs=1e-5)

    own, common = built("lattice"), built("lattice")
    for frame in range(20):
        displacement = np.array([2e-4, 1e-4, 0]) * frame
        own.grab(held, np.tile(displacement, (len(held), 1)))
        common.grab(held, displacement)
        own.step()
        common.step()
    assert own.surface_hash == common.surface_hash
    assert np.array_equal(own.grab_force(), common.grab_force()) and own.grab_force()[0] > 0


def test_energies_are_accounted_for(lattice):
    press(lattice, range(20))
    energy = lattice.energy
    assert energy["elastic"] > 0 and energy["work"] > 0 and energy["dissipated"] > 0
    assert abs(energy["balance"]) < 1e-3 * energy["work"]
    total = energy["kinetic"] + energy["elastic"] + energy["potential"] + energy["dissipated"] - energy["work"]
    assert energy["balance"] == pytest.approx(total, abs=1e-15)
    assert make_scene().build("quasistatic").energy is None


def test_probes_say_what_the_skin_says():
    world = pliant.Scene.parse(SCENE).build("lattice")
    assert np.array_equal(world.probes["top"], np.zeros(3))
    press(world, range(20))
    top = world.nearest_vertex((0, 0.05, 0))
    assert world.probes["top"][1] < -0.001
    assert np.linalg.norm(world.probes["top"] - world.displacement(top)) < 0.003
    assert list(world.probes) == ["top"]


def test_a_path_moves_a_tool_until_python_does():
    tool = pliant.Tool.sphere("finger", 0.08, at=(0, 0.2, 0)).along([0, 1], [(0, 0.2, 0), (0.06, 0.2, 0)])
    world = pliant.Scene("path", bodies=[make_pad()], tools=[tool], gravity=(0, 0, 0)).build("lattice")
    world.step(30)
    position, orientation = world.tool_pose("finger")
    assert position == pytest.approx([0.03, 0.2, 0])
    assert np.array_equal(orientation, [1, 0, 0, 0])
    world.move_tool("finger", (0.1, 0.3, 0), orientation=(0, 0, 2, 0))
    world.step()
    position, orientation = world.tool_pose("finger")
    assert np.array_equal(position, [0.1, 0.3, 0])
    assert np.array_equal(orientation, [0, 0, 1, 0])
    world.release_tool("finger")
    world.step()
    assert world.tool_pose("finger")[0] == pytest.approx([0.06 * 32 / 60, 0.2, 0])


def test_a_stiffer_body_pushes_harder():
    def force(young):
        body = make_pad().material(pliant.Material(young, 0.3))
        world = make_scene(body).build("quasistatic")
        press(world, range(20))
        return world.tool_force("finger")[1]

    # linear elasticity: forces of a given displacement are proportional to Young's modulus; compressed functions are single precision
    assert force(4e4) == pytest.approx(2 * force(2e4), rel=1e-3)


def test_points_inside_a_pressed_pad_sink_and_are_compressed():
    body = make_pad().set("quasistatic.inside", [{"name": "core", "point": [0.0, 0.02, 0.0]}])
    world = make_scene(body).build("quasistatic")
    press(world, range(20))
    displacement, stress = world.points["core"]
    assert displacement.shape == (3,) and stress.shape == (6,)
    assert displacement[1] < -1e-4 and stress[1] < -10
    assert make_scene().build("lattice").points == {}
