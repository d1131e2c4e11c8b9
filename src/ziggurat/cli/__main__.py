"""``python -m ziggurat.cli``: the same as the installed command ``ziggurat``."""

from __future__ import annotations

from ziggurat.cli import main

main()
