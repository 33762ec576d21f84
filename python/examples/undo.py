"""Snapshots as undo: a planner tries pokes at several places from the same state, and goes back after each.

python examples/undo.py
"""

import numpy as np

import pliant

RADIUS = 0.045


def main() -> None:
    pad = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.025, material=pliant.Material(2e4, 0.3), hold_lowest=0.01)
    finger = pliant.Tool.sphere("finger", RADIUS, at=(0, 0.2, 0))
    # Green's functions: no inertia, so that a poke is one frame
    world = pliant.Scene("undo", bodies=[pad], tools=[finger], gravity=(0, 0, 0)).build("quasistatic")
    world.step()
    before, at_rest = world.snapshot(), world.surface_hash

    print("place of the poke    stiffness felt")
    felt = {}
    for x in np.linspace(-0.08, 0.08, 9):
        world.move_tool("finger", (x, 0.05 + RADIUS, 0))
        world.step()
        world.move_tool("finger", (x, 0.05 + RADIUS - 0.005, 0))
        world.step()
        felt[x] = world.tool_force("finger")[1] / 0.005
        print(f"{1e3 * x:+10.0f} mm {felt[x]:14.1f} N/m {'#' * int(felt[x] / 20)}")
        world.restore(before)
        assert world.surface_hash == at_rest, "undone to the bit"
    softest = min(felt, key=felt.get)
    print(f"softest at {1e3 * softest:+.0f} mm; the body is as it was: {world.surface_hash == at_rest}")


if __name__ == "__main__":
    main()
