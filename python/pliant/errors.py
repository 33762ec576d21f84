"""What can go wrong. Every exception of Pliant has a ``code``, the same as in the JSON of the program."""

from __future__ import annotations


class PliantError(Exception):
    """Base of all exceptions of Pliant.

    ``str(error)`` names the thing, the place and the remedy. ``error.code`` is a word for programs, for example ``"UnknownKey"`` or ``"ToolTooSharp"``; codes are added,
    never renamed.
    """

    def __init__(self, message: str, code: str = "Error") -> None:
        super().__init__(message, code)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[0])


class ArgumentError(PliantError, ValueError):
    """An argument that cannot be used: a wrong shape or dtype, a number that is not finite, a name or a vertex that is not there."""


class BuildError(PliantError):
    """A scene, its mesh or the asset of a method cannot be built."""


class StepError(PliantError):
    """A frame cannot be computed; the world keeps its last good frame."""


class RecordingError(PliantError):
    """A recording cannot be read, written or exported."""
