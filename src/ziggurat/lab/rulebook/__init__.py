"""A benchmark: somebody reads our rules of a game and writes an engine, and a machine judges it.

docs/benchmark-rules.md says how.
An exam is made from our own rules; an engine answers it in a process of its own.
"""
