"""
Drives zulip-terminal in a pseudo-terminal: looks at its screen and at what the server has.

It does not open the information about a stream: version 0.7.0 ends there without the key `email_address` of a subscription, which
the API removed at feature level 226.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Callable, Dict

import pexpect
import pyte
from organisation import (
    STREAM,
    TOPIC,
    Failure,
    Member,
    Members,
    contains,
    message_of,
    ok,
    one,
    program,
    same,
    say,
    write_zuliprc,
)

COLUMNS, LINES = 150, 45
BEFORE = '端末を始める前の投稿'
SEND = '\x04'
ESCAPE = '\x1b'
ENTER = '\r'
CLEAR = '\x0c'
TAB = '\t'


class Terminal:
    def __init__(self, member: Member, folder: Path) -> None:
        self.folder = folder
        self.screen = pyte.Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)
        environment = {**os.environ, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'TZ': 'Asia/Tokyo'}
        self.process = pexpect.spawn(
            program('zulip-term'),
            ['--config-file', write_zuliprc(member.email, member.api_key, member.site, folder)],
            cwd=str(folder),
            env=environment,
            dimensions=(LINES, COLUMNS),
        )

    def text(self) -> str:
        # The second cell of a wide character is empty.
        rows = (self.screen.buffer[row] for row in range(LINES))
        return '\n'.join(''.join(row[column].data for column in range(COLUMNS)).rstrip() for row in rows)

    def read(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.stream.feed(self.process.read_nonblocking(65_536, timeout=0.1))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                raise Failure(f'zulip-terminal ended: {self.complaint() or self.text().strip()}') from None

    def complaint(self) -> str:
        """The last lines of the files in which it writes its exceptions."""
        written = [path.read_text() for path in sorted(self.folder.glob('zulip-terminal-*.log'))]
        return ' '.join(line.strip() for text in written for line in text.strip().splitlines()[-3:])

    def press(self, *keys: str) -> None:
        for key in keys:
            self.process.send(key)
            # A sequence that begins with ESC would be read as one key.
            self.read(0.6 if key == ESCAPE else 0.3)

    def shows(self, *parts: str, while_pressing: str = '') -> None:
        def missing() -> list[str]:
            return [part for part in parts if part not in self.text()]

        self.wait(lambda: not missing(), lambda: f'the screen does not show {missing()}', while_pressing)

    def hides(self, part: str) -> None:
        self.wait(lambda: part not in self.text(), lambda: f'the screen still shows {part}')

    def server(self, holds: Callable[[], object], otherwise: str) -> None:
        """Waits for the server, and reads on, because the program stops while nobody reads its output."""
        self.wait(holds, lambda: f'the server: {otherwise}')

    def wait(self, holds: Callable[[], object], words: Callable[[], str], pressing: str = '') -> None:
        end = time.monotonic() + 30
        while not holds():
            if time.monotonic() > end:
                raise Failure(f'{words()}\n{self.text()}')
            self.process.send(pressing)
            self.read(0.5)

    def close(self) -> None:
        self.process.close(force=True)


class Session:
    """田中 works with the terminal, 佐藤 with another client."""

    def __init__(self, members: Members, folder: Path) -> None:
        self.members = members
        self.tanaka = members.tanaka
        self.sato = members.sato
        say(self.sato, BEFORE)
        self.terminal = Terminal(members.tanaka, folder)

    def close(self) -> None:
        self.terminal.close()

    def newest(self) -> None:
        """Leaves the composer, lists all messages, goes from the left column to the middle one, and to the end."""
        self.terminal.press(ESCAPE, 'a', 'h', 'h', 'l', 'G')

    def choose(self, content: str) -> None:
        """Chooses the newest message, which must have this content. The list loads its messages in parts."""
        self.newest()
        self.terminal.shows(f'▒ {content}', while_pressing='G')
        self.terminal.press('G')

    def receive(self, content: str) -> int:
        # A message that arrives in another view is not added to all messages.
        self.newest()
        message_id = say(self.sato, content)
        self.choose(content)
        return message_id

    def own(self, content: str) -> int:
        """The id of a message that the terminal sent."""
        narrow = [{'operator': 'sender', 'operand': self.tanaka.email}]
        request = {'anchor': 'newest', 'num_before': 20, 'num_after': 0, 'apply_markdown': False, 'narrow': narrow}

        def found() -> list[int]:
            messages = ok(self.tanaka.get_messages(request))['messages']
            return [message['id'] for message in messages if message['content'] == content]

        self.terminal.server(found, f'no message {content!r}')
        return found()[0]


uses: Dict[str, Callable[[Session], None]] = {}


def use(words: str) -> Callable[[Callable[[Session], None]], Callable[[Session], None]]:
    def register(function: Callable[[Session], None]) -> Callable[[Session], None]:
        uses[words] = function
        return function

    return register


@use('starts and lists streams and messages')
def start(session: Session) -> None:
    session.terminal.shows('田中 翔', '株式会社 縁側', f'P {STREAM}', f'{STREAM} ▶')
    # It begins at the first unread message, and appends new ones only when it has loaded the newest.
    session.newest()
    session.terminal.shows(f'▒ {BEFORE}', while_pressing='Gj')


@use('shows a message that arrives')
def receive(session: Session) -> None:
    session.receive('端末に届きました')


@use('sends a reply to a stream')
def reply(session: Session) -> None:
    session.receive('返信してください')
    session.terminal.press('r', '端末からの返信', SEND)
    message = message_of(session.sato, session.own('端末からの返信'))
    same((message['display_recipient'], message['subject']), (STREAM, TOPIC))
    session.choose('端末からの返信')


@use('sends a direct message')
def direct(session: Session) -> None:
    session.receive('個別に聞いてください')
    session.terminal.press('R', '端末からの個別の返信', SEND)
    message = message_of(session.sato, session.own('端末からの個別の返信'))
    same(sorted(user['id'] for user in message['display_recipient']), sorted([session.tanaka.user_id, session.sato.user_id]))
    session.choose('端末からの個別の返信')
    session.terminal.shows('You and 佐藤 美咲')


@use('adds and removes a reaction')
def react(session: Session) -> None:
    message_id = session.receive('良いと思いますか')
    session.terminal.press('+')
    session.terminal.server(lambda: message_of(session.sato, message_id)['reactions'], 'no reaction')
    reaction = one(message_of(session.sato, message_id)['reactions'], emoji_code='1f44d')
    same(reaction['user_id'], session.tanaka.user_id)
    session.terminal.shows(':thumbs_up: You', while_pressing='G')
    session.terminal.press('+')
    session.terminal.server(lambda: not message_of(session.sato, message_id)['reactions'], 'still the reaction')
    session.terminal.hides(':thumbs_up: You')


@use('stars a message and lists it')
def star(session: Session) -> None:
    message_id = session.receive('後で読みます')
    session.terminal.press('*')
    session.terminal.server(lambda: 'starred' in message_of(session.tanaka, message_id)['flags'], 'no star')
    session.terminal.press('f')
    session.terminal.shows('Starred messages  Search', '▒ 後で読みます')


@use('edits a message')
def edit(session: Session) -> None:
    session.receive('編集を待っています')
    session.terminal.press('r', '直す前の文', SEND)
    message_id = session.own('直す前の文')
    session.choose('直す前の文')
    session.terminal.press('e', CLEAR, '直した後の文', SEND)
    session.terminal.server(lambda: message_of(session.sato, message_id)['content'] == '直した後の文', 'no edit')
    session.terminal.shows('▒ 直した後の文', 'EDITED')


@use('shows information about a message and its history')
def information(session: Session) -> None:
    session.choose('直した後の文')
    session.terminal.press('i')
    session.terminal.shows('Message Information', 'tanaka@engawa.example')
    session.terminal.press('e')
    session.terminal.shows('Edit History', '直す前の文', '直した後の文')
    session.terminal.press(ESCAPE, ESCAPE)
    session.terminal.hides('Message Information')


@use('searches messages')
def search(session: Session) -> None:
    session.receive('探すのは蜃気楼です')
    say(session.sato, 'これは別の話です')
    session.terminal.press('/', '蜃気楼', ENTER)
    session.terminal.shows('▒ 探すのは蜃気楼です')
    session.terminal.hides('これは別の話です')


@use('narrows to a stream and a topic')
def narrow(session: Session) -> None:
    session.receive('この話題だけを見ます')
    session.terminal.press('s')
    session.terminal.shows(f'{STREAM}  Search', '▒ この話題だけを見ます')
    session.terminal.press('S')
    session.terminal.shows('▒ この話題だけを見ます', TOPIC)


@use('quotes a message')
def quote(session: Session) -> None:
    session.receive('引用される文')
    session.terminal.press('>', '引用への返事', SEND)
    narrow = [{'operator': 'sender', 'operand': session.tanaka.email}]
    request = {'anchor': 'newest', 'num_before': 1, 'num_after': 0, 'apply_markdown': False, 'narrow': narrow}

    def newest() -> str:
        return str(ok(session.tanaka.get_messages(request))['messages'][0]['content'])

    session.terminal.server(lambda: newest().endswith('引用への返事'), 'no quote')
    contains(newest(), f'@_**佐藤 美咲|{session.sato.user_id}**')
    contains(newest(), '引用される文')
    session.newest()
    session.terminal.shows('▒ 引用への返事', '佐藤 美咲', while_pressing='G')


@use('completes the name of a mentioned member')
def complete(session: Session) -> None:
    session.receive('名前を補ってください')
    session.terminal.press('r', '@鈴木', '\x06', ' 補いました', SEND)
    message_id = session.own('@**鈴木 健太** 補いました')
    contains(message_of(session.members.suzuki, message_id)['flags'], 'mentioned')


@use('lists mentions and direct messages')
def lists(session: Session) -> None:
    session.newest()
    say(session.sato, '@**田中 翔** 呼びました')
    session.terminal.press('#')
    session.terminal.shows('Mentions  Search', '▒ @田中 翔 呼びました')
    session.terminal.press('P')
    session.terminal.shows('All private messages  Search', 'You and 鈴木 健太')


@use('lists the topics of a stream')
def topics(session: Session) -> None:
    say(session.sato, '新しい話題です', topic='端末の話題')
    session.newest()
    session.terminal.press('q', STREAM, ENTER, 't')
    session.terminal.shows('━ Topics ━', '端末の話題')
    session.terminal.press('t')
    session.terminal.shows('━ Streams ━')
    session.terminal.press(ESCAPE)


@use('finds a member and shows information about them')
def member(session: Session) -> None:
    session.newest()
    session.terminal.press('w', '佐藤', ENTER, 'i')
    session.terminal.shows('User Information', 'sato@engawa.example')
    session.terminal.press(ESCAPE, ESCAPE)
    session.terminal.hides('User Information')


@use('marks what it shows as read')
def read(session: Session) -> None:
    message_id = session.receive('表示したら既読です')
    session.terminal.press('k', 'j')
    session.terminal.server(lambda: 'read' in message_of(session.tanaka, message_id)['flags'], 'not read')


def is_muted(session: Session) -> bool:
    return bool(one(ok(session.tanaka.get_subscriptions())['subscriptions'], name=STREAM)['is_muted'])


@use('mutes a stream')
def mute(session: Session) -> None:
    session.receive('通知を止めます')
    session.terminal.press('q', STREAM, ENTER, 'm')
    session.terminal.shows('Confirm muting of stream')
    session.terminal.press(ENTER)
    session.terminal.server(lambda: is_muted(session), 'not muted')
    session.terminal.shows(' M ')


@use('writes no exception to its files')
def exceptions(session: Session) -> None:
    session.terminal.read(1)
    if session.terminal.complaint():
        raise Failure(session.terminal.complaint())
