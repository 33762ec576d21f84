"""A force curve: presses a liver going in and coming out, by two methods, and plots force over depth to force_curve.png.

python examples/force_curve.py [PNG]
"""

import sys

import matplotlib
import numpy as np

import pliant

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

RADIUS = 0.02
DEPTHS = np.concatenate([np.linspace(0, 0.01, 41), np.linspace(0.01, 0, 41)])


def main() -> None:
    png = sys.argv[1] if len(sys.argv) > 1 else "force_curve.png"
    liver = pliant.Body.procedural("liver", longest=0.2, edge=0.012, material=pliant.Material(4e3, 0.4), hold_lowest=0.25)
    liver.set("quasistatic.boundary", 250)
    finger = pliant.Tool.sphere("finger", RADIUS, at=(0, 0.3, 0))
    prepared = pliant.Scene("press", bodies=[liver], tools=[finger], gravity=(0, 0, 0)).prepare()

    figure, axes = pyplot.subplots(figsize=(6, 4), dpi=100)
    for method in ("quasistatic", "lattice"):
        world = prepared.build(method)
        top = world.rest_positions[world.rest_positions[:, 1].argmax()]
        forces = []
        for depth in DEPTHS:
            world.move_tool("finger", top + (0, RADIUS - depth, 0))
            world.step()
            forces.append(np.linalg.norm(world.tool_force("finger")))
        axes.plot(1e3 * DEPTHS, forces, label=method)
        print(f"{method}: {max(forces):.3f} N at {1e3 * DEPTHS[int(np.argmax(forces))]:.1f} mm")
    axes.set(xlabel="depth, mm", ylabel="force on the finger, N")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(png)
    print(f"{png} is the plot")


if __name__ == "__main__":
    main()
