"""A small body that every test knows: a soft pad on a table, and a ball above it."""

import numpy as np
import pytest

import pliant

METHODS = list(pliant.METHODS)
# text of the same scene up to the keys of the ball
PAD_AND_FINGER = """
schema = 1
name = "pad"
gravity = [0.0, 0.0, 0.0]
[[body]]
name = "pad"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.04 }
support = [{ name = "foot", select = { lowest = 0.01 } }]
adaptive = { target_edges = [0.08, 0.04] }
[[tool]]
name = "finger"
shape = { sphere = { radius = 0.08 } }
"""


def make_pad() -> pliant.Body:
    pad = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.04, name="pad", hold_lowest=0.01)
    return pad.set("adaptive.target_edges", [0.08, 0.04])


def make_scene(body: "pliant.Body | None" = None) -> pliant.Scene:
    finger = pliant.Tool.sphere("finger", 0.08, at=(0, 0.14, 0))
    return pliant.Scene("pad", bodies=[body or make_pad()], tools=[finger], gravity=(0, 0, 0))


def press(world: pliant.World, frames: range) -> np.ndarray:
    """Positions after each of these frames, in which the finger goes down by half a millimetre a frame."""
    surfaces = []
    for frame in frames:
        world.move_tool("finger", (0, 0.13 - 0.0005 * frame, 0))
        world.step()
        surfaces.append(world.positions())
    return np.array(surfaces)


@pytest.fixture
def scene() -> pliant.Scene:
    return make_scene()


@pytest.fixture
def lattice(scene: pliant.Scene) -> pliant.World:
    return scene.build("lattice")


@pytest.fixture(params=METHODS)
def world(request: pytest.FixtureRequest, scene: pliant.Scene) -> pliant.World:
    return scene.build(request.param)


@pytest.fixture
def cube() -> tuple[np.ndarray, np.ndarray]:
    """A cube of 0.1 m as vertices and faces."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * 0.1
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    return corners, faces
