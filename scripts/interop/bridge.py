"""Makes the calls of matterbridge, which connects the chat with others. Its Go program is not started."""

from __future__ import annotations

from typing import Callable, Dict, Optional, Tuple
from urllib.parse import quote_plus

import requests
from bots import Bot
from organisation import STREAM, TOPIC, Answer, Failure, Members, message_of, ok, one, same, say


class Bridge:
    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.position: Optional[Tuple[str, int]] = None
        self.sent: Optional[int] = None

    def call(self, method: str, path: str, body: str = '') -> Answer:
        """It writes its forms itself, partly without escapes, and sends an empty one with a GET."""
        headers = {'Content-Type': 'application/x-www-form-urlencoded'}
        address = f'{self.bot.owner.site}/api/v1/{path}'
        auth = (self.bot.email, self.bot.api_key)
        return ok(requests.request(method, address, data=body.encode(), headers=headers, auth=auth, timeout=60).json())

    def own_message(self) -> int:
        if self.sent is None:
            raise Failure('it has sent no message')
        return self.sent


uses: Dict[str, Callable[[Members, Bridge], None]] = {}


def use(words: str) -> Callable[[Callable[[Members, Bridge], None]], Callable[[Members, Bridge], None]]:
    def register(function: Callable[[Members, Bridge], None]) -> Callable[[Members, Bridge], None]:
        uses[words] = function
        return function

    return register


@use('registers and lists the streams')
def connect(_: Members, bridge: Bridge) -> None:
    registered = bridge.call('POST', 'register', 'event_types=["message"]&all_public_streams=true')
    bridge.position = registered['queue_id'], registered['last_event_id']
    one(bridge.call('GET', 'streams')['streams'], name=STREAM)


@use('receives a message to relay')
def receive(members: Members, bridge: Bridge) -> None:
    if bridge.position is None:
        raise Failure('it has no queue')
    message_id = say(members.sato, '外にも届けてください')
    queue_id, last_event_id = bridge.position
    events = bridge.call('GET', f'events?last_event_id={last_event_id}&queue_id={queue_id}')['events']
    message = one([event['message'] for event in events], id=message_id)
    same((message['sender_full_name'], message['content'], message['subject']), ('佐藤 美咲', '外にも届けてください', TOPIC))
    same(message['display_recipient'], STREAM)


@use('sends a message of another chat')
def send(members: Members, bridge: Bridge) -> None:
    content = '<太郎> 外から来ました'
    form = f'content={quote_plus(content)}&subject={quote_plus(TOPIC)}&to={quote_plus(STREAM)}&type=stream'
    bridge.sent = bridge.call('POST', 'messages', form)['id']
    message = message_of(members.sato, bridge.own_message())
    same((message['content'], message['sender_full_name']), (content, bridge.bot.full_name))


@use('edits the message')
def edit(members: Members, bridge: Bridge) -> None:
    bridge.call('PATCH', f'messages/{bridge.own_message()}', f"content={quote_plus('<太郎> 直しました')}")
    same(message_of(members.sato, bridge.own_message())['content'], '<太郎> 直しました')


@use('deletes the message by an empty edit')
def delete(members: Members, bridge: Bridge) -> None:
    bridge.call('PATCH', f'messages/{bridge.own_message()}', 'content=')
    same(message_of(members.sato, bridge.own_message())['content'], '(deleted)')
