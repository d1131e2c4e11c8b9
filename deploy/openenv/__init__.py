"""Board games with hidden cards, as an environment of OpenEnv: the client and its models."""

from .client import ZigguratEnv
from .models import ZigguratAction, ZigguratObservation, ZigguratSessionState

__all__ = ["ZigguratAction", "ZigguratEnv", "ZigguratObservation", "ZigguratSessionState"]
