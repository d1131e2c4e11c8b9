"""The games, each in a folder of its own, which :mod:`ziggurat.core.registry` finds."""
