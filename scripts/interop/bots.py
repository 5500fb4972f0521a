"""Runs bots of zulip_bots with zulip-run-bot, and zulip-send, signed in as bots that a member made."""

from __future__ import annotations

import contextlib
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, Iterator, List

from organisation import (
    STREAM,
    TOPIC,
    Answer,
    Failure,
    Member,
    Members,
    contains,
    eventually,
    message_of,
    ok,
    one,
    program,
    same,
    say,
    unique,
    write_zuliprc,
)


@dataclass(frozen=True)
class Bot:
    owner: Member
    user_id: int
    full_name: str
    email: str
    api_key: str

    def answers(self, conversation: List[Answer]) -> List[Answer]:
        """Its messages in a conversation, oldest first."""
        narrow = [*conversation, {'operator': 'sender', 'operand': self.user_id}]
        request = {'anchor': 'newest', 'num_before': 20, 'num_after': 0, 'apply_markdown': False, 'narrow': narrow}
        return list(ok(self.owner.get_messages(request))['messages'])

    def mention(self, words: str = '') -> int:
        return say(self.owner, f'@**{self.full_name}** {words}')

    def write_to(self) -> int:
        return int(ok(self.owner.send_message({'type': 'direct', 'to': [self.user_id], 'content': 'こんにちは'}))['id'])

    @property
    def direct(self) -> List[Answer]:
        return [{'operator': 'dm', 'operand': [self.user_id]}]


IN_STREAM: List[Answer] = [{'operator': 'channel', 'operand': STREAM}, {'operator': 'topic', 'operand': TOPIC}]


def make(owner: Member, name: str) -> Bot:
    """A new bot in the stream."""
    full_name = unique(name.capitalize())
    made = ok(owner.call_endpoint('bots', 'POST', {'full_name': full_name, 'short_name': full_name.replace(' ', '')}))
    ok(owner.add_subscriptions([{'name': STREAM}], principals=[made['user_id']]))
    account = one(ok(owner.call_endpoint('bots', 'GET'))['bots'], full_name=full_name)
    return Bot(owner, made['user_id'], full_name, account['username'], made['api_key'])


@contextlib.contextmanager
def running(members: Members, name: str, folder: Path) -> Iterator[Bot]:
    """Makes a bot and runs its program until the end of the block."""
    owner = members.tanaka
    bot = make(owner, name)
    zuliprc = write_zuliprc(bot.email, bot.api_key, owner.site, folder)
    command = [program('zulip-run-bot'), name, '--config-file', zuliprc]
    with (folder / f'{name}.log').open('w') as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
    try:
        yield bot
    except Failure as failure:
        raise Failure(f'{failure}\n{Path(log.name).read_text()}') from None
    finally:
        process.terminate()
        process.wait()


def wait_for_answers(bot: Bot, conversation: List[Answer], contents: List[str]) -> None:
    def said() -> List[str]:
        return [message['content'] for message in bot.answers(conversation)]

    eventually(lambda: said() == contents, f'the bot has not said {contents}')


def wait_until_it_listens(bot: Bot) -> None:
    """Writes to it until it answers, because nothing says when its queue exists."""
    end = time.monotonic() + 60
    while not bot.answers(bot.direct):
        if time.monotonic() > end:
            raise Failure('the bot does not answer within 60 seconds')
        bot.write_to()
        time.sleep(1)


uses: Dict[str, Callable[[Members, Path], None]] = {}


def use(words: str) -> Callable[[Callable[[Members, Path], None]], Callable[[Members, Path], None]]:
    def register(function: Callable[[Members, Path], None]) -> Callable[[Members, Path], None]:
        uses[words] = function
        return function

    return register


@use('helloworld answers a direct message and a mention')
def helloworld(members: Members, folder: Path) -> None:
    with running(members, 'helloworld', folder) as bot:
        wait_until_it_listens(bot)
        same({message['content'] for message in bot.answers(bot.direct)}, {'beep boop'})
        message_id = bot.mention('元気ですか')
        wait_for_answers(bot, IN_STREAM, ['beep boop'])
        answer = bot.answers(IN_STREAM)[0]
        contains([user['user_id'] for user in ok(members.sato.get_users())['members'] if user['is_bot']], answer['sender_id'])
        eventually(lambda: message_of(members.sato, message_id)['reactions'], 'no reaction of the bot')
        same(one(message_of(members.sato, message_id)['reactions'], emoji_name='wave')['user_id'], bot.user_id)


def settled_count(bot: Bot) -> int:
    """Returns the count of the bot after 3 seconds without a change: it first counts the messages from before it listened."""
    end = time.monotonic() + 60
    count, since = '', time.monotonic()
    while time.monotonic() - since < 3:
        if time.monotonic() > end:
            raise Failure('the count of the bot did not settle within 60 seconds')
        time.sleep(0.2)
        now = str(bot.answers(bot.direct)[0]['content'])
        if now != count:
            count, since = now, time.monotonic()
    return int(count)


@use('incrementor edits its answer and stores its count')
def incrementor(members: Members, folder: Path) -> None:
    with running(members, 'incrementor', folder) as bot:
        wait_until_it_listens(bot)
        before = settled_count(bot)
        bot.mention()
        wait_for_answers(bot, bot.direct, [str(before + 1)])


@use('zulip-send posts to a stream and to a member')
def zulip_send(members: Members, folder: Path) -> None:
    bot = make(members.tanaka, 'alert')
    zuliprc = write_zuliprc(bot.email, bot.api_key, bot.owner.site, folder)
    for recipients, words in (['--stream', STREAM, '--subject', TOPIC], '障害です'), ([bot.owner.email], '個別に知らせます'):
        command = [program('zulip-send'), '--config-file', zuliprc, *recipients, '--message', words]
        sent = subprocess.run(command, capture_output=True, text=True, check=False)
        if sent.returncode != 0:
            raise Failure(f'zulip-send ended with {sent.returncode}\n{sent.stdout}{sent.stderr}')
    same([message['content'] for message in bot.answers(IN_STREAM)], ['障害です'])
    same([message['content'] for message in bot.answers(bot.direct)], ['個別に知らせます'])
