"""Modules that had the names of functions: a call still does what the function did, and warns what to call instead."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *args: Any, **named: Any) -> Any:
        function, name = self.__dict__["_was"]
        warnings.warn(f"{self.__name__} is a module; call {name}", DeprecationWarning, stacklevel=2)
        return function(*args, **named)


def was_function(module: str, name: str, function: Callable[..., Any]) -> None:
    """Let a module be called, for one release, like the function that hid it until 0.1.

    Args:
        name: what to call instead, for the warning.
    """
    found = sys.modules[module]
    found.__dict__["_was"] = function, name
    found.__class__ = _Callable
