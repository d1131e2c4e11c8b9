"""The models, where OpenEnv's programs look for them; they are kept in `ziggurat.rl.openenv.models`."""

from ziggurat.rl.openenv.models import ZigguratAction, ZigguratObservation, ZigguratState

__all__ = ["ZigguratAction", "ZigguratObservation", "ZigguratState"]
