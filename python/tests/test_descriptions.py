"""Tools, selections and scenes are what they say; worlds and recordings tell what is in them."""

import numpy as np
import pytest
from conftest import make_pad, make_scene

import pliant

ABOVE = (0, 0.2, 0)
PROBED = """
schema = 1
name = "probed"
[[body]]
name = "pad"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.04 }
support = [{ name = "foot", select = { lowest = 0.01 } }]
[[tool]]
name = "finger"
shape = { sphere = { radius = 0.08 } }
motion = { path = "down" }
[[path]]
name = "down"
keys = [{ t = 0.0, at = [0.03, 0.13, 0.0] }, { t = 0.1, at = [0.03, 0.12, 0.0] }]
[[probe]]
name = "top"
at = { nearest_surface_point = [0.0, 0.05, 0.0] }
"""


def with_tool(tool: pliant.Tool, body: "pliant.Body | None" = None) -> pliant.World:
    return pliant.Scene("tools", bodies=[body or make_pad()], tools=[tool], gravity=(0, 0, 0)).build("lattice")


@pytest.mark.parametrize(
    ("tool", "reach"),
    [
        # how far the lower end is below the centre
        (pliant.Tool.capsule("t", 0.08, 0.05, at=ABOVE), 0.13),
        (pliant.Tool.cylinder("t", 0.09, 0.1, at=ABOVE), 0.1),
    ],
)
def test_a_tool_touches_where_its_shape_ends(tool, reach):
    world = with_tool(tool)
    for frame in range(20):
        world.move_tool("t", (0, 0.055 + reach - 0.0002 * frame, 0))
        world.step()
    assert np.array_equal(world.tool_force("t"), np.zeros(3)), "3.8 mm down, 1.2 mm are left"
    for frame in range(20):
        world.move_tool("t", (0, 0.05 + reach - 0.0005 * frame, 0))
        world.step()
    assert world.tool_force("t")[1] > 0.1


def test_a_blade_cuts_what_its_edge_sweeps():
    blade = pliant.Tool.blade("knife", 0.4, 0.1, 0.002, at=(0.003, 0.1, 0.003))
    world = with_tool(blade.along([0, 0.1], [(0.003, 0.1, 0.003), (0.003, 0, 0.003)]))
    assert world.cut_surface() is None
    world.step(10)
    positions, triangles = world.cut_surface()
    assert len(positions) > len(world.rest_positions) and triangles.max() < len(positions)


def test_a_poking_tool_comes_down_by_itself():
    world = with_tool(pliant.Tool.sphere("t", 0.08, at=(0, 0.14, 0)).poking())
    force = 0.0
    for _ in range(120):
        world.step()
        force = max(force, world.tool_force("t")[1])
    assert force > 0.1
    assert world.tool_pose("t")[0][1] != 0.14


def pressed_and_lifted(tool: pliant.Tool) -> tuple[float, float]:
    """The vertical force on a tool that is pressed in and lifted by 14 mm, N, and how far the skin below it rose, m."""
    world = with_tool(tool)
    below = world.nearest_vertex((0.02, 0.05, 0.02))
    for height in np.linspace(0.14, 0.118, 31):
        world.move_tool("t", (0, height, 0))
        world.step()
    pressed = world.displacement(below)[1]
    for height in np.linspace(0.118, 0.132, 31):
        world.move_tool("t", (0, height, 0))
        world.step()
    world.step(30)
    return world.tool_force("t")[1], world.displacement(below)[1] - pressed


def test_skin_rises_with_a_tool_to_which_it_sticks_unless_the_bond_is_too_weak():
    def ball():
        return pliant.Tool.sphere("t", 0.08, at=(0, 0.14, 0))

    for plain in (ball(), ball().bonded(1e-3)):
        assert pressed_and_lifted(plain)[0] == 0, "the ball is 2 mm above the pad"
    for strong in (ball().sticky(), ball().sticky(up_to=1e3), ball().bonded(1e3)):
        force, risen = pressed_and_lifted(strong)
        assert force < -0.1
        assert risen == pytest.approx(0.014, abs=1e-3)
    with pytest.raises(pliant.BuildError, match="f_max"):
        with_tool(ball().bonded(-1.0))


@pytest.mark.parametrize(
    "selection",
    [pliant.Selection.box((-0.2, -0.2, -0.2), (-0.07, 0.2, 0.2)), pliant.Selection.half_space((-0.07, 0, 0), (-1, 0, 0))],
)
def test_what_is_selected_is_held(selection):
    pad = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.04).hold("left", selection)
    world = pliant.Scene("held", bodies=[pad]).build("lattice")
    assert world.supports == ["left"]
    world.step(20)
    left, right = (world.displacement(world.nearest_vertex((x, 0, 0))) for x in (-0.1, 0.1))
    assert np.linalg.norm(right) > 1e-3
    assert np.linalg.norm(left) < 0.05 * np.linalg.norm(right)


def test_a_cache_is_given_to_a_scene_later(tmp_path):
    def run():
        return make_scene().cache_in(tmp_path).compare(["quasistatic"], 0.05).runs["quasistatic"]

    first, again = run(), run()
    assert (first.from_cache, again.from_cache) == (False, True)
    assert first.surface_hash == again.surface_hash
    with pytest.raises(TypeError):
        make_scene().cache_in(7)


def test_a_world_names_its_supports_and_parameters(lattice):
    assert lattice.supports == ["foot"]
    before = lattice.parameters
    assert before["damping_ratio"] >= 0
    lattice.set_parameter("damping_ratio", 0.25)
    assert lattice.parameters == {**before, "damping_ratio": pytest.approx(0.25)}
    with pytest.raises(pliant.ArgumentError, match="damping_ratios"):
        lattice.set_parameter("damping_ratios", 0.25)


def test_a_recording_tells_program_torques_and_probes(tmp_path):
    file = tmp_path / "a.plrec"
    world = pliant.Scene.parse(PROBED).build("lattice")
    torques, probes = [], []
    with pliant.Recorder(file, world) as recorder:
        for _ in range(12):
            world.step()
            recorder.frame()
            torques.append(world.tool_wrench("finger")[1])
            probes.append(world.probes["top"])
    read = pliant.Recording(file)
    version, kernels = read.program
    assert pliant.__version__ in version and kernels
    assert read.probes == ["top"]
    assert np.array_equal(read.tool_torque("lattice", "finger"), np.array(torques))
    assert np.array_equal(read.probe("lattice", "top"), np.array(probes))
    assert np.linalg.norm(torques[-1]) > 0 and probes[-1][1] < 0
    with pytest.raises(pliant.ArgumentError, match="one of top"):
        read.probe("lattice", "bottom")
    with pytest.raises(pliant.ArgumentError, match="one of finger"):
        read.tool_torque("lattice", "thumb")
