"""A copy of the sources in which faults are planted, and what looks for them there."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.faults import first
from tests.faults.plant import ROOT, Fault

LONGEST_S = 7200.0
"""A run of tests that takes longer is ended; a single test has pytest's own bound."""
_turn = count(1)


class Tree:
    """A copy of this tree, or of a commit with this package."""

    def __init__(self, commit: str | None) -> None:
        self.seconds = 0.0
        """Of the processor, for all that ran here."""
        self.root = Path(tempfile.mkdtemp(prefix="ziggurat-faults-"))
        if commit is None:
            listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
            for name in filter(None, names):
                if (ROOT / name).is_file():
                    (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, self.root / name)
        else:
            packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(self.root, filter="data")
            shutil.copytree(Path(__file__).parent, self.root / "tests/faults", dirs_exist_ok=True)
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)  # some tests ask git what belongs to the tree
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)
        modules, static = "web/node_modules", "src/ziggurat/server/static"
        if (ROOT / modules).is_dir():
            (self.root / modules).symlink_to((ROOT / modules).resolve())
        if (ROOT / static).is_dir():
            shutil.copytree(ROOT / static, self.root / static)

    def close(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self.root, ignore_errors=True)

    @contextmanager
    def planted(self, faults: Iterable[Fault]) -> Iterator[None]:
        """Plant faults, and take them out again; ValueError where one does not fit."""
        before = {fault.file: (self.root / fault.file).read_text(encoding="utf-8") for fault in faults}
        try:
            texts = dict(before)
            for fault in faults:
                texts[fault.file] = fault.planted(texts[fault.file])
            self._write(texts)
            yield
        finally:
            self._write(before)

    def _write(self, texts: dict[str, str]) -> None:
        for name, text in texts.items():
            path = self.root / name
            path.write_text(text, encoding="utf-8")
            # Python compares the second and the size of a source with what it has compiled: no two writes share one.
            later = path.stat().st_mtime + next(_turn)
            os.utime(path, (later, later))

    def run(self, command: Sequence[str | Path], **environment: str) -> tuple[int, str]:
        """Run a command in the copy, with its sources; return its exit code and the end of what it said."""
        known = {**os.environ, "PYTHONPATH": f"{self.root / 'src'}{os.pathsep}{self.root / 'scripts'}"}
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [str(part) for part in command],
                cwd=self.root,
                env=known | environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            ended = threading.Timer(LONGEST_S, os.killpg, (process.pid, signal.SIGKILL))
            ended.start()
            try:
                _, status, used = os.wait4(process.pid, 0)
            finally:
                ended.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds += used.ru_utime + used.ru_stime
            said.seek(0)
            return process.returncode, said.read().decode(errors="replace")[-200_000:]

    def tests(
        self,
        arguments: Sequence[str],
        only: Iterable[str] = (),
        never: Iterable[str] = (),
        order: Sequence[str] = (),
        stop: bool = True,
        planted: Iterable[str] = (),
    ) -> list[str]:
        """Run tests with pytest, in this process alone; return those that failed, in the order in which they did.

        Nothing is compiled that follows from one of the ``planted`` files."""
        with tempfile.TemporaryDirectory() as folder:
            asked, failed = Path(folder, "asked"), Path(folder, "failed")
            asked.write_text(json.dumps({"only": [*only], "never": [*never], "order": [*order], "planted": [*planted]}))
            known = {first.ASKED: str(asked), first.FAILED: str(failed)}
            command = [sys.executable, "-m", "pytest", "-p", "tests.faults.first", "-p", "no:cacheprovider", "-q"]
            code, said = self.run([*command, *(["-x"] if stop else []), *arguments], **known)
            found = failed.read_text().split("\n") if failed.exists() else []
            if code not in (0, 5) and not found:
                raise RuntimeError(f"pytest ended with {code}: {said[-2000:]}")
            return list(dict.fromkeys(filter(None, found)))
