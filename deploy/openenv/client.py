"""The client, where OpenEnv's programs look for it; it is kept in `ziggurat.rl.openenv.client`."""

from ziggurat.rl.openenv.client import ZigguratEnv

__all__ = ["ZigguratEnv"]
