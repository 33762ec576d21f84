"""A sequence for ParaView: a hand leads the top of a bar around a circle and lets go, the run is recorded, and the recording becomes a VTK collection.

    python examples/export_sequence.py [FOLDER]

Open bar-vtk/*.pvd in ParaView and press play. ``export`` also writes glTF (Blender), USD, OBJ and CSV.
"""

import pathlib
import sys

import numpy as np

import pliant


def main() -> None:
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "bar-vtk")
    bar = pliant.Body.cuboid((0.08, 0.3, 0.08), 0.02, material=pliant.Material(5e4, 0.3), hold_lowest=0.01)
    world = pliant.Scene("bar", bodies=[bar], gravity=(0, 0, 0)).build("lattice")
    rest = world.rest_positions
    top = np.flatnonzero(rest[:, 1] > rest[:, 1].max() - 1e-6)

    with pliant.Recorder(folder / "bar.plrec", world, every=2) as recorder:
        for frame in range(90):
            # displacements count from where the top lay when the hand took hold of it
            angle = 2 * np.pi * frame / 60
            if frame < 60:
                world.grab(top, (0.05 * np.sin(angle), -0.02 * frame / 60, 0.05 * (1 - np.cos(angle))))
            else:
                world.release()
            world.step()
            recorder.frame()

    recording = pliant.Recording(folder / "bar.plrec")
    files = recording.export("vtk", folder)
    times, positions = recording.surfaces("lattice")
    print(f"{len(recording)} frames, {len(times)} surfaces of {positions.shape[1]} vertices")
    print(f"{len(files)} files in {folder}, among them {[f.name for f in map(pathlib.Path, files) if f.suffix == '.pvd']}")


if __name__ == "__main__":
    main()
