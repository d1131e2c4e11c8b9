"""The models, where OpenEnv's programs look for them; they are kept in `ziggurat.rl.openenv.models`."""

from ziggurat.rl.openenv.models import ZigguratAction, ZigguratObservation, ZigguratSessionState

__all__ = ["ZigguratAction", "ZigguratObservation", "ZigguratSessionState"]
