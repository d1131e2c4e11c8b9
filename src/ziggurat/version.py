"""The version of Ziggurat."""

__version__ = "0.2.0"
