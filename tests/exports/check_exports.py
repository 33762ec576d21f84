"""Reads exports of a recording with the libraries of the programs that they are for, and compares them.

No command of cargo runs it: run it by hand after a change of an export format. It needs Python with vtk, pygltflib, usd-core, trimesh and numpy:

    pip install vtk pygltflib usd-core trimesh numpy
    pliant run poke --method lattice --record poke.plrec
    pliant export poke.plrec --to vtk,gltf,usd,obj,csv --out exported
    python tests/exports/check_exports.py exported

Positions of VTP files are the measure: the tests of the crate hold them equal to the recording. USD and OBJ have to agree to the bit, glTF to the rounding of the displacement.
"""

import csv
import struct
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy
import pygltflib
import trimesh
import vtk
from pxr import Usd, UsdGeom
from vtk.util.numpy_support import vtk_to_numpy


def read_vtp(file):
    """Points, triangles and displacements, as ParaView reads them."""
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    data = reader.GetOutput()
    points = vtk_to_numpy(data.GetPoints().GetData())
    triangles = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    displacement = vtk_to_numpy(data.GetPointData().GetArray("displacement"))
    time = data.GetFieldData().GetArray("TimeValue").GetValue(0)
    return points, triangles, displacement, time


def read_collection(file):
    """Times and files of a PVD collection."""
    entries = xml.parse(file).getroot().iter("DataSet")
    return [(float(e.get("timestep")), file.parent / e.get("file")) for e in entries]


def check_vtk(folder):
    """Surfaces of each method: time, positions; and the triangles."""
    methods, triangles = {}, None
    for collection in sorted((folder / "vtk").glob("*.pvd")):
        if collection.stem == "recording":
            continue
        surfaces = []
        for time, file in read_collection(collection):
            points, triangles, displacement, inside = read_vtp(file)
            assert points.dtype == numpy.float32 and abs(inside - time) < 1e-12
            rest = surfaces[0][1] if surfaces else points
            assert numpy.array_equal(displacement, points - rest)
            surfaces.append((time, points))
        methods[collection.stem] = surfaces
    total = sum(len(s) for s in methods.values())
    assert len(read_collection(folder / "vtk/recording.pvd")) == total
    print(f"vtk: {total} surfaces of {', '.join(methods)}, {len(triangles)} triangles")
    return methods, triangles


def check_obj(folder, methods, triangles):
    """Each OBJ file has the same positions to the bit."""
    count = 0
    for method, surfaces in methods.items():
        files = [folder / "obj/rest.obj", *sorted((folder / "obj").glob(f"{method}-*.obj"))]
        assert len(files) == len(surfaces)
        for file, (_, points) in zip(files, surfaces):
            mesh = trimesh.load(file, process=False, maintain_order=True)
            assert numpy.array_equal(mesh.vertices.astype(numpy.float32), points), file
            assert numpy.array_equal(mesh.faces, triangles), file
            count += 1
    print(f"obj: {count} files, equal to the bit")


def check_usd(folder, methods, triangles):
    """The USD stage has a mesh a method, and the same positions to the bit."""
    stage = Usd.Stage.Open(str(folder / "recording.usda"))
    rate = stage.GetTimeCodesPerSecond()
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    for method, surfaces in methods.items():
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/recording/{method}"))
        indices = numpy.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
        assert numpy.array_equal(indices, triangles)
        points = mesh.GetPointsAttr()
        samples = points.GetTimeSamples()
        assert len(samples) == len(surfaces)
        for code, (time, expected) in zip(samples, surfaces):
            assert abs(code / rate - time) < 1e-9
            assert numpy.array_equal(numpy.array(points.Get(code)), expected), (method, code)
    print(f"usd: {len(samples)} samples a method at {rate} a second, equal to the bit")


def check_gltf(folder, methods, triangles):
    """The GLB file has a mesh a method, and targets that lead to the same positions."""
    gltf = pygltflib.GLTF2().load(str(folder / "recording.glb"))
    blob = gltf.binary_blob()

    def numbers(accessor):
        accessor = gltf.accessors[accessor]
        view = gltf.bufferViews[accessor.bufferView]
        kind = {5126: numpy.float32, 5125: numpy.uint32}[accessor.componentType]
        width = {"SCALAR": 1, "VEC3": 3}[accessor.type]
        array = numpy.frombuffer(blob, kind, accessor.count * width, view.byteOffset or 0)
        array = array.reshape(accessor.count, width)
        if accessor.min:
            assert numpy.array_equal(array.min(0), numpy.array(accessor.min, numpy.float32))
            assert numpy.array_equal(array.max(0), numpy.array(accessor.max, numpy.float32))
        return array

    sampler = gltf.animations[0].samplers[0]
    times, weights = numbers(sampler.input)[:, 0], numbers(sampler.output)
    assert len(gltf.animations[0].channels) == len(gltf.nodes) == len(methods)
    exact = worst = total = 0
    for node in gltf.nodes:
        primitive = gltf.meshes[node.mesh].primitives[0]
        rest = numbers(primitive.attributes.POSITION)
        assert numpy.array_equal(numbers(primitive.indices).reshape(-1, 3), triangles)
        surfaces = methods[node.name]
        targets = [numbers(t["POSITION"]) for t in primitive.targets]
        rows = weights.reshape(len(times), len(targets))
        assert len(times) == len(surfaces)
        for time, row, (at, expected) in zip(times, rows, surfaces):
            assert abs(time - at) < 1e-5
            chosen = numpy.flatnonzero(row)
            found = rest if len(chosen) == 0 else rest + targets[chosen[0]]
            error = numpy.abs(found - expected)
            assert (error <= (numpy.abs(rest) + numpy.abs(expected)) * 2.0**-23).all()
            exact += (error == 0).sum()
            worst = max(worst, error.max())
            total += error.size
    print(f"gltf: {len(targets)} targets a method, {exact / total:.6%} of coordinates to the bit, worst {worst:.1e} m")


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
    found, faces = check_vtk(at)
    check_obj(at, found, faces)
    check_usd(at, found, faces)
    check_gltf(at, found, faces)
    check_glb_header(at)
    check_csv(at)
    print("all exports agree")
