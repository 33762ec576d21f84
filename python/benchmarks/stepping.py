"""What Python adds to a frame: the same frames stepped one by one from Python and by a loop inside the library, on a body of about 20,000 tetrahedra.

    python benchmarks/stepping.py [METHOD ...]

Blocks alternate between three ways, so that the state of the machine counts for all of them; medians over blocks are printed. "inside" takes the frames of a block by one call of
``World.step(frames)``, a loop in Rust. "from Python" calls ``step()`` for each. "as a simulator" also moves the tool, reads its force and takes all positions into its own array.
"""

import sys
import time

import numpy as np

import pliant

FRAMES = 30
BLOCKS = 12


def make_world(method: str) -> pliant.World:
    body = pliant.Body.cuboid((0.2, 0.2, 0.2), 0.0133, material=pliant.Material(2e4, 0.3), hold_lowest=0.01)
    # one level of 15 x 15 x 15 cells of six tetrahedra, all of them computed in every frame
    body.set("adaptive.target_edges", [0.0133]).set("adaptive.resolution", "level").set("quasistatic.boundary", 600)
    finger = pliant.Tool.sphere("finger", 0.05, at=(0, 0.2, 0))
    return pliant.Scene("bench", bodies=[body], tools=[finger], gravity=(0, 0, 0)).build(method)


def inside(world: pliant.World, top: float) -> None:
    world.step(FRAMES)


def from_python(world: pliant.World, top: float) -> None:
    for _ in range(FRAMES):
        world.step()


def as_simulator(world: pliant.World, top: float) -> None:
    out = np.empty(world.rest_positions.shape, np.float32)
    for _ in range(FRAMES):
        world.move_tool("finger", (0, top, 0))
        world.step()
        world.tool_force("finger")
        world.positions(out=out)


def main() -> None:
    for method in sys.argv[1:] or pliant.METHODS:
        world = make_world(method)
        stats = world.stats
        top = float(world.rest_positions[:, 1].max()) + 0.05 - 0.005
        world.move_tool("finger", (0, top, 0))
        world.step(60)
        begin = world.snapshot()
        seconds: dict[str, list[float]] = {}
        for _ in range(BLOCKS):
            for way in (inside, from_python, as_simulator):
                world.restore(begin)
                started = time.perf_counter()
                way(world, top)
                seconds.setdefault(way.__name__, []).append((time.perf_counter() - started) / FRAMES)
        print(f"{method}: {stats['elements']} elements, {len(world.rest_positions)} vertices of the skin")
        base = np.median(seconds["inside"])
        for name, found in seconds.items():
            median = np.median(found)
            print(f"  {name.replace('_', ' '):<14} {1e3 * median:8.3f} ms a frame   {100 * (median / base - 1):+6.2f} %")
        calls = 20_000
        started = time.perf_counter()
        for _ in range(calls):
            world.tool_force("finger")
        print(f"  a call         {1e6 * (time.perf_counter() - started) / calls:8.3f} µs (tool_force)")


if __name__ == "__main__":
    main()
