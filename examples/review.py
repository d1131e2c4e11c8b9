"""Review many games: which moves cost each player most, and what would have been better (docs/analyse.md).

python examples/review.py games/*.txt > reviews.csv
"""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import TextIO

files = sys.argv[1:]
command = [sys.executable, "-m", "ziggurat.cli", "analyse"]
engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
assert engine.stdin and engine.stdout  # noqa: PT018


def ask(questions: TextIO) -> None:
    """Ask about every game; the engine reads as fast as it answers."""
    for file in files:
        question = {"id": file, "replay": Path(file).read_text(encoding="utf-8"), "iterations": 400}
        print(json.dumps(question), file=questions)
    questions.close()


threading.Thread(target=ask, args=(engine.stdin,), daemon=True).start()
print("file,move,seat,made,better,cost,why")
for line in engine.stdout:
    said = json.loads(line)
    if "error" in said:
        print(said["id"], said["error"], sep=": ", file=sys.stderr)
    elif said.get("cost", 0) >= 0.05:
        words = [said["made"]["words"], said["best"][0]["words"], f"{said['cost']:.3f}", " ".join(said["why"])]
        print(said["id"], said["move"], said["seat"] + 1, *(f'"{word}"' for word in words), sep=",")
sys.exit(engine.wait())
