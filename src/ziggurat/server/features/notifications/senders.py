"""The senders of notifications: a push to a browser, an e-mail, a webhook."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import time
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from ziggurat.server.alarms import MAIL_SERVER, alarms
from ziggurat.server.features.notifications.rows import Channel
from ziggurat.server.features.notifications.text import Message
from ziggurat.server.problems import Problem
from ziggurat.server.services.egress import Egress, target
from ziggurat.server.settings import Settings
from ziggurat.server.words import words

MAIL_SECONDS = 20.0
PUSH_TTL_SECONDS = 2 * 24 * 3600
"""Seconds for which a push service keeps what it cannot deliver."""
PUSH_TOKEN_SECONDS = 12 * 3600
"""Seconds for which a push service may believe that it is us; they allow a day."""
PUSH_BYTES = 3000
"""Bytes of what a push says: services take 4096 when it is sealed."""
DISCORD_CHARACTERS = 1900
"""Characters of a webhook's text; Discord takes 2000."""
UNKNOWN_ADDRESS_CODES = {*range(550, 554), 556, 521}
"""What a mail server says of an address that is none."""
PUSH_SERVICES = {
    "googleapis.com": "the push service of Google",
    "push.services.mozilla.com": "the push service of Mozilla",
    "push.apple.com": "the push service of Apple",
    "notify.windows.com": "the push service of Microsoft",
}
"""Those of the browsers. Of others, which a stranger may have named, no outage is logged."""
_MARKDOWN = re.compile(r"[\\`*_~|<>#@\[\]]")
_LIST_MARK = re.compile(r"(?m)^(\s*\d*)([-+.])")
# Characters that mean something in chats, and what looks like them.
_FULLWIDTH = {ord(sign): ord(sign) + 0xFEE0 for sign in "`*_~|@[]#\\"}


class DeliveryOutcome(NamedTuple):
    """The outcome of a delivery: it succeeded, or the address is dead, or it may be tried again."""

    arrived: bool = False
    dead: bool = False
    retry_after: float = 0.0


class Secrets(NamedTuple):
    """The server's secrets: the private key of Web Push (VAPID), and the key by which links are signed."""

    push: str
    links: str


def push_service(host: str) -> str | None:
    """Return the name of the push service at a hostname for the log, if it is one of the large ones."""
    return next((name for end, name in PUSH_SERVICES.items() if host == end or host.endswith(f".{end}")), None)


def b64(data: bytes) -> str:
    """Return bytes in base64url, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """Read base64url. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def new_push_key() -> str:
    """Return a new private key."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return b64(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big"))


def public_key(private: str) -> str:
    """Return the public key by which browsers and push services know the server."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = ec.derive_private_key(int.from_bytes(unb64(private), "big"), ec.SECP256R1())
    return b64(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def signature(secrets: Secrets, what: str, channel: str, address: str) -> str:
    """Return the signature of a link that ends a channel, or confirms its address."""
    said = f"{what}\n{channel}\n{address}".encode()
    return b64(hmac.digest(secrets.links.encode(), said, "sha256")[:18])


def is_signed(secrets: Secrets, what: str, channel: Channel, said: str) -> bool:
    """Whether a link has our signature."""
    return hmac.compare_digest(signature(secrets, what, channel.id, channel.address).encode(), said.encode())


def link(secrets: Secrets, what: str, channel: Channel) -> str:
    """Return the signed place in the page that ends a channel, or confirms its address."""
    return f"#/me/news.{what}.{channel.id}.{signature(secrets, what, channel.id, channel.address)}"


class Senders:
    """The senders of messages, by kind of channel."""

    def __init__(self, settings: Settings, egress: Egress) -> None:
        self.settings = settings
        self.egress = egress
        self.secrets = Secrets("", "")

    async def send(self, channel: Channel, message: Message) -> DeliveryOutcome:
        """Send a message; never raise."""
        try:
            return await {"push": self._push, "mail": self._mail, "hook": self._hook}[channel.kind](channel, message)
        except Problem:  # an address that was taken once, and would be refused today
            return DeliveryOutcome()

    def _end(self, channel: Channel) -> str:
        return f"/api/news/end/{channel.id}/{signature(self.secrets, 'end', channel.id, channel.address)}"

    # --- Push (RFC 8030, 8291, 8292) ---

    async def _push(self, channel: Channel, message: Message) -> DeliveryOutcome:
        where = target(channel.address, secure=True)
        text = message.text
        while len(text.encode()) > PUSH_BYTES:
            text = text.rpartition("\n")[0] or text[: PUSH_BYTES // 4]
        # The same table, the same place on the screen: what is sent again replaces what is there.
        tables = {line.table for line in message.lines}
        told: dict[str, Any] = {"key": message.key, "title": message.title, "body": text, "url": message.place}
        told |= {"tag": message.lines[0].table or "one" if len(tables) == 1 else "tables"}
        told |= {"end": {"url": self._end(channel), "title": message.end}}
        sealed, signed = await asyncio.to_thread(
            _sealed, channel, msgspec.json.encode(told), where.origin, self.secrets.push
        )
        headers = {
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(PUSH_TTL_SECONDS),
        }
        # Of what waits for a browser that is switched off, the newest of a topic is kept.
        headers |= {"topic": message.key, "urgency": "high", "authorization": signed}
        answered = await self.egress.post(where, headers, sealed)
        if (service := push_service(where.host)) is not None:
            if answered.status == 0 or answered.status >= 500:
                alarms.failed(service, f"it answers {answered.status}" if answered.status else "it is not reached")
            else:
                alarms.works(service)
        return _outcome(*answered)

    # --- Webhooks ---

    async def _hook(self, channel: Channel, message: Message) -> DeliveryOutcome:
        told = {
            # What Discord shows, who must not call anybody by name; what Slack does; what ntfy is told to by headers.
            "content": _together(channel, message, for_discord),
            "allowed_mentions": {"parse": []},
            "text": _together(channel, message, for_slack),
            "title": message.title,
            "message": _together(channel, message, str, titled=True),
            "key": message.key,
            "end": f"{channel.base}/{link(self.secrets, 'end', channel)}",
            "news": [
                {"table": line.table, "kinds": line.kinds, "text": line.text, "url": f"{channel.base}/{line.place}"}
                for line in message.lines
            ],
        }
        body, moment = msgspec.json.encode(told), str(int(time.time()))
        headers = {"content-type": "application/json", "user-agent": "Ziggurat"}
        headers |= {"template": "yes", "x-title": "{{.title}}", "x-message": "{{.message}}"}
        # As standardwebhooks.com says.
        signed = hmac.digest(unhook(channel.keys), f"{message.key}.{moment}.".encode() + body, hashlib.sha256)
        headers |= {"webhook-id": message.key, "webhook-timestamp": moment}
        headers |= {"webhook-signature": f"v1,{base64.b64encode(signed).decode()}"}
        return _outcome(*await self.egress.post(target(channel.address), headers, body))

    # --- E-mail ---

    async def _mail(self, channel: Channel, message: Message) -> DeliveryOutcome:
        import aiosmtplib

        server = urlsplit(self.settings.smtp)
        secure, name = server.scheme == "smtps", unquote(server.username or "")
        known: dict[str, Any] = {"username": name, "password": unquote(server.password or "")} if name else {}
        try:
            await aiosmtplib.send(
                self._letter(channel, message),
                sender=parseaddr(self.settings.mail_from)[1],
                recipients=[channel.address],
                hostname=server.hostname,
                port=server.port or (465 if secure else 587 if name else 25),
                use_tls=secure,
                # A password is sent over TLS only, so that no listener reads it.
                start_tls=True if name and not secure else None,
                timeout=MAIL_SECONDS,
                **known,
            )
        except aiosmtplib.SMTPRecipientsRefused as refused:
            alarms.works(MAIL_SERVER)
            return DeliveryOutcome(dead=all(one.code in UNKNOWN_ADDRESS_CODES for one in refused.recipients))
        except (aiosmtplib.SMTPException, OSError) as error:
            code = error.code if isinstance(error, aiosmtplib.SMTPResponseException) else ""
            alarms.failed(MAIL_SERVER, f"{type(error).__name__} {code}".rstrip())
            return DeliveryOutcome()
        except ValueError:
            return DeliveryOutcome()
        alarms.works(MAIL_SERVER)
        return DeliveryOutcome(arrived=True)

    def _letter(self, channel: Channel, message: Message) -> EmailMessage:
        say, base = words(channel.language), self.settings.address
        mail = EmailMessage()
        mail["From"], mail["To"] = self.settings.mail_from, channel.address
        mail["Date"], mail["Auto-Submitted"] = formatdate(), "auto-generated"
        mail["Message-ID"] = f"<{message.key}@{urlsplit(base).hostname or 'ziggurat'}>"
        if not channel.confirmed:
            mail["Subject"] = say("news.confirm_title")
            mail.set_content(f"{message.text}\n\n{base}/{link(self.secrets, 'confirm', channel)}\n")
            return mail
        mail["Subject"] = message.lines[0].text if len(message.lines) == 1 else message.title
        end = f"{base}/{link(self.secrets, 'end', channel)}"
        mail["List-Unsubscribe"] = f"<{base}{self._end(channel)}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        told = [f"{line.text}\n{base}/{line.place}" for line in message.lines]
        feet = [say("news.mail_settings", url=f"{base}/#/me"), say("news.mail_end", url=end)]
        mail.set_content("\n\n".join([*told, "-- ", *feet]) + "\n")
        return mail


def for_discord(text: str) -> str:
    """Return a text escaped for Discord: nothing of it is bold, a link, a heading, a quote, a list or a mention."""
    return _LIST_MARK.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\g<0>", text))


def for_slack(text: str) -> str:
    """Return a text escaped for Slack and compatible services: three characters become entities; the other special ones
    have no escape, so full-width ones stand for them."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").translate(_FULLWIDTH)


def _together(channel: Channel, message: Message, written: Callable[[str], str], *, titled: bool = False) -> str:
    """Return a message as one text with its link: of as many tables as there is room for.

    Args:
        titled: whether a title stands above it, which need not be said twice.
    """
    told = ""
    for line in message.lines:
        text = line.said if titled and len(message.lines) == 1 else line.text
        more = f"{told}\n{written(text)} {channel.base}/{line.place}".lstrip("\n")
        if len(more) > DISCORD_CHARACTERS and told:
            break
        told = more
    return told[:DISCORD_CHARACTERS]


def new_hook_key() -> str:
    """Return a new secret to sign a webhook by."""
    import secrets

    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()


def unhook(key: str) -> bytes:
    """Return the bytes of a webhook's secret."""
    return base64.b64decode(key.removeprefix("whsec_"))


def _sealed(channel: Channel, told: bytes, origin: str, private: str) -> tuple[bytes, str]:
    """Return a push encrypted for its browser, with the headers that prove that we send it."""
    # Read when the first push is sent, if any is: they bring 10 MB with them.
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    keys = msgspec.json.decode(channel.keys, type=dict[str, str])
    sealed: bytes = WebPusher({"endpoint": channel.address, "keys": keys}).encode(told, "aes128gcm")["body"]
    subject = channel.base if channel.base.startswith("https://") else "https://localhost"
    claims = {"aud": origin, "sub": subject, "exp": str(int(time.time()) + PUSH_TOKEN_SECONDS)}
    signed: str = Vapid02.from_raw(private.encode()).sign(claims)["Authorization"]
    return sealed, signed


def _outcome(status: int, retry_after: float) -> DeliveryOutcome:
    return DeliveryOutcome(200 <= status < 300, status in (404, 410), retry_after)


MAIL_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{4,190}\Z)([A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}")
"""An e-mail address of the usual form. Others are refused: mail servers may read them differently."""
