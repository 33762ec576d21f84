"""From a mesh to a force: drops a mesh onto a floor, and prints what the floor feels.

    python examples/drop_a_mesh.py [MESH]

Without a mesh it makes a torus with numpy.
"""

import sys

import numpy as np

import pliant


def torus(rings: int = 28, around: int = 14) -> tuple[np.ndarray, np.ndarray]:
    """Vertices, m, and triangles of a torus that lies flat."""
    u, v = np.meshgrid(np.arange(rings), np.arange(around), indexing="ij")
    long, short = 2 * np.pi * u / rings, 2 * np.pi * v / around
    radius = 0.07 + 0.03 * np.cos(short)
    vertices = np.stack([radius * np.cos(long), 0.03 * np.sin(short), radius * np.sin(long)], axis=-1)
    right, up = (u + 1) % rings, (v + 1) % around
    a, b, c, d = (x * around + y for x, y in ((u, v), (right, v), (right, up), (u, up)))
    triangles = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, d, c), (a, c, b))])
    return vertices.reshape(-1, 3), triangles


def main() -> None:
    rubber = pliant.Material(young=3e4, poisson=0.3, damping_ratio=0.03)
    if len(sys.argv) > 1:
        body = pliant.Body.from_file(sys.argv[1], longest=0.2, on_floor=True, material=rubber)
    else:
        body = pliant.Body.from_triangles(*torus(), name="torus", on_floor=True, material=rubber)
    # the body stands on y = 0: the floor is half a metre lower
    floor = pliant.Tool.floor("floor", -0.5, friction=0.5)
    world = pliant.Scene("drop", bodies=[body], tools=[floor]).build("lattice")

    print("   time   force on floor   height above it")
    for frame in range(1, 91):
        world.step()
        if frame % 3 == 0:
            height = float(world.positions()[:, 1].min()) + 0.5
            force = float(np.linalg.norm(world.tool_force("floor")))
            print(f"{world.time:6.2f} s {force:8.1f} N |{' ' * int(50 * max(height, 0))}o")


if __name__ == "__main__":
    main()
