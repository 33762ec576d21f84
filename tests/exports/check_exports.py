"""Reads exports of a recording with the libraries of the programs that they are for, and compares them.

No command of cargo runs it: run it by hand after a change of an export format, with a whole body and with one that is cut. It needs Python with vtk, pygltflib, usd-core, trimesh and numpy:

    pip install vtk pygltflib usd-core trimesh numpy
    for scene in poke slice; do
        pliant run $scene --method lattice --frames 120 --record $scene.plrec
        pliant export $scene.plrec --to vtk,gltf,usd,obj,csv --out $scene-exported
        python tests/exports/check_exports.py $scene-exported
    done

Positions and triangles of VTP files are the measure: the tests of the crate hold them equal to the recording. A cut changes the number of both, so each surface is compared with its own. USD and OBJ have to agree to the bit, glTF to the rounding of the displacement.
"""

import csv
import struct
import sys
import xml.etree.ElementTree as xml
from collections import namedtuple
from pathlib import Path

import numpy
import pygltflib
import trimesh
import vtk
from pxr import Usd, UsdGeom
from vtk.util.numpy_support import vtk_to_numpy

Surface = namedtuple("Surface", "time points triangles displacement")


def read_vtp(file):
    """A surface as ParaView reads it."""
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    data = reader.GetOutput()
    points = vtk_to_numpy(data.GetPoints().GetData())
    triangles = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    displacement = vtk_to_numpy(data.GetPointData().GetArray("displacement"))
    time = data.GetFieldData().GetArray("TimeValue").GetValue(0)
    return Surface(time, points, triangles, displacement)


def read_collection(file):
    """Times and files of a PVD collection."""
    entries = xml.parse(file).getroot().iter("DataSet")
    return [(float(e.get("timestep")), file.parent / e.get("file")) for e in entries]


def is_closed(triangles):
    """Whether each edge has two triangles, one in each direction."""
    edges = numpy.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    forward = numpy.unique(edges, axis=0)
    backward = numpy.unique(edges[:, ::-1], axis=0)
    return len(forward) == len(edges) and numpy.array_equal(forward, backward)


def check_vtk(folder):
    """The surfaces of each method: times, numbers of vertices, displacements, and whether what was closed at rest is closed when cut."""
    methods, cut = {}, 0
    for collection in sorted((folder / "vtk").glob("*.pvd")):
        if collection.stem == "recording":
            continue
        surfaces = []
        for time, file in read_collection(collection):
            surface = read_vtp(file)
            assert surface.points.dtype == numpy.float32 and abs(surface.time - time) < 1e-12
            assert surface.displacement.shape == surface.points.shape, file
            assert surface.triangles.min() >= 0 and surface.triangles.max() < len(surface.points), file
            assert numpy.isfinite(surface.points).all(), file
            rest = surfaces[0] if surfaces else surface
            if numpy.array_equal(surface.triangles, rest.triangles):
                assert numpy.array_equal(surface.displacement, surface.points - rest.points), file
            else:
                assert is_closed(surface.triangles) or not is_closed(rest.triangles), file
                cut += 1
            surfaces.append(surface)
        methods[collection.stem] = surfaces
    total = sum(len(s) for s in methods.values())
    assert len(read_collection(folder / "vtk/recording.pvd")) == total
    print(f"vtk: {total} surfaces of {', '.join(methods)}, {cut} of them cut")
    return methods


def check_obj(folder, methods):
    """Each OBJ file has the same positions to the bit, and the same triangles."""
    count = 0
    for method, surfaces in methods.items():
        files = [folder / "obj/rest.obj", *sorted((folder / "obj").glob(f"{method}-*.obj"))]
        assert len(files) == len(surfaces)
        for file, expected in zip(files, surfaces):
            mesh = trimesh.load(file, process=False, maintain_order=True)
            assert numpy.array_equal(mesh.vertices.astype(numpy.float32), expected.points), file
            assert numpy.array_equal(mesh.faces, expected.triangles), file
            count += 1
    print(f"obj: {count} files, equal to the bit")


def check_usd(folder, methods):
    """The USD stage has a mesh a method, at each time with the same positions to the bit, and the same triangles."""
    stage = Usd.Stage.Open(str(folder / "recording.usda"))
    rate = stage.GetTimeCodesPerSecond()
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    count = 0
    for method, surfaces in methods.items():
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/recording/{method}"))
        points = mesh.GetPointsAttr()
        samples = points.GetTimeSamples()
        assert len(samples) == len(surfaces)
        for code, expected in zip(samples, surfaces):
            assert abs(code / rate - expected.time) < 1e-9
            indices = mesh.GetFaceVertexIndicesAttr().Get(code)
            counts = mesh.GetFaceVertexCountsAttr().Get(code)
            found = points.Get(code)
            assert UsdGeom.Mesh.ValidateTopology(indices, counts, len(found)), (method, code)
            assert set(counts) == {3}, (method, code)
            assert numpy.array_equal(numpy.array(indices).reshape(-1, 3), expected.triangles), (method, code)
            assert numpy.array_equal(numpy.array(found), expected.points), (method, code)
            low, high = numpy.array(mesh.GetExtentAttr().Get(code))
            assert numpy.array_equal(low, expected.points.min(0)), (method, code)
            assert numpy.array_equal(high, expected.points.max(0)), (method, code)
            # a cut between two samples must not mix points of one with triangles of the other
            between = code + 0.5
            indices = mesh.GetFaceVertexIndicesAttr().Get(between)
            counts = mesh.GetFaceVertexCountsAttr().Get(between)
            assert UsdGeom.Mesh.ValidateTopology(indices, counts, len(points.Get(between))), (method, between)
            count += 1
    print(f"usd: {count} samples at {rate} a second, equal to the bit")


def read_accessor(gltf, index):
    """The numbers of an accessor, a row each."""
    accessor = gltf.accessors[index]
    view = gltf.bufferViews[accessor.bufferView]
    kind = {5126: numpy.float32, 5125: numpy.uint32}[accessor.componentType]
    width = {"SCALAR": 1, "VEC3": 3}[accessor.type]
    array = numpy.frombuffer(gltf.binary_blob(), kind, accessor.count * width, view.byteOffset or 0)
    array = array.reshape(accessor.count, width)
    if accessor.min:
        assert numpy.array_equal(array.min(0), numpy.array(accessor.min, numpy.float32))
        assert numpy.array_equal(array.max(0), numpy.array(accessor.max, numpy.float32))
    return array


def curve(gltf, node, path):
    """Times and values that an animation gives to a node; `None` without one."""
    for channel in gltf.animations[0].channels:
        if (channel.target.node, channel.target.path) == (node, path):
            sampler = gltf.animations[0].samplers[channel.sampler]
            assert sampler.interpolation == {"weights": "LINEAR", "scale": "STEP"}[path]
            times = read_accessor(gltf, sampler.input)[:, 0]
            assert (numpy.diff(times) > 0).all()
            return times, read_accessor(gltf, sampler.output)
    return None


def shown_at(gltf, node, time):
    """Whether a node has its full size, and not none at all, at a time."""
    found = curve(gltf, node, "scale")
    if found is None:
        return True
    times, scales = found
    scale = scales[max(numpy.searchsorted(times, time, "right") - 1, 0)]
    assert (scale == scale[0]).all() and scale[0] in (0, 1)
    return scale[0] == 1


def gltf_surface(gltf, node, time):
    """Rest, positions and triangles of a node at a time at which its animation has a key, or before."""
    primitive = gltf.meshes[gltf.nodes[node].mesh].primitives[0]
    rest = read_accessor(gltf, primitive.attributes.POSITION)
    triangles = read_accessor(gltf, primitive.indices).reshape(-1, 3)
    found = curve(gltf, node, "weights")
    if found is None:
        assert not primitive.targets
        return rest, rest, triangles
    times, weights = found
    row = weights.reshape(len(times), len(primitive.targets))[numpy.abs(times - time).argmin()]
    assert numpy.abs(times - time).min() < 1e-5
    chosen = numpy.flatnonzero(row)
    if len(chosen) == 0:
        return rest, rest, triangles
    assert len(chosen) == 1 and row[chosen[0]] == 1
    target = read_accessor(gltf, primitive.targets[chosen[0]]["POSITION"])
    assert target.shape == rest.shape
    return rest, rest + target, triangles


def check_gltf(folder, methods):
    """At each time exactly one node of a method is shown, and its target leads to the same positions."""
    gltf = pygltflib.GLTF2().load(str(folder / "recording.glb"))
    exact = worst = total = 0
    for method, surfaces in methods.items():
        named = [n for n, node in enumerate(gltf.nodes) if node.name.split(" cut ")[0] == method]
        for expected in surfaces:
            # times are in single precision
            time = numpy.float32(expected.time)
            shown = [node for node in named if shown_at(gltf, node, time)]
            assert len(shown) == 1, (method, expected.time, shown)
            rest, found, triangles = gltf_surface(gltf, shown[0], time)
            assert numpy.array_equal(triangles, expected.triangles), (method, expected.time)
            assert numpy.array_equal(expected.displacement, expected.points - rest), (method, expected.time)
            error = numpy.abs(found - expected.points)
            assert (error <= (numpy.abs(rest) + numpy.abs(expected.points)) * 2.0**-23).all()
            exact += (error == 0).sum()
            worst = max(worst, error.max())
            total += error.size
    print(f"gltf: {len(gltf.nodes)} nodes, {exact / total:.6%} of coordinates to the bit, worst {worst:.1e} m")


def check_csv(folder):
    """The table has as many fields in every line."""
    with open(folder / "recording.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert all(len(row) == len(rows[0]) for row in rows)
    print(f"csv: {len(rows) - 1} frames, {len(rows[0])} columns")


def check_glb_header(folder):
    """The lengths of the container fit the file."""
    data = (folder / "recording.glb").read_bytes()
    magic, version, length, json_length, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, kind) == (b"glTF", 2, b"JSON") and length == len(data)
    binary, kind = struct.unpack_from("<I4s", data, 20 + json_length)
    assert kind == b"BIN\0" and 28 + json_length + binary == length


if __name__ == "__main__":
    at = Path(sys.argv[1])
    found = check_vtk(at)
    check_obj(at, found)
    check_usd(at, found)
    check_gltf(at, found)
    check_glb_header(at)
    check_csv(at)
    print("all exports agree")
