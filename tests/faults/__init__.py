"""Planted faults: one-line mistakes of the kind people make, which the tests have to see.

`python -m tests.faults --help` says how to try them; `faults.toml` is the kept list.
"""
