"""Channels of lines to and from a program that may misbehave: bounded in time and memory, and always ended.

Nothing here waits without a time limit: pipes and sockets do not block, and one selector looks at all of them, so that
a program that does not read, or writes without an end, holds nobody up for longer.
"""

from __future__ import annotations

import os
import select
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from ziggurat.core.errors import BotFailed

LINE_BYTES = 1 << 20
"""Bytes of the longest line that is read."""
CHUNK_BYTES = 1 << 16
ERROR_TAIL_BYTES = 4096
"""Bytes that are kept of what a program writes to its standard error."""
LAST_WORDS = 1.0
"""Seconds within which a program has ended that has closed its output."""
ERROR_PIECES = 64
"""Pieces of its standard error that are read then."""
LOOK_SECONDS = 0.1
"""Seconds after which it is looked whether a program lives, where the system does not tell."""
# Ends the programs of a process that was killed itself: the end of its input says so.
LEASH = 'read -r gone; kill -KILL -"$0"'


def shown(line: bytes) -> str:
    """Return a line for a message, truncated."""
    text = repr(line[:60].decode("utf-8", "replace"))
    return text if len(line) <= 60 else f"{text[:-1]}...{text[-1]}"


class LineChannel:
    """A channel of lines in both directions.

    Args:
        source, target: what to wait for before reading and writing.
        read, write: of at most so many bytes, without blocking; no bytes at the end.
    """

    def __init__(self, source: int, target: int, read: Callable[[int], bytes], write: Callable[[bytes], int]) -> None:
        self._selector = selectors.DefaultSelector()
        self._selector.register(source, selectors.EVENT_READ, self._take)
        self._source, self._target = source, target
        self._read, self._write = read, write
        self._out = b""
        self._in = bytearray()
        self._looked = 0
        self._over = False

    def send(self, line: bytes) -> None:
        """Write a line, as far as the pipe takes it at once; the rest follows while an answer is awaited."""
        self._out += line
        self._give()

    def receive(self, deadline: float, what: str) -> bytes:
        """Return the next line, without its end.

        Args:
            deadline: by ``time.monotonic()``.
            what: the message about a program that is late.

        Raises:
            BotFailed: late, ended, or a line that is too long.
        """
        while True:
            end = self._in.find(b"\n", self._looked)
            if max(end, len(self._in) if end < 0 else 0) > LINE_BYTES:
                raise BotFailed(
                    f"sent a line longer than {LINE_BYTES >> 10} KiB: {shown(bytes(self._in[:61]))}", "nonsense"
                )
            if end >= 0:
                line = bytes(self._in[:end])
                del self._in[: end + 1]
                self._looked = 0
                return line
            self._looked = len(self._in)
            if self._over:
                raise BotFailed(self._farewell(), "ended")
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFailed(what, "late")
            self._wait(left)

    def hang_up(self) -> None:
        """Close the sending side."""

    def close(self, grace: float = 0.0) -> None:
        """Close the channel. A program gets ``grace`` seconds to end."""
        self._selector.close()

    def _wait(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            key.data()

    def _take(self) -> None:
        try:
            data = self._read(CHUNK_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        self._in += data
        self._over = self._over or not data

    def _give(self) -> None:
        """Write the rest of what was sent. A program that has stopped reading is still read to its end."""
        waited = self._target in self._selector.get_map() and self._target != self._source
        try:
            while self._out:
                self._out = self._out[self._write(self._out) :]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self._out = b""
        if self._target == self._source:
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._out else 0)
            self._selector.modify(self._source, wanted, self._both if self._out else self._take)
        elif self._out and not waited:
            self._selector.register(self._target, selectors.EVENT_WRITE, self._give)
        elif waited and not self._out:
            self._selector.unregister(self._target)

    def _both(self) -> None:
        self._take()
        self._give()

    def _farewell(self) -> str:
        return "closed the connection"


class Socket(LineChannel):
    """A channel to a program that listens at an address.

    Raises:
        BotFailed: when none does.
    """

    def __init__(self, host: str, port: int, seconds: float) -> None:
        try:
            self._socket = socket.create_connection((host, port), timeout=seconds)
        except OSError as error:
            why = "nobody answers" if isinstance(error, TimeoutError) else (error.strerror or str(error)).lower()
            raise BotFailed(f"cannot be reached at {host} port {port}: {why}", "start") from None
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number = self._socket.fileno()
        super().__init__(number, number, self._socket.recv, self._socket.send)

    def close(self, grace: float = 0.0) -> None:
        super().close()
        self._socket.close()


class BotProcess(LineChannel):
    """A channel to a child process: started without a shell, in a process group that ends with it, or with us.

    Raises:
        BotFailed: when it cannot be started.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        if os.name == "nt":
            raise BotFailed("did not start: on Windows a bot listens at a socket, tcp:HOST:PORT", "start")
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise BotFailed(f"did not start: {arguments[0]}: {why}", "start") from None
        process = self._process
        try:
            self._leash = subprocess.Popen(
                ["/bin/sh", "-c", LEASH, str(process.pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise BotFailed(f"did not start: /bin/sh: {(error.strerror or str(error)).lower()}", "start") from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        pipes = [pipe.fileno() for pipe in (process.stdout, process.stdin, process.stderr)]
        for number in pipes:
            os.set_blocking(number, False)
        source, target, self._errors = pipes
        super().__init__(source, target, lambda n: os.read(source, n), lambda data: os.write(target, data))
        self._tail = b""
        self._selector.register(self._errors, selectors.EVENT_READ, self._hear)
        # A child of it may hold its pipes open: its end is what counts.
        self._end = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else None
        if self._end is not None:
            self._selector.register(self._end, selectors.EVENT_READ, self._ended)

    @property
    def pid(self) -> int:
        return self._process.pid

    def hang_up(self) -> None:
        if self._target in self._selector.get_map():
            self._selector.unregister(self._target)
        self._out = b""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def close(self, grace: float = 0.0) -> None:
        """End the process, and all that it has started in its group."""
        process, leash = self._process, self._leash
        self.hang_up()
        if grace and not self._over:
            self._wait_for_end(grace)
        super().close()
        leash.kill()
        leash.wait()
        # Before its number is given back, which ends with waiting for it.
        with suppress(ProcessLookupError, PermissionError):  # the second is what macOS says when nobody is left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdout, process.stderr, leash.stdin):
            assert pipe is not None
            pipe.close()
        if self._end is not None:
            os.close(self._end)

    def _wait_for_end(self, seconds: float) -> None:
        """Read the output to its end, so that a full pipe does not hold up a program that wants to say something
        last."""
        deadline = time.monotonic() + seconds
        while not self._over and (left := deadline - time.monotonic()) > 0:
            self._wait(left)
            self._in.clear()

    def _wait(self, seconds: float) -> None:
        if self._end is not None:
            super()._wait(seconds)
            return
        super()._wait(min(seconds, LOOK_SECONDS))
        if self._process.poll() is not None:
            self._ended()

    def _hear(self) -> bool:
        """Read its standard error; return whether there was something."""
        try:
            data = os.read(self._errors, CHUNK_BYTES)
        except BlockingIOError:
            return False
        self._tail = (self._tail + data)[-ERROR_TAIL_BYTES:]
        if not data:
            self._selector.unregister(self._errors)
        return bool(data)

    def _ended(self) -> None:
        """Handle the end of the process: what it has said before counts."""
        if self._end is not None and self._end in self._selector.get_map():
            self._selector.unregister(self._end)
        size = -1
        while size != len(self._in) <= LINE_BYTES:
            size = len(self._in)
            self._take()
        self._over = True

    def _farewell(self) -> str:
        """Return how the process ended, with the last line that it wrote to its standard error."""
        if self._end is not None:
            looking = select.poll()
            looking.register(self._end, select.POLLIN)
            looking.poll(1000 * LAST_WORDS)
        else:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(LAST_WORDS)
        for _ in range(ERROR_PIECES):  # all that it has written is there already
            if self._errors not in self._selector.get_map() or not self._hear():
                break
        code = self._code()
        how = "closed its output" if code is None else f"ended with code {code}"
        if code is not None and code < 0:
            known = {number.value: number.name for number in signal.Signals}
            how = f"was ended by signal {known.get(-code, -code)}"
        lines = [line for line in self._tail.decode("utf-8", "replace").splitlines() if line.strip()]
        return f"{how}: {lines[-1].strip()[:200]}" if lines else how

    def _code(self) -> int | None:
        """Return the exit code, if the process has ended; it stays a zombie, so that its id is nobody else's."""
        if self._end is None:
            return self._process.returncode
        try:
            found = os.waitid(os.P_PIDFD, self._end, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return None
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
