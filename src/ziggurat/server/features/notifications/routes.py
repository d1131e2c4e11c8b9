"""`/api/me/news` and its parts: the notification settings of a person: channels, topics and quiet hours."""

from __future__ import annotations

import hashlib
import secrets
import time
from functools import partial
from typing import Annotated, Any, Literal, get_args

import msgspec
from litestar import delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect

from ziggurat.server.api.accounts import iso
from ziggurat.server.api.endpoints import ANYONE, NEWCOMER, SECRET_HOLDER, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import PERSON, TABLE_HOST, asked_table, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import current_person, device_name, require_person
from ziggurat.server.domain.clock import known_zone
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.notifier import Notifier
from ziggurat.server.features.notifications.rows import Channel, QuietHours
from ziggurat.server.features.notifications.rules import Topic
from ziggurat.server.features.notifications.senders import (
    MAIL_ADDRESS,
    is_signed,
    link,
    new_hook_key,
    public_key,
    unb64,
)
from ziggurat.server.features.notifications.subscriptions import subscriptions_of
from ziggurat.server.problems import Problem, rate_limited
from ziggurat.server.services.egress import URL_CHARACTERS, target
from ziggurat.server.services.rate_limits import REFUSALS, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings

ALL_TOPICS: list[Topic] = list(get_args(Topic))
MOST_CHANNELS = 10
"""Channels of one person, those of their tables included."""
ChannelKind = Literal["push", "mail", "hook"]
Url = Annotated[str, msgspec.Meta(max_length=URL_CHARACTERS)]
Key = Annotated[str, msgspec.Meta(max_length=200)]
Wants = Annotated[list[Topic], msgspec.Meta(max_length=8)]


class ChannelInfo(msgspec.Struct):
    """A channel of mine, or of a table. `address`: of a push only the hostname of its service."""

    id: str
    kind: ChannelKind
    address: str
    name: str
    """How the browser of a push called itself."""
    here: bool
    """Whether it is this browser."""
    wants: list[Topic]
    confirmed: bool
    used: str | None
    """When something arrived last."""
    failing: bool
    secret: str | None = None
    """The key by which a webhook's messages are signed; shown once."""


class NotificationSettings(msgspec.Struct):
    """My channels, the topics of each, and my quiet hours."""

    ways: list[ChannelInfo]
    quiet: QuietHours | None
    push_key: str
    """By which push services know this server."""
    mail: bool
    """Whether this server sends e-mails."""
    most: int
    """How many channels one may have."""


class NotificationUpdate(msgspec.Struct, forbid_unknown_fields=True):
    """Changes to my settings. `wants`: the topics of each channel; `quiet`: null for no quiet hours."""

    wants: Annotated[dict[str, Wants], msgspec.Meta(max_length=MOST_CHANNELS)] = {}
    quiet: QuietHours | msgspec.UnsetType | None = msgspec.UNSET


class PushKeys(msgspec.Struct):
    """The keys of a browser, which alone can read its pushes."""

    p256dh: Key
    auth: Key


class NewPush(msgspec.Struct):
    """A browser's push subscription. `before`: the one that it replaces."""

    endpoint: Url
    keys: PushKeys
    before: Url | None = None


class NewMail(msgspec.Struct, forbid_unknown_fields=True):
    """An e-mail address of mine."""

    address: Annotated[str, msgspec.Meta(max_length=255)]


class NewWebhook(msgspec.Struct, forbid_unknown_fields=True):
    """A webhook of mine, or of a table."""

    url: Url
    wants: Wants = msgspec.field(default_factory=lambda: list(ALL_TOPICS))


def _info(channel: Channel, device: str | None = None, *, secret: bool = False) -> ChannelInfo:
    wants: list[Any] = channel.wants
    kind: Any = channel.kind
    return ChannelInfo(
        channel.id,
        kind,
        channel.host if channel.kind == "push" else channel.address,
        channel.name,
        channel.device is not None and channel.device == device,
        wants,
        channel.confirmed,
        iso(channel.used) if channel.used else None,
        channel.failed > 1,
        channel.keys if secret else None,
    )


async def _add(table_service: TableService, channel: Channel) -> None:
    if not await table_service.database.write(partial(notifications.add_channel, channel=channel, most=MOST_CHANNELS)):
        raise Problem(
            409, "too_many_ways", f"You have {MOST_CHANNELS} ways already; remove one of them first.", max=MOST_CHANNELS
        )
    subscriptions_of(table_service).added(channel)


def _new(
    request: AnyRequest, settings: Settings, me: Person, kind: ChannelKind, where: str, host: str, **more: Any
) -> Channel:
    base = settings.address or f"{request.url.scheme}://{request.headers['host']}"
    usual = {"table": None, "keys": "", "name": "", "device": None, "wants": list(ALL_TOPICS), "confirmed": True}
    mine = {"id": secrets.token_hex(8), "person": me.id, "kind": kind, "address": where, "host": host, "base": base}
    return Channel(**{**usual, **mine, **more, "created": time.time(), "used": 0.0, "failed": 0})


async def _mine(request: AnyRequest, table_service: TableService, id: str) -> Channel:
    """Return a channel of the asker's, their tables' included."""
    me = asker(request)
    channel = await table_service.database.read(partial(notifications.channel, id=id))
    if channel is None or channel.person != me.id:
        raise Problem(404, "unknown_way", "You are not told anything there.")
    return channel


# --- What is mine ------------------------------------------------------------------------------------------------


@get("/api/me/news", summary="Where I am told news", endpoint=Endpoint(ANYONE))
async def get_notifications(
    request: AnyRequest, table_service: NamedDependency[TableService], notifier: NamedDependency[Notifier]
) -> NotificationSettings:
    """Return my channels, the topics of each, and my quiet hours."""
    me = await current_person(request, table_service.database)
    settings, key = table_service.settings, public_key(notifier.senders.secrets.push)
    if me is None:
        return NotificationSettings([], None, key, bool(settings.smtp), MOST_CHANNELS)
    ways = await table_service.database.read(partial(notifications.channels_of, person=me.id))
    quiet = await table_service.database.read(partial(notifications.quiet_of, person=me.id))
    return NotificationSettings(
        [_info(channel, me.device) for channel in ways], quiet, key, bool(settings.smtp), MOST_CHANNELS
    )


@put("/api/me/news", summary="What I am told, and when", endpoint=Endpoint(PERSON, body=SMALL_BODY, rows=("quiet",)))
async def put_notifications(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    notifier: NamedDependency[Notifier],
    data: JSONBody[NotificationUpdate],
) -> NotificationSettings:
    """Change the topics of my channels, or my quiet hours."""
    me = asker(request)
    known = {one.id for one in await table_service.database.read(partial(notifications.channels_of, person=me.id))}
    if not data.wants.keys() <= known:
        raise Problem(404, "unknown_way", "You are not told anything there.")
    quiet = data.quiet
    if isinstance(quiet, QuietHours) and not known_zone(quiet.zone):
        raise Problem(400, "bad_zone", "A time zone is one such as Europe/Budapest.", zone=quiet.zone)

    def job(connection: Any) -> None:
        for id, wants in data.wants.items():
            notifications.set_topics(connection, id, sorted({*wants}))
        if quiet is not msgspec.UNSET:
            notifications.set_quiet(connection, me.id, quiet)

    await table_service.database.write(job)
    found: NotificationSettings = await get_notifications.fn(request, table_service, notifier)
    return found


@post(
    "/api/me/news/pushes",
    status_code=200,
    summary="Be told by push",
    endpoint=Endpoint(NEWCOMER, rates=("ways",), body=SMALL_BODY, rows=("ways",)),
)
async def add_push(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    notifier: NamedDependency[Notifier],
    data: JSONBody[NewPush],
) -> ChannelInfo:
    """Add this browser as a channel, by the push service that it names."""
    where = target(data.endpoint, secure=True)
    _must_be_keys(data.keys)
    me = await require_person(request, table_service.database, rate_limits)
    await notifier.egress.check(where)
    mine = await table_service.database.read(partial(notifications.channels_of, person=me.id))
    known = next((one for one in mine if one.kind == "push" and one.address in (data.before, data.endpoint)), None)
    if known is not None and known.address != data.endpoint:
        await table_service.database.write(partial(notifications.forget_channel, id=known.id))
    keys = msgspec.json.encode(data.keys).decode()
    more: dict[str, Any] = {"keys": keys, "name": device_name(request), "device": me.device}
    if known is not None:
        more["wants"] = known.wants
    channel = _new(request, table_service.settings, me, "push", data.endpoint, where.host, **more)
    await _add(table_service, channel)
    return _info(channel, me.device)


def _must_be_keys(keys: PushKeys) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(keys.p256dh.rstrip("=")))
        good = len(unb64(keys.auth.rstrip("="))) == 16
    except ValueError:
        good = False
    if not good:
        raise Problem(400, "bad_push", "keys: what a browser's subscription says of itself, p256dh and auth.")


@post(
    "/api/me/news/mails",
    status_code=200,
    summary="Be told by e-mail",
    endpoint=Endpoint(NEWCOMER, rates=("ways",), body=SMALL_BODY, rows=("ways", "outbox")),
)
async def add_mail(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    notifier: NamedDependency[Notifier],
    data: JSONBody[NewMail],
) -> ChannelInfo:
    """Add an e-mail address; until the link in a first letter is opened nothing else is sent there."""
    if not table_service.settings.smtp:
        raise Problem(404, "no_mail", "This server sends no e-mails; a webhook or a push does the same.")
    where = data.address.strip()
    if not MAIL_ADDRESS.fullmatch(where):
        raise Problem(400, "bad_mail", "An e-mail address is one such as ann@games.example.")
    me = await require_person(request, table_service.database, rate_limits)
    addressed = hashlib.blake2b(where.lower().encode(), digest_size=12).hexdigest()
    rate_limited(rate_limits.letters.use(addressed), *REFUSALS["ways"])
    mine = await table_service.database.read(partial(notifications.channels_of, person=me.id))
    known = next((one for one in mine if one.kind == "mail" and one.address == where and one.confirmed), None)
    if known is not None:
        return _info(known)
    channel = _new(request, table_service.settings, me, "mail", where, "mail", confirmed=False)
    await _add(table_service, channel)
    await _tell_at_once(table_service, notifier, channel, "confirm")
    return _info(channel)


@post(
    "/api/me/news/hooks",
    status_code=200,
    summary="Be told by a webhook",
    endpoint=Endpoint(NEWCOMER, rates=("ways",), body=SMALL_BODY, rows=("ways",)),
)
async def add_webhook(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    notifier: NamedDependency[Notifier],
    data: JSONBody[NewWebhook],
) -> ChannelInfo:
    """Add a webhook; the answer holds, once, the secret by which its messages are signed."""
    me = await require_person(request, table_service.database, rate_limits)
    channel = await _hook(request, table_service, rate_limits, notifier, me, data)
    return _info(channel, secret=True)


async def _hook(
    request: AnyRequest,
    table_service: TableService,
    rate_limits: RateLimits,
    notifier: Notifier,
    me: Person,
    wish: NewWebhook,
    **more: Any,
) -> Channel:
    where = target(wish.url)
    await notifier.egress.check(where)
    more |= {"keys": new_hook_key(), "wants": sorted({*wish.wants})}
    channel = _new(request, table_service.settings, me, "hook", wish.url, where.host, **more)
    await _add(table_service, channel)
    return channel


@delete("/api/me/news/ways/{channel:str}", status_code=204, summary="Be told there no more", endpoint=Endpoint(PERSON))
async def end_channel(
    request: AnyRequest, table_service: NamedDependency[TableService], channel: FromPath[str]
) -> None:
    """Delete one of my channels."""
    found = await _mine(request, table_service, channel)
    await table_service.database.write(partial(notifications.forget_channel, id=found.id))


@post(
    "/api/me/news/ways/{channel:str}/test",
    status_code=202,
    summary="Try one of my ways",
    endpoint=Endpoint(PERSON, rates=("ways",), body=SMALL_BODY, rows=("outbox",)),
)
async def try_channel(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    notifier: NamedDependency[Notifier],
    channel: FromPath[str],
) -> None:
    """Send a test message by one of my channels, at once."""
    found = await _mine(request, table_service, channel)
    if not found.confirmed:
        raise Problem(409, "unconfirmed", "Open the link in the letter first, which says that the address is yours.")
    await _tell_at_once(table_service, notifier, found, "test")


async def _tell_at_once(table_service: TableService, notifier: Notifier, channel: Channel, kind: str) -> None:
    await table_service.database.write(partial(notifications.add_alone, channel=channel.id, kind=kind, at=time.time()))
    notifier.soon()


# --- A table's webhook -------------------------------------------------------------------------------------------


class TableWebhook(msgspec.Struct):
    """A table's webhook, if it has one."""

    hook: ChannelInfo | None


async def _hosted_table(request: AnyRequest, table_service: TableService, table_id: str) -> tuple[Table, Person]:
    table, person = asked_table(request), asker(request)
    if person.id != table.host:
        raise Problem(403, "not_host", "Only the person who made the table can say where its news are told.")
    return table, person


@get("/api/tables/{table_id:str}/hook", summary="A table's webhook", endpoint=Endpoint(TABLE_HOST))
async def get_table_webhook(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> TableWebhook:
    """Return a table's webhook; for its host."""
    await _hosted_table(request, table_service, table_id)
    channel = await table_service.database.read(partial(notifications.channel_of_table, table=table_id))
    return TableWebhook(_info(channel) if channel is not None else None)


@put(
    "/api/tables/{table_id:str}/hook",
    summary="Set a table's webhook",
    endpoint=Endpoint(TABLE_HOST, rates=("ways",), body=SMALL_BODY, rows=("ways",)),
)
async def put_table_webhook(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    notifier: NamedDependency[Notifier],
    table_id: FromPath[str],
    data: JSONBody[NewWebhook],
) -> TableWebhook:
    """Set a table's webhook; it replaces the one before, and is kept in a rematch."""
    _, me = await _hosted_table(request, table_service, table_id)
    channel = await _hook(request, table_service, rate_limits, notifier, me, data, table=table_id)
    return TableWebhook(_info(channel, secret=True))


@delete(
    "/api/tables/{table_id:str}/hook",
    status_code=204,
    summary="Remove a table's webhook",
    endpoint=Endpoint(TABLE_HOST),
)
async def end_table_webhook(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> None:
    """Delete a table's webhook."""
    await _hosted_table(request, table_service, table_id)
    channel = await table_service.database.read(partial(notifications.channel_of_table, table=table_id))
    if channel is not None:
        await table_service.database.write(partial(notifications.forget_channel, id=channel.id))


# --- Links in what is sent ---------------------------------------------------------------------------------------


class LinkOutcome(msgspec.Struct):
    """The channel that a link has ended or confirmed."""

    kind: ChannelKind
    address: str


async def _signed(table_service: TableService, notifier: Notifier, what: str, id: str, signature: str) -> Channel:
    channel = await table_service.database.read(partial(notifications.channel, id=id))
    if channel is None or not is_signed(notifier.senders.secrets, what, channel, signature):
        raise Problem(404, "unknown_link", "This link has done what it does already, or is none of ours.")
    return channel


@post(
    "/api/news/end/{channel:str}/{signature:str}",
    status_code=200,
    summary="End news by a link in them",
    endpoint=Endpoint(SECRET_HOLDER, body=SMALL_BODY),
)
async def end_by_link(
    table_service: NamedDependency[TableService],
    notifier: NamedDependency[Notifier],
    channel: FromPath[str],
    signature: FromPath[str],
) -> LinkOutcome:
    """Delete a channel by the link in its messages; its reader need not be signed in (RFC 8058)."""
    found = await _signed(table_service, notifier, "end", channel, signature)
    await table_service.database.write(partial(notifications.forget_channel, id=found.id))
    info = _info(found)
    return LinkOutcome(info.kind, info.address)


@get("/api/news/end/{channel:str}/{signature:str}", include_in_schema=False, endpoint=Endpoint(SECRET_HOLDER))
async def show_end(
    table_service: NamedDependency[TableService],
    notifier: NamedDependency[Notifier],
    channel: FromPath[str],
    signature: FromPath[str],
) -> Redirect:
    """Show the page with the button that ends a channel: programs that open links must not end anything."""
    found = await _signed(table_service, notifier, "end", channel, signature)
    return Redirect(f"/{link(notifier.senders.secrets, 'end', found)}")


@post(
    "/api/news/confirm/{channel:str}/{signature:str}",
    status_code=200,
    summary="Say that an address is mine",
    endpoint=Endpoint(SECRET_HOLDER, body=SMALL_BODY),
)
async def confirm(
    table_service: NamedDependency[TableService],
    notifier: NamedDependency[Notifier],
    channel: FromPath[str],
    signature: FromPath[str],
) -> LinkOutcome:
    """Confirm an e-mail address by the link in its first letter."""
    found = await _signed(table_service, notifier, "confirm", channel, signature)
    await table_service.database.write(partial(notifications.confirm, id=found.id))
    info = _info(found)
    return LinkOutcome(info.kind, info.address)


ROUTES = (
    get_notifications,
    put_notifications,
    add_push,
    add_mail,
    add_webhook,
    end_channel,
    try_channel,
    get_table_webhook,
    put_table_webhook,
    end_table_webhook,
    end_by_link,
    show_end,
    confirm,
)
