"""Real-time deformable bodies by three methods on one scene: from a mesh to surface and force in ten lines.

>>> import pliant
>>> pad = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.04, hold_lowest=0.01)
>>> finger = pliant.Tool.sphere("finger", 0.08, at=(0, 0.14, 0))
>>> world = pliant.Scene("pad", bodies=[pad], tools=[finger], gravity=(0, 0, 0)).build("quasistatic")
>>> world.move_tool("finger", (0, 0.115, 0))
>>> report = world.step()
>>> bool(world.tool_force("finger")[1] > 0.1)
True

SI units; right-handed, y up; world coordinates. Forces of a tool are those on the tool, those of supports and grabs act on the body. The same calls give the same bits,
for any number of threads. What is wrong raises a ``PliantError``, which names the thing, the place and the remedy.
"""

from pliant._pliant import (
    BUNDLED_SCENES,
    METHODS,
    PROCEDURAL_BODIES,
    Body,
    Comparison,
    FrameReport,
    Material,
    MethodRun,
    PreparedScene,
    Recorder,
    Recording,
    Scene,
    Selection,
    Snapshot,
    Tool,
    World,
    __version__,
    use_portable_kernels,
)
from pliant.errors import ArgumentError, BuildError, PliantError, RecordingError, StepError

__all__ = [
    "BUNDLED_SCENES",
    "METHODS",
    "PROCEDURAL_BODIES",
    "ArgumentError",
    "Body",
    "BuildError",
    "Comparison",
    "FrameReport",
    "Material",
    "MethodRun",
    "PliantError",
    "PreparedScene",
    "Recorder",
    "Recording",
    "RecordingError",
    "Scene",
    "Selection",
    "Snapshot",
    "StepError",
    "Tool",
    "World",
    "__version__",
    "use_portable_kernels",
]
