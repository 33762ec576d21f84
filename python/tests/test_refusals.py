"""What is wrong raises an exception that names the thing, the place and the remedy."""

import pickle

import numpy as np
import pytest
from conftest import make_pad, make_scene

import pliant

NAN = float("nan")
POINTS = np.zeros((4, 3))
FACE = np.array([[0, 1, 2]])


def assert_refused(work, code, words, kind=pliant.ArgumentError):
    with pytest.raises(kind) as caught:
        work()
    error = caught.value
    assert isinstance(error, pliant.PliantError)
    assert (error.code, words in str(error)) == (code, True), f"{error.code}: {error}"
    return str(error)


def test_wrong_arrays_are_told_in_one_line():
    triangles = pliant.Body.from_triangles
    reals, wholes = "wanted real numbers of shape (n, 3)", "wanted whole numbers of shape"
    cases = [
        (lambda: triangles(np.zeros((4, 2)), FACE), f"`vertices` is an array of shape (4, 2) and dtype float64, {reals}"),
        (lambda: triangles(np.zeros(12), FACE), f"`vertices` is an array of shape (12,) and dtype float64, {reals}"),
        (lambda: triangles(POINTS * 1j, FACE), f"`vertices` is an array of shape (4, 3) and dtype complex128, {reals}"),
        (lambda: triangles([["a", "b", "c"]], FACE), f"`vertices` is an array of shape (1, 3) and dtype <U1, {reals}"),
        (lambda: triangles([[0, 0], [0, 0, 1]], FACE), f"`vertices` is of type list, {reals}"),
        (lambda: triangles(None, FACE), f"`vertices` is None, {reals}"),
        (lambda: triangles(POINTS, [[0, 1, 2.5]]), f"`faces` is an array of shape (1, 3) and dtype float64, {wholes} (n, 3)"),
        (lambda: triangles(POINTS, [[0, 1, 2, 3]]), f"`faces` is an array of shape (1, 4) and dtype int64, {wholes} (n, 3)"),
        (lambda: triangles(POINTS, FACE > 0), f"`faces` is an array of shape (1, 3) and dtype bool, {wholes} (n, 3)"),
        (lambda: pliant.Body.from_tets(POINTS, FACE), f"`tets` is an array of shape (1, 3) and dtype int64, {wholes} (n, 4)"),
        (lambda: make_pad().hold("a", [[0, 1]]), f"`select` is an array of shape (1, 2) and dtype int64, {wholes} (n,)"),
        (lambda: make_pad().hold("a", "top"), f"`select` is of type str, {wholes} (n,)"),
        (lambda: pliant.Tool.sphere("a", 0.1, at=(0, 0)), "`at` is an array of shape (2,) and dtype int64, wanted three numbers"),
        (lambda: pliant.Scene(gravity=9.81), "`gravity` is of type float, wanted three numbers"),
        (lambda: make_pad().set("name", object()), "`name` is of type object, wanted a number, a bool, a str, a list or a dict"),
        (lambda: make_pad().set("name", 1 << 70), "`name` is beyond 64 bits, wanted a number"),
        (lambda: make_pad().set("name", None), "`name` is None, wanted a number, a bool, a str, a list or a dict"),
    ]
    for work, line in cases:
        assert assert_refused(work, "BadArgument", "") == line


def test_vertices_that_are_not_there_and_numbers_that_are_none():
    triangles = pliant.Body.from_triangles
    assert_refused(lambda: triangles(POINTS, [[0, 1, 4]]), "NoSuchVertex", "`faces[0]` names vertex 4\n  remedy: use 0 to 3")
    assert_refused(lambda: triangles(POINTS, [[0, 1, 2], [0, -1, 2]]), "NoSuchVertex", "`faces[1]` names vertex -1")
    assert_refused(lambda: triangles(POINTS, np.array([[0, 1, 2**64 - 1]], np.uint64)), "NoSuchVertex", "`faces[0]`")
    assert_refused(lambda: triangles(np.zeros((0, 3)), FACE), "NoSuchVertex", "`faces[0]`")
    assert_refused(lambda: triangles([[0, 0, 0], [0, NAN, 0]], FACE), "NotFinite", "`vertices[1]` is not finite")
    assert_refused(lambda: pliant.Selection.vertices([-1]), "NoSuchVertex", "`vertices` names vertex -1")
    assert_refused(lambda: pliant.Tool.sphere("a", 0.1, at=(0, NAN, 0)), "NotFinite", "`at` is not finite")


def test_wrong_scenes_are_refused_when_they_are_built(cube):
    corners, faces = cube
    kind = pliant.BuildError

    def built(body, **more):
        return lambda: pliant.Scene("x", bodies=[body], **more).build("lattice")

    assert_refused(lambda: pliant.Scene("x").build("lattice"), "MissingKey", "`body`", kind)
    assert_refused(built(pliant.Body.from_file("no-such.stl")), "FileNotFound", "no-such.stl", kind)
    assert_refused(built(pliant.Body.procedural("pinguin")), "UnknownBody", "penguin", kind)
    assert_refused(built(make_pad().set("lattice.cel", 0.1)), "UnknownKey", "did you mean `cell`?", kind)
    assert_refused(built(make_pad().set("name.x", 1)), "Key", "`name` is no table")
    assert_refused(built(make_pad().material(pliant.Material(2e4, 0.7))), "BadValue", "body[0].material.poisson", kind)
    assert_refused(built(make_pad().material(pliant.Material(NAN))), "BadValue", "material.young", kind)
    assert_refused(built(make_pad().longest(-1.0)), "BadValue", "longest", kind)
    assert_refused(built(make_pad(), frame_rate=0.0), "BadValue", "frame_rate", kind)
    floors = [pliant.Tool.floor("a", 0.0), pliant.Tool.floor("a", 0.1)]
    assert_refused(built(make_pad(), tools=floors), "DuplicateName", "`a`", kind)
    assert_refused(built(make_pad(), tools=[pliant.Tool.sphere("pin", 0.001, at=(0, 0, 0))]), "ToolTooSharp", "`pin`", kind)
    assert_refused(built(make_pad(), tools=[pliant.Tool.floor("low", NAN)]), "NotFinite", "tool `low`")
    assert_refused(built(make_pad().hold("none", pliant.Selection.sphere((9, 9, 9), 0.1))), "SupportEmpty", "no vertex", kind)
    assert_refused(built(make_pad().hold("none", pliant.Selection.group("handle"))), "SupportEmpty", "", kind)
    free = pliant.Scene("x", bodies=[pliant.Body.from_triangles(corners, faces)])
    assert_refused(lambda: free.build("quasistatic"), "Unconstrained", "Body.hold", kind)
    flat = pliant.Body.from_triangles(corners * [1, 1, 0], faces)
    with pytest.raises(pliant.BuildError):
        built(flat)()
    inside_out = pliant.Body.from_tets(POINTS, [[0, 1, 2, 3]])
    with pytest.raises(pliant.BuildError):
        built(inside_out)()


def test_words_that_are_not_known():
    kind = pliant.BuildError
    assert_refused(lambda: pliant.Scene.load("no-such-scene"), "NoSuchScene", "pliant.BUNDLED_SCENES", kind)
    assert_refused(lambda: pliant.Scene.parse("body = 3"), "BadValue", "body", kind)
    assert_refused(lambda: pliant.Scene.parse("= ["), "Syntax", "line 1", kind)
    assert_refused(lambda: make_scene().build("fem"), "BadArgument", "`method` is `fem`, wanted `adaptive`, `quasistatic`, `lattice`")
    assert_refused(lambda: pliant.Material(law="rubber"), "BadArgument", "`stable_neo_hookean`")
    assert_refused(lambda: pliant.Material(damping_ratio=0.1, damping=(1, 1)), "BadArgument", "both given")
    path = pliant.Tool.sphere("a", 0.1, at=(0, 0, 0)).along
    assert_refused(lambda: path([0, 0], np.zeros((2, 3))), "BadArgument", "key 1 does not come after")
    assert_refused(lambda: path([0, 1], np.zeros((3, 3))), "BadArgument", "`positions` is 3 long")
    assert_refused(lambda: path([], np.zeros((0, 3))), "BadArgument", "at least one key")
    assert_refused(lambda: path([0], np.zeros((1, 3)), interpolation="cubic"), "BadArgument", "`smooth`")
    assert_refused(lambda: path([0], np.zeros((1, 3)), orientations=[(0, 0, 0, 0)]), "BadArgument", "`orientations[0]` is zero")


def test_a_running_world_refuses_by_name_and_goes_on(lattice):
    world, last = lattice, len(lattice.rest_positions) - 1
    assert_refused(lambda: world.move_tool("fingr", (0, 0, 0)), "NoSuchName", "it has `finger`")
    assert_refused(lambda: world.move_tool("finger", (0, np.inf, 0)), "NotFinite", "`to`")
    assert_refused(lambda: world.move_tool("finger", "abc"), "BadArgument", "`to` is of type str, wanted three numbers")
    assert_refused(lambda: world.move_tool("finger", (0, 0, 0), orientation=(0, 0, 0, 0)), "BadArgument", "`orientation`")
    assert_refused(lambda: world.tool_force("thumb"), "NoSuchName", "`finger`")
    assert_refused(lambda: world.support_force("roof"), "NoSuchName", "`foot`")
    assert_refused(lambda: world.push(last + 1, (0, 0, 0)), "NoSuchVertex", f"use 0 to {last}")
    assert_refused(lambda: world.push(-1, (0, 0, 0)), "NoSuchVertex", "`vertex` names vertex -1")
    assert_refused(lambda: world.push(2**40, (0, 0, 0)), "NoSuchVertex", "")
    assert_refused(lambda: world.push(0, (NAN, 0, 0)), "NotFinite", "`force`")
    assert_refused(lambda: world.displacement(last + 1), "NoSuchVertex", f"use 0 to {last}")
    assert_refused(lambda: world.grab([0, last + 1], (0, 0, 0)), "NoSuchVertex", f"use 0 to {last}")
    assert_refused(lambda: world.grab([], (0, 0, 0)), "BadArgument", "`vertices` is empty, wanted one or more")
    assert_refused(lambda: world.grab([0.5], (0, 0, 0)), "BadArgument", "`vertices` is an array of shape (1,) and dtype float64")
    wanted = "wanted three numbers, or real numbers of shape (n, 3)"
    shape = "`displacement` is an array of shape"
    assert_refused(lambda: world.grab([0], np.zeros(2)), "BadArgument", f"{shape} (2,) and dtype float64, {wanted}")
    assert_refused(lambda: world.grab([0, 1], np.zeros((2, 2))), "BadArgument", f"{shape} (2, 2) and dtype float64, {wanted}")
    assert_refused(lambda: world.grab([0], np.zeros((1, 1, 3))), "BadArgument", f"{shape} (1, 1, 3) and dtype float64, {wanted}")
    assert_refused(lambda: world.grab([0, 1], [(0, 0, 0), (0, 0)]), "BadArgument", f"`displacement` is of type list, {wanted}")
    assert_refused(lambda: world.grab([0, 1], np.zeros((3, 3))), "DisplacementCount", "3 displacements for 2 vertices")
    assert_refused(lambda: world.grab([0, 1], [(0, 0, 0), (0, NAN, 0)]), "NotFinite", "`displacement[1]` is not finite")
    assert_refused(lambda: world.grab([0, last + 1], np.zeros((2, 3))), "NoSuchVertex", f"use 0 to {last}")
    assert_refused(lambda: world.grab([1, 1], [(0, 0, 0), (1e-3, 0, 0)]), "VertexTwice", "vertex 1 has two different displacements")
    assert_refused(lambda: world.advance(np.inf), "NotFinite", "the time to advance")
    assert_refused(lambda: world.step(0), "BadArgument", "`frames` is 0, wanted 1 or more")
    assert_refused(lambda: world.quantity("mood"), "NoSuchName", "it has")
    assert_refused(lambda: world.set_parameter("mood", 1.0), "Unknown", "`mood`")
    assert_refused(lambda: world.set_parameter("damping_ratio", 1e9), "OutOfRange", "between")
    assert_refused(lambda: world.set_parameter("damping_ratio", []), "BadArgument", "`value` is")
    assert_refused(lambda: world.write_obj("/no/such/folder/a.obj"), "Unwritable", "/no/such/folder/a.obj", pliant.PliantError)
    other = make_scene().build("quasistatic")
    assert_refused(lambda: world.restore(other.snapshot()), "SnapshotMismatch", "another model")
    world.step()
    assert np.isfinite(world.positions()).all()


@pytest.mark.parametrize(
    "work",
    [
        lambda: pliant.Body.cuboid((1, 1, 1), "fine"),
        lambda: pliant.Body.procedural(3),
        lambda: pliant.Body.from_file("a.obj", longst=1.0),
        lambda: pliant.Scene(bodies=make_pad()),
        lambda: pliant.Scene(bodies=[3]),
        lambda: pliant.World(),
        lambda: pliant.Snapshot(),
        lambda: make_scene().build("lattice").restore(None),
    ],
)
def test_arguments_of_another_type_are_type_errors_of_python(work):
    with pytest.raises(TypeError):
        work()


def test_exceptions_are_values_and_survive_pickle():
    with pytest.raises(ValueError) as caught:
        pliant.Material(law="rubber")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code, type(again)) == (str(caught.value), "BadArgument", pliant.ArgumentError)
    assert not issubclass(pliant.BuildError, ValueError)
