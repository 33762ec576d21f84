"""What goes in and out as arrays: shapes, dtypes, lifetimes."""

import gc

import numpy as np
import pytest
from conftest import make_pad, press

import pliant


def test_surfaces_are_arrays_of_the_skin(lattice):
    rest, triangles = lattice.rest_positions, lattice.triangles
    positions, normals = lattice.positions(), lattice.normals()
    assert rest.dtype == np.float64 and positions.dtype == normals.dtype == np.float32 and triangles.dtype == np.int32
    assert rest.shape == positions.shape == normals.shape and rest.shape[1] == triangles.shape[1] == 3
    assert np.linalg.norm(normals, axis=1) == pytest.approx(np.ones(len(normals)), abs=1e-5)
    # counter-clockwise from outside: the volume of the box is positive
    a, b, c = (rest[triangles[:, k]] for k in range(3))
    assert np.sum(a * np.cross(b, c)) / 6 == pytest.approx(0.2 * 0.1 * 0.2)


def test_what_never_changes_is_read_only_and_outlives_its_world(lattice):
    rest, triangles = lattice.rest_positions, lattice.triangles
    for array in (rest, triangles):
        with pytest.raises(ValueError):
            array[0, 0] = 1
    kept = rest.copy()
    del lattice
    gc.collect()
    assert np.array_equal(rest, kept)


def test_positions_are_a_copy_or_the_callers_own_array(lattice):
    before = lattice.positions()
    kept = before.copy()
    own = np.full_like(before, np.nan)
    assert lattice.positions(out=own) is own
    assert lattice.normals(own) is own
    assert np.array_equal(own, lattice.normals())
    press(lattice, range(20))
    assert np.array_equal(before, kept)
    assert not np.array_equal(before, lattice.positions())


def test_a_row_of_a_larger_array_takes_positions(lattice):
    many = np.zeros((3, *lattice.rest_positions.shape), np.float32)
    lattice.positions(out=many[1])
    assert np.array_equal(many[1], lattice.positions()) and not many[[0, 2]].any()


@pytest.mark.parametrize(
    ("change", "got"),
    [
        (lambda out: out[:-1], r"shape \(\d+, 3\) and dtype float32"),
        (lambda out: out.astype(np.float64), "dtype float64"),
        (lambda out: np.asfortranarray(out), "not contiguous"),
        (lambda out: out[:, :2], r"shape \(\d+, 2\)"),
        (lambda out: out.tolist(), r"an array of shape \(\d+, 3\) and dtype float64"),
        (lambda out: 3, "of type int"),
    ],
)
def test_other_buffers_are_refused(lattice, change, got):
    with pytest.raises(pliant.ArgumentError, match=rf"`out` is .*{got}.*, wanted a float32 array of shape") as caught:
        lattice.positions(out=change(lattice.positions()))
    assert caught.value.code == "BadArgument"
    frozen = lattice.positions()
    frozen.flags.writeable = False
    with pytest.raises(pliant.ArgumentError, match="read-only"):
        lattice.positions(out=frozen)


def test_meshes_come_as_arrays_of_any_number_type(cube):
    corners, faces = cube
    ways = [
        (corners, faces),
        (corners.astype(np.float32), faces.astype(np.uint64)),
        (corners.tolist(), faces.tolist()),
        (np.asfortranarray(corners), faces.astype(np.int8)),
        (corners[::-1][::-1], faces[::1]),
    ]
    for vertices, triangles in ways:
        skin = pliant.Scene("cube", bodies=[pliant.Body.from_triangles(vertices, triangles)]).prepare()
        size = skin.rest_positions.max(axis=0) - skin.rest_positions.min(axis=0)
        assert size == pytest.approx([0.1, 0.1, 0.1], abs=1e-7)


def test_tetrahedra_keep_their_boundary():
    nodes = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]) * 0.1
    body = pliant.Body.from_tets(nodes, [(0, 1, 2, 3), (1, 2, 3, 4)][:1], name="tip")
    skin = pliant.Scene("tip", bodies=[body]).prepare()
    assert skin.rest_positions.min() == pytest.approx(0) and skin.rest_positions.max() == pytest.approx(0.1)


def test_values_of_numpy_are_values_of_a_scene():
    def gravity(value):
        scene = pliant.Scene("pad", bodies=[make_pad()]).set("gravity", value)
        world = scene.build("lattice")
        world.step(10)
        return world.surface_hash

    assert gravity(np.array([0.0, -3.0, 0.0])) == gravity([0, np.float32(-3.0), 0.0]) == gravity((0.0, -3.0, 0))
    assert gravity([0.0, -2.0, 0.0]) != gravity([0.0, -3.0, 0.0])


def test_a_ray_meets_the_skin_where_it_lies(lattice):
    far, triangle, place = lattice.pick((0.01, 1.0, 0.02), (0, -1, 0))
    assert far == pytest.approx(0.95) and place == pytest.approx([0.01, 0.05, 0.02], abs=1e-6)
    assert 0 <= triangle < len(lattice.triangles)
    assert lattice.pick((0, 1, 0), (0, 1, 0)) is None


def test_quantities_have_a_number_for_each_vertex_or_point(world):
    press(world, range(15))
    seen = 0
    for name in world.quantities:
        values, points = world.quantity(name)
        assert values.dtype == np.float32
        assert len(values) == (len(world.rest_positions) if points is None else len(points))
        seen += 1
    assert seen >= 2
    values, _ = world.quantity(next(iter(world.quantities)))
    assert np.abs(values).max() > 0
