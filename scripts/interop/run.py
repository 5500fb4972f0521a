"""Runs clients that others wrote against a server with the demo organisation: `run.py SITE`."""

from __future__ import annotations

import contextlib
import logging
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List

import bots
import bridge
import python_client
import terminal
from organisation import Failure, Members, sign_in

# At least this many methods must work. Fewer means that a method became "refused" by accident.
NEEDED_METHODS = 70


@dataclass(frozen=True)
class Row:
    client: str
    use: str
    outcome: str
    words: str = ''


def row_of(client: str, use: str, check: Callable[[], object], refusal: str = '') -> Row:
    try:
        check()
    except Exception as error:
        words = str(error) if isinstance(error, Failure) else f'{type(error).__name__}: {error}'
        return Row(client, use, 'FAILS', words)
    return Row(client, use, 'refused' if refusal else 'works', refusal)


def use_method(name: str, members: Members) -> None:
    if name not in python_client.checks:
        raise Failure('this method has no check')
    members.forget_calls()
    python_client.checks[name](members)
    if name not in members.called():
        raise Failure('the check does not call the method')


def python_client_rows(members: Members) -> List[Row]:
    return [
        row_of('Python client', name, lambda: use_method(name, members), python_client.refused.get(name, ''))
        for name in python_client.METHODS
    ]


def terminal_rows(members: Members, folder: Path) -> List[Row]:
    with contextlib.closing(terminal.Session(members, folder)) as session:
        return [row_of('zulip-terminal', words, lambda: use(session)) for words, use in terminal.uses.items()]


def bot_rows(members: Members, folder: Path) -> List[Row]:
    return [row_of('bots', words, lambda: use(members, folder)) for words, use in bots.uses.items()]


def bridge_rows(members: Members) -> List[Row]:
    relay = bridge.Bridge(bots.make(members.tanaka, 'bridge'))
    return [row_of('matterbridge', words, lambda: use(members, relay)) for words, use in bridge.uses.items()]


def main() -> int:
    # The client warns of its own deprecated methods.
    logging.disable(logging.WARNING)
    members = sign_in(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix='engawa-interop-') as name:
        folder = Path(name)
        methods = python_client_rows(members)
        rows = [*methods, *bot_rows(members, folder), *bridge_rows(members), *terminal_rows(members, folder)]
    width = max(len(row.use) for row in rows)
    for row in rows:
        summary, *details = row.words.splitlines() or ['']
        print(f'{row.client:15} {row.use:{width}}  {row.outcome:8} {summary}'.rstrip())
        for line in details:
            print(f'    {line}')
    count = {outcome: sum(row.outcome == outcome for row in methods) for outcome in ('works', 'refused', 'FAILS')}
    print(
        f"Python client: {len(methods)} methods, {count['works']} work, "
        f"{count['refused']} are refused on purpose, {count['FAILS']} fail."
    )
    failed = any(row.outcome == 'FAILS' for row in rows)
    return 1 if failed or count['works'] < NEEDED_METHODS else 0


if __name__ == '__main__':
    sys.exit(main())
