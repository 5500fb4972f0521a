"""Members of the demo organisation, and what the checks expect of answers."""

from __future__ import annotations

import itertools
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import requests
import zulip

Answer = Dict[str, Any]

PASSWORD = 'demo'
TOPIC = 'stream events'
# 田中, 佐藤 and 鈴木 are in this stream, the owner is not.
STREAM = 'プロダクト開発部'


class Failure(Exception):
    """The server did something else than the check expects."""


def email_of(name: str) -> str:
    return f'{name}@engawa.example'


class Member(zulip.Client):
    """A signed-in client that records which of its methods are called."""

    def __init__(self, site: str, email: str, password: str = PASSWORD) -> None:
        self.called: set[str] = set()
        self.site = site
        form = {'username': email, 'password': password}
        answer = ok(requests.post(f'{site}/api/v1/fetch_api_key', form, timeout=30).json())
        self.user_id: int = answer['user_id']
        super().__init__(email=email, api_key=answer['api_key'], site=site)

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith('_') and name != 'called' and hasattr(zulip.Client, name):
            self.called.add(name)
        return super().__getattribute__(name)


@dataclass(frozen=True)
class Members:
    site: str
    tanaka: Member
    sato: Member
    suzuki: Member
    owner: Member

    def all(self) -> List[Member]:
        return [self.tanaka, self.sato, self.suzuki, self.owner]

    def called(self) -> set[str]:
        return set().union(*(member.called for member in self.all()))

    def forget_calls(self) -> None:
        for member in self.all():
            member.called.clear()


def sign_in(site: str) -> Members:
    return Members(
        site,
        tanaka=Member(site, email_of('tanaka')),
        sato=Member(site, email_of('sato')),
        suzuki=Member(site, email_of('suzuki')),
        owner=Member(site, email_of('takahashi.koichi')),
    )


def ok(answer: Answer) -> Answer:
    if answer.get('result') != 'success':
        raise Failure(f"{answer.get('code', answer.get('status_code'))}: {answer.get('msg')}")
    return answer


def same(actual: object, expected: object) -> None:
    if actual != expected:
        raise Failure(f'{actual!r} instead of {expected!r}')


def contains(whole: Any, part: object) -> None:
    if part not in whole:
        raise Failure(f'{part!r} is missing in {str(whole)[:300]}')


def lacks(whole: Any, part: object) -> None:
    if part in whole:
        raise Failure(f'{part!r} is still in {str(whole)[:300]}')


def one(items: List[Answer], **wanted: object) -> Answer:
    """The only item that has these values."""
    found = [item for item in items if all(item.get(key) == value for key, value in wanted.items())]
    if len(found) != 1:
        raise Failure(f'{len(found)} items instead of 1 have {wanted}')
    return found[0]


def eventually(find: Callable[[], Optional[object]], what: str, seconds: float = 30) -> None:
    """Waits until `find` returns something true."""
    end = time.monotonic() + seconds
    while not find():
        if time.monotonic() > end:
            raise Failure(f'{what}: not within {seconds:.0f} seconds')
        time.sleep(0.2)


_numbers = itertools.count(1)


def unique(name: str) -> str:
    return f'{name} {next(_numbers)}'


def say(sender: Member, content: str, stream: str = STREAM, topic: str = TOPIC) -> int:
    message = {'type': 'stream', 'to': stream, 'topic': topic, 'content': content}
    return int(ok(sender.send_message(message))['id'])


def message_of(reader: Member, message_id: int) -> Answer:
    """The message as its reader gets it, with source text and flags."""
    request = {'anchor': message_id, 'num_before': 0, 'num_after': 0, 'apply_markdown': False, 'narrow': []}
    return one(ok(reader.get_messages(request))['messages'], id=message_id)


def new_stream(creator: Member, *others: Member) -> tuple[int, str]:
    name = unique('相談室')
    ok(creator.add_subscriptions([{'name': name}], principals=[other.user_id for other in (creator, *others)]))
    return int(ok(creator.get_stream_id(name))['stream_id']), name


def heard(listener: Member, event_type: str, act: Callable[[], object]) -> Answer:
    """The first event of a type that a queue receives from an action."""
    registered = ok(listener.register(event_types=[event_type]))
    act()
    position = {'queue_id': registered['queue_id'], 'last_event_id': registered['last_event_id']}
    for event in ok(listener.get_events(**position))['events']:
        if event['type'] == event_type:
            return dict(event)
    raise Failure(f'no event {event_type}')


def initial_state(member: Member, *types: str) -> Answer:
    return ok(member.register(event_types=['message'], fetch_event_types=list(types)))


def program(name: str) -> str:
    """A program of the virtual environment."""
    return str(Path(sys.prefix) / 'bin' / name)


def write_zuliprc(email: str, api_key: str, site: str, folder: Path) -> str:
    """The file with which programs sign in."""
    path = folder / f'{email}.zuliprc'
    path.touch(mode=0o600)
    path.write_text(f'[api]\nemail={email}\nkey={api_key}\nsite={site}\n')
    return str(path)
