"""The client and its models, where OpenEnv's programs look for them; they are kept in `ziggurat.rl.openenv`."""

from ziggurat.rl.openenv.client import ZigguratEnv
from ziggurat.rl.openenv.models import ZigguratAction, ZigguratObservation

__all__ = ["ZigguratAction", "ZigguratEnv", "ZigguratObservation"]
