"""Which Ziggurat this is."""

__version__ = "0.2.0"
