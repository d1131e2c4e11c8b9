"""A WebSocket client that costs next to nothing, so that the server is measured: no compression, no masking."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Socket(asyncio.Protocol):
    """One connection; `heard` gets it and every message, `lost` is called when it ends."""

    def __init__(self, heard: Callable[[Socket, bytes], None], lost: Callable[[], None]) -> None:
        self.heard = heard
        self.lost = lost
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.frames = 0
        self.bytes = 0
        self.transport: asyncio.Transport | None = None
        self._read = b""

    @classmethod
    async def connect(
        cls,
        port: int,
        path: str,
        cookie: str,
        heard: Callable[[Socket, bytes], None],
        lost: Callable[[], None],
        address: str = "127.0.0.1",
    ) -> Socket:
        """Open a socket on this machine; `address`: from where it comes."""
        loop = asyncio.get_running_loop()
        transport, socket = await loop.create_connection(
            lambda: cls(heard, lost), "127.0.0.1", port, local_addr=(address, 0)
        )
        key = base64.b64encode(os.urandom(16)).decode()
        head = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *([f"Cookie: {cookie}"] if cookie else []),
        ]
        transport.write("\r\n".join([*head, "", ""]).encode())
        async with asyncio.timeout(60):
            await socket.opened
        return socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(self._read[:200].decode(errors="replace")))
        self.lost()

    def data_received(self, data: bytes) -> None:
        self._read += data
        if not self.opened.done():
            head, end, rest = self._read.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.close()
                return
            self._read = rest
            self.opened.set_result(None)
        while (frame := self._frame()) is not None:
            kind, text = frame
            if kind == TEXT:
                self.frames += 1
                self.bytes += len(text)
                self.heard(self, text)
            elif kind == PING:
                self._send(PONG, text)
            elif kind == CLOSE:
                self.close()

    def _frame(self) -> tuple[int, bytes] | None:
        """The next whole frame; the servers measured here send every message in one."""
        read = self._read
        if len(read) < 2:
            return None
        begin, size = 2, read[1] & 127
        if size > 125:
            begin = 4 if size == 126 else 10
            size = int.from_bytes(read[2:begin])
        if len(read) < begin + size:
            return None
        self._read = read[begin + size :]
        return read[0] & 15, read[begin : begin + size]

    def send(self, text: bytes) -> None:
        """Send a message of less than 64 kB."""
        self._send(TEXT, text)

    def _send(self, kind: int, text: bytes) -> None:
        if self.transport is None or self.transport.is_closing():
            return
        size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2)
        # Clients mask what they send; with zeros it stays as it is.
        self.transport.write(bytes([0x80 | kind]) + size + b"\0\0\0\0" + text)

    def close(self) -> None:
        """End the connection."""
        if self.transport is not None:
            self.transport.close()
