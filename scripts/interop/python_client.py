"""Calls every method of the Python client and looks for the effect with another method."""

from __future__ import annotations

import base64
import io
import queue
import threading
import time
from typing import IO, Any, Callable, Dict

import requests
import zulip
from organisation import (
    STREAM,
    Answer,
    Failure,
    Member,
    Members,
    contains,
    heard,
    initial_state,
    lacks,
    message_of,
    new_stream,
    ok,
    one,
    same,
    say,
    unique,
)

# Every other method uses these.
PLUMBING = {'call_endpoint', 'do_api_query', 'ensure_session', 'get_user_agent'}
METHODS = [name for name in dir(zulip.Client) if not name.startswith('_') and name not in PLUMBING]

Check = Callable[[Members], None]
checks: Dict[str, Check] = {}
# The reasons why the server refuses a method.
refused: Dict[str, str] = {}


def check(function: Check) -> Check:
    checks[function.__name__] = function
    return function


def refuses(reason: str) -> Callable[[Check], Check]:
    def register(function: Check) -> Check:
        refused[function.__name__] = reason
        return check(function)

    return register


def refusal(answer: Answer, words: str) -> None:
    same(answer, {'result': 'error', 'code': 'BAD_REQUEST', 'msg': words})


PICTURE = base64.b64decode(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==')


def file_of(name: str, content: bytes) -> IO[Any]:
    # The client uses the name of the file as the name of the form's field.
    file = io.BytesIO(content)
    file.name = name
    return file


# Messages


@check
def send_message(members: Members) -> None:
    message_id = say(members.tanaka, 'こんにちは')
    same(message_of(members.sato, message_id)['content'], 'こんにちは')
    direct = {'type': 'private', 'to': [members.sato.user_id], 'content': '二人だけの話'}
    message_id = ok(members.tanaka.send_message(direct))['id']
    same(message_of(members.sato, message_id)['type'], 'private')
    # The client also sends addresses, and the older name of a topic.
    by_address = {'type': 'direct', 'to': [members.sato.email], 'content': '宛先はメールアドレス'}
    same(message_of(members.sato, ok(members.tanaka.send_message(by_address))['id'])['content'], by_address['content'])
    old = {'type': 'stream', 'to': [STREAM], 'subject': '昔の書き方', 'content': 'まだ使えます'}
    same(message_of(members.sato, ok(members.tanaka.send_message(old))['id'])['subject'], '昔の書き方')


@check
def get_messages(members: Members) -> None:
    message_id = say(members.tanaka, '検索で見つかる紫陽花')
    narrow = [{'operator': 'stream', 'operand': STREAM}, {'operator': 'search', 'operand': '紫陽花'}]
    request = {'anchor': 'newest', 'num_before': 10, 'num_after': 0, 'narrow': narrow}
    found = ok(members.sato.get_messages(request))
    same([message['id'] for message in found['messages']], [message_id])
    same(found['found_newest'], True)


@check
def get_raw_message(members: Members) -> None:
    answer = ok(members.sato.get_raw_message(say(members.tanaka, '**太字**')))
    same(answer['raw_content'], '**太字**')


@check
def check_messages_match_narrow(members: Members) -> None:
    with_link = say(members.tanaka, '資料は https://example.com/ です')
    without = say(members.tanaka, '資料はありません')
    narrow = [{'operator': 'has', 'operand': 'link'}]
    request: Dict[str, Any] = {'msg_ids': [with_link, without], 'narrow': narrow}
    answer = ok(members.sato.check_messages_match_narrow(**request))
    same(list(answer['messages']), [str(with_link)])


@check
def update_message(members: Members) -> None:
    message_id = say(members.tanaka, '直す前')
    ok(members.tanaka.update_message({'message_id': message_id, 'content': '直した後'}))
    same(message_of(members.sato, message_id)['content'], '直した後')
    ok(members.tanaka.update_message({'message_id': message_id, 'topic': '別の話題', 'propagate_mode': 'change_one'}))
    same(message_of(members.sato, message_id)['subject'], '別の話題')


@check
def delete_message(members: Members) -> None:
    message_id = say(members.tanaka, 'すぐに消します')
    ok(members.tanaka.delete_message(message_id))
    same(members.sato.get_raw_message(message_id)['result'], 'error')


@check
def get_message_history(members: Members) -> None:
    message_id = say(members.tanaka, '第一稿')
    ok(members.tanaka.update_message({'message_id': message_id, 'content': '第二稿'}))
    history = ok(members.sato.get_message_history(message_id))['message_history']
    same([snapshot['content'] for snapshot in history], ['第一稿', '第二稿'])


@check
def render_message(members: Members) -> None:
    same(ok(members.tanaka.render_message({'content': '**太字**'}))['rendered'], '<p><strong>太字</strong></p>')


@check
def set_typing_status(members: Members) -> None:
    request = {'op': 'start', 'to': [members.sato.user_id]}
    event = heard(members.sato, 'typing', lambda: ok(members.tanaka.set_typing_status(request)))
    same((event['op'], event['sender']['user_id']), ('start', members.tanaka.user_id))


@refuses('A message stays in its stream, because the readers of another stream may be others.')
def move_topic(members: Members) -> None:
    stream_id, name = new_stream(members.tanaka, members.sato)
    _, other = new_stream(members.tanaka, members.sato)
    message_id = say(members.sato, 'ここに残ります', name, '移動')
    refusal(members.tanaka.move_topic(name, other, '移動'), "You don't have permission to move this message")
    same(message_of(members.sato, message_id)['stream_id'], stream_id)


# Flags and reactions


@check
def update_message_flags(members: Members) -> None:
    message_id = say(members.tanaka, '星を付けます')
    ok(members.sato.update_message_flags({'messages': [message_id], 'op': 'add', 'flag': 'starred'}))
    contains(message_of(members.sato, message_id)['flags'], 'starred')


def unread(members: Members) -> tuple[int, str, list[int]]:
    """A new stream with one unread message in each of two topics."""
    stream_id, name = new_stream(members.tanaka, members.sato)
    ids = [say(members.tanaka, 'まだ読まれていません', name, topic) for topic in ('一', '二')]
    for message_id in ids:
        lacks(message_of(members.sato, message_id)['flags'], 'read')
    return stream_id, name, ids


def read_by_sato(members: Members, ids: list[int]) -> list[bool]:
    return ['read' in message_of(members.sato, message_id)['flags'] for message_id in ids]


@check
def mark_all_as_read(members: Members) -> None:
    _, _, ids = unread(members)
    ok(members.sato.mark_all_as_read())
    same(read_by_sato(members, ids), [True, True])


@check
def mark_stream_as_read(members: Members) -> None:
    stream_id, _, ids = unread(members)
    _, _, others = unread(members)
    ok(members.sato.mark_stream_as_read(stream_id))
    same(read_by_sato(members, [*ids, *others]), [True, True, False, False])


@check
def mark_topic_as_read(members: Members) -> None:
    stream_id, _, ids = unread(members)
    ok(members.sato.mark_topic_as_read(stream_id, '一'))
    same(read_by_sato(members, ids), [True, False])


TEA = {'emoji_name': 'tea', 'emoji_code': '1f375', 'reaction_type': 'unicode_emoji'}


@check
def add_reaction(members: Members) -> None:
    message_id = say(members.tanaka, 'お茶にしましょう')
    ok(members.sato.add_reaction({'message_id': message_id, **TEA}))
    reaction = one(message_of(members.tanaka, message_id)['reactions'], **TEA)
    same(reaction['user_id'], members.sato.user_id)
    # Bots give only the name.
    ok(members.sato.add_reaction({'message_id': message_id, 'emoji_name': 'wave', 'reaction_type': 'unicode_emoji'}))
    one(message_of(members.tanaka, message_id)['reactions'], emoji_name='wave')


@check
def remove_reaction(members: Members) -> None:
    message_id = say(members.tanaka, 'お茶はもう終わり')
    ok(members.sato.add_reaction({'message_id': message_id, **TEA}))
    ok(members.sato.remove_reaction({'message_id': message_id, **TEA}))
    same(message_of(members.tanaka, message_id)['reactions'], [])


# Files and emoji


@check
def upload_file(members: Members) -> None:
    content = ' 議事録\n'.encode()
    path = ok(members.tanaka.upload_file(file_of('minutes.txt', content)))['uri']
    say(members.tanaka, f'[議事録]({path})')
    temporary = ok(members.sato.call_endpoint(path.lstrip('/'), 'GET'))['url']
    same(requests.get(members.site + temporary, timeout=30).content, content)


@check
def get_attachments(members: Members) -> None:
    content = 'どの投稿にあるか'.encode()
    path = ok(members.tanaka.upload_file(file_of('where.txt', content)))['uri']
    message_id = say(members.tanaka, f'[どこ]({path})')
    attachments = ok(members.tanaka.get_attachments())['attachments']
    attachment = one(attachments, path_id=path.removeprefix('/user_uploads/'))
    same((attachment['name'], attachment['size']), ('where.txt', len(content)))
    same([message['id'] for message in attachment['messages']], [message_id])


def new_emoji(members: Members) -> str:
    name = unique('engawa').replace(' ', '_')
    ok(members.owner.upload_custom_emoji(name, file_of('engawa.png', PICTURE)))
    return name


def emoji_named(members: Members, name: str) -> Answer:
    return one(list(ok(members.tanaka.get_realm_emoji())['emoji'].values()), name=name)


@check
def upload_custom_emoji(members: Members) -> None:
    name = new_emoji(members)
    emoji = emoji_named(members, name)
    same(emoji['deactivated'], False)
    source = emoji['source_url']
    address = source if source.startswith('http') else members.site + source
    same(requests.get(address, auth=(members.sato.email, members.sato.api_key), timeout=30).content, PICTURE)
    message_id = say(members.tanaka, '新しい絵文字です')
    reaction = {'emoji_name': name, 'emoji_code': emoji['id'], 'reaction_type': 'realm_emoji'}
    ok(members.sato.add_reaction({'message_id': message_id, **reaction}))
    one(message_of(members.tanaka, message_id)['reactions'], **reaction)


@check
def get_realm_emoji(members: Members) -> None:
    name = new_emoji(members)
    same(emoji_named(members, name)['author_id'], members.owner.user_id)


@check
def delete_custom_emoji(members: Members) -> None:
    name = new_emoji(members)
    ok(members.owner.delete_custom_emoji(name))
    same(emoji_named(members, name)['deactivated'], True)


# The organisation


@check
def get_server_settings(members: Members) -> None:
    settings = ok(members.tanaka.get_server_settings())
    same(settings['realm_name'], '株式会社 縁側')
    same(settings['realm_uri'], members.site)


def new_linkifier(members: Members) -> tuple[int, str]:
    word = unique('TICKET').replace(' ', '')
    added = ok(members.owner.add_realm_filter(f'{word}-(?P<id>[0-9]+)', 'https://example.com/{id}'))
    return added['id'], word


@check
def add_realm_filter(members: Members) -> None:
    _, word = new_linkifier(members)
    rendered = ok(members.tanaka.render_message({'content': f'{word}-12'}))['rendered']
    contains(rendered, 'href="https://example.com/12"')


@check
def get_realm_linkifiers(members: Members) -> None:
    linkifier_id, word = new_linkifier(members)
    linkifier = one(ok(members.tanaka.get_realm_linkifiers())['linkifiers'], id=linkifier_id)
    same((linkifier['pattern'], linkifier['url_template']), (f'{word}-(?P<id>[0-9]+)', 'https://example.com/{id}'))


@check
def remove_realm_filter(members: Members) -> None:
    linkifier_id, _ = new_linkifier(members)
    ok(members.owner.remove_realm_filter(linkifier_id))
    lacks([each['id'] for each in ok(members.tanaka.get_realm_linkifiers())['linkifiers']], linkifier_id)


SHORT_TEXT = 1


def new_field(members: Members) -> tuple[int, str]:
    name = unique('内線')
    created = members.owner.create_realm_profile_field(name=name, hint='四桁', field_type=SHORT_TEXT)
    return ok(created)['id'], name


def fields(members: Members) -> list[Answer]:
    return list(ok(members.tanaka.get_realm_profile_fields())['custom_fields'])


@check
def create_realm_profile_field(members: Members) -> None:
    field_id, _ = new_field(members)
    value = {'data': [{'id': field_id, 'value': '1234'}]}
    ok(members.tanaka.call_endpoint('users/me/profile_data', 'PATCH', value))
    user = ok(members.sato.get_user_by_id(members.tanaka.user_id, include_custom_profile_fields=True))['user']
    same(user['profile_data'][str(field_id)]['value'], '1234')


@check
def get_realm_profile_fields(members: Members) -> None:
    field_id, name = new_field(members)
    field = one(fields(members), id=field_id)
    same((field['name'], field['hint'], field['type']), (name, '四桁', SHORT_TEXT))


@check
def update_realm_profile_field(members: Members) -> None:
    field_id, _ = new_field(members)
    ok(members.owner.update_realm_profile_field(field_id, name='外線'))
    same(one(fields(members), id=field_id)['name'], '外線')


@check
def reorder_realm_profile_fields(members: Members) -> None:
    new_field(members)
    new_field(members)
    order = [field['id'] for field in reversed(fields(members))]
    ok(members.owner.reorder_realm_profile_fields(order=order))
    same([field['id'] for field in sorted(fields(members), key=lambda field: field['order'])], order)


@check
def remove_realm_profile_field(members: Members) -> None:
    field_id, _ = new_field(members)
    ok(members.owner.remove_realm_profile_field(field_id))
    lacks([field['id'] for field in fields(members)], field_id)


# Events


@check
def register(members: Members) -> None:
    registered = ok(members.tanaka.register(event_types=['message'], fetch_event_types=['subscription']))
    contains([stream['name'] for stream in registered['subscriptions']], STREAM)
    message_id = say(members.sato, 'キューに届きます')
    position = {'queue_id': registered['queue_id'], 'last_event_id': registered['last_event_id']}
    contains([event['message']['id'] for event in ok(members.tanaka.get_events(**position))['events']], message_id)


@check
def get_events(members: Members) -> None:
    event = heard(members.tanaka, 'message', lambda: say(members.sato, 'イベントで届きます'))
    same(event['message']['content'], 'イベントで届きます')


@check
def deregister(members: Members) -> None:
    registered = ok(members.tanaka.register(event_types=['message']))
    ok(members.tanaka.deregister(registered['queue_id']))
    position = {'queue_id': registered['queue_id'], 'last_event_id': registered['last_event_id']}
    same(members.tanaka.get_events(**position)['code'], 'BAD_EVENT_QUEUE_ID')


def first_of(listen: Callable[[Callable[[Answer], None]], None], act: Callable[[], object]) -> Answer:
    """The first answer to a method that listens forever. Acts until then, because nothing says when its queue exists."""
    found: queue.Queue[Answer] = queue.Queue()

    def end_with(answer: Answer) -> None:
        found.put(answer)
        raise SystemExit

    threading.Thread(target=listen, args=[end_with], daemon=True).start()
    end = time.monotonic() + 30
    while time.monotonic() < end:
        act()
        try:
            return found.get(timeout=1)
        except queue.Empty:
            continue
    raise Failure('nothing was received within 30 seconds')


@check
def call_on_each_event(members: Members) -> None:
    event = first_of(
        lambda end: members.tanaka.call_on_each_event(end, ['message']), lambda: say(members.sato, 'もしもし'))
    same((event['type'], event['message']['content']), ('message', 'もしもし'))


@check
def call_on_each_message(members: Members) -> None:
    message = first_of(members.tanaka.call_on_each_message, lambda: say(members.sato, 'はいはい'))
    same(message['content'], 'はいはい')


# Streams


@check
def get_streams(members: Members) -> None:
    stream_id, name = new_stream(members.tanaka)
    same(one(ok(members.tanaka.get_streams())['streams'], stream_id=stream_id)['name'], name)
    lacks([stream['stream_id'] for stream in ok(members.sato.get_streams())['streams']], stream_id)


@check
def get_stream_id(members: Members) -> None:
    answer = ok(members.tanaka.get_stream_id(STREAM))
    same(message_of(members.tanaka, say(members.tanaka, 'ここです'))['stream_id'], answer['stream_id'])


@check
def get_stream_topics(members: Members) -> None:
    stream_id, name = new_stream(members.tanaka)
    message_id = say(members.tanaka, '話題があります', name, '天気')
    topics = ok(members.tanaka.get_stream_topics(stream_id))['topics']
    same(one(topics, name='天気')['max_id'], message_id)


@check
def update_stream(members: Members) -> None:
    stream_id, _ = new_stream(members.tanaka, members.sato)
    ok(members.tanaka.update_stream({'stream_id': stream_id, 'description': '説明を変えました'}))
    stream = one(ok(members.sato.get_subscriptions())['subscriptions'], stream_id=stream_id)
    same(stream['description'], '説明を変えました')


@check
def delete_stream(members: Members) -> None:
    stream_id, _ = new_stream(members.tanaka, members.sato)
    ok(members.tanaka.delete_stream(stream_id))
    lacks([stream['stream_id'] for stream in ok(members.sato.get_streams())['streams']], stream_id)


@check
def add_default_stream(members: Members) -> None:
    name = unique('お知らせ')
    ok(members.owner.add_subscriptions([{'name': name}], invite_only=False))
    stream_id = ok(members.owner.get_stream_id(name))['stream_id']
    ok(members.owner.add_default_stream(stream_id))
    contains([stream['stream_id'] for stream in ok(new_member(members).get_subscriptions())['subscriptions']], stream_id)


@refuses('The server receives no mail, so a stream has no address.')
def get_stream_email_address(members: Members) -> None:
    stream_id, _ = new_stream(members.tanaka)
    words = 'Posting to streams by email is disabled in this organization.'
    refusal(members.tanaka.get_stream_email_address(stream_id), words)


@check
def get_subscribers(members: Members) -> None:
    _, name = new_stream(members.tanaka, members.sato)
    subscribers = ok(members.sato.get_subscribers(stream=name))['subscribers']
    same(sorted(subscribers), sorted([members.tanaka.user_id, members.sato.user_id]))


# Subscriptions


@check
def get_subscriptions(members: Members) -> None:
    stream_id, _ = new_stream(members.tanaka, members.sato)
    answer = ok(members.sato.get_subscriptions({'include_subscribers': True}))
    contains(one(answer['subscriptions'], stream_id=stream_id)['subscribers'], members.tanaka.user_id)


@check
def list_subscriptions(members: Members) -> None:
    stream_id, name = new_stream(members.tanaka, members.sato)
    same(one(ok(members.sato.list_subscriptions())['subscriptions'], stream_id=stream_id)['name'], name)


@check
def add_subscriptions(members: Members) -> None:
    name = unique('勉強会')
    answer = ok(members.tanaka.add_subscriptions([{'name': name, 'description': '毎週'}], principals=[members.sato.email]))
    contains([name for names in answer['subscribed'].values() for name in names], name)
    stream = one(ok(members.sato.get_subscriptions())['subscriptions'], name=name)
    same(stream['description'], '毎週')


@check
def remove_subscriptions(members: Members) -> None:
    stream_id, name = new_stream(members.tanaka, members.sato)
    ok(members.tanaka.remove_subscriptions([name], principals=[members.sato.user_id]))
    lacks([stream['stream_id'] for stream in ok(members.sato.get_subscriptions())['subscriptions']], stream_id)


@check
def get_subscription_status(members: Members) -> None:
    stream_id, _ = new_stream(members.tanaka, members.sato)
    for user, is_subscribed in ((members.sato, True), (members.suzuki, False)):
        answer = ok(members.tanaka.get_subscription_status(user.user_id, stream_id))
        same(answer['is_subscribed'], is_subscribed)


@check
def update_subscription_settings(members: Members) -> None:
    stream_id, _ = new_stream(members.tanaka)
    change = {'stream_id': stream_id, 'property': 'pin_to_top', 'value': True}
    ok(members.tanaka.update_subscription_settings([change]))
    same(one(ok(members.tanaka.get_subscriptions())['subscriptions'], stream_id=stream_id)['pin_to_top'], True)


@check
def mute_topic(members: Members) -> None:
    _, name = new_stream(members.tanaka)
    say(members.tanaka, '静かにします', name, '雑音')
    ok(members.tanaka.mute_topic({'stream': name, 'topic': '雑音', 'op': 'add'}))
    muted = [topic[:2] for topic in initial_state(members.tanaka, 'muted_topics')['muted_topics']]
    contains(muted, [name, '雑音'])
    ok(members.tanaka.mute_topic({'stream': name, 'topic': '雑音', 'op': 'remove'}))
    muted = [topic[:2] for topic in initial_state(members.tanaka, 'muted_topics')['muted_topics']]
    lacks(muted, [name, '雑音'])


# Users


@check
def get_profile(members: Members) -> None:
    same(ok(members.tanaka.get_profile())['full_name'], '田中 翔')


@check
def get_users(members: Members) -> None:
    user = one(ok(members.tanaka.get_users())['members'], user_id=members.sato.user_id)
    same((user['full_name'], user['email']), ('佐藤 美咲', members.sato.email))


@check
def get_members(members: Members) -> None:
    one(ok(members.tanaka.get_members({'client_gravatar': False}))['members'], user_id=members.sato.user_id)


@check
def get_user_by_id(members: Members) -> None:
    same(ok(members.tanaka.get_user_by_id(members.sato.user_id))['user']['full_name'], '佐藤 美咲')


def new_member(members: Members) -> Member:
    name = unique('新人')
    email = f"{name.replace('新人 ', 'newcomer')}@engawa.example"
    password = 'harukaze-to-asahi'
    ok(members.owner.create_user({'email': email, 'full_name': name, 'password': password}))
    return Member(members.site, email, password)


@check
def create_user(members: Members) -> None:
    newcomer = new_member(members)
    same(ok(newcomer.get_profile())['email'], newcomer.email)


@check
def update_user_by_id(members: Members) -> None:
    newcomer = new_member(members)
    name = unique('改名')
    ok(members.owner.update_user_by_id(newcomer.user_id, full_name=name))
    same(ok(newcomer.get_profile())['full_name'], name)


@check
def deactivate_user_by_id(members: Members) -> None:
    newcomer = new_member(members)
    ok(members.owner.deactivate_user_by_id(newcomer.user_id))
    same(newcomer.get_profile()['result'], 'error')
    same(ok(members.owner.get_user_by_id(newcomer.user_id))['user']['is_active'], False)


@check
def reactivate_user_by_id(members: Members) -> None:
    newcomer = new_member(members)
    ok(members.owner.deactivate_user_by_id(newcomer.user_id))
    ok(members.owner.reactivate_user_by_id(newcomer.user_id))
    same(ok(newcomer.get_profile())['user_id'], newcomer.user_id)


ACTIVE = {'status': 'active', 'ping_only': False, 'new_user_input': True}


@check
def update_presence(members: Members) -> None:
    contains(ok(members.suzuki.update_presence(ACTIVE))['presences'], members.suzuki.email)
    presence = ok(members.tanaka.get_realm_presence())['presences'][members.suzuki.email]
    same(presence['aggregated']['status'], 'active')


@check
def get_user_presence(members: Members) -> None:
    ok(members.suzuki.update_presence(ACTIVE))
    same(ok(members.tanaka.get_user_presence(members.suzuki.email))['presence']['aggregated']['status'], 'active')


@check
def get_realm_presence(members: Members) -> None:
    ok(members.sato.update_presence({**ACTIVE, 'status': 'idle'}))
    contains(ok(members.tanaka.get_realm_presence())['presences'], members.sato.email)


# Settings of a member


@check
def get_alert_words(members: Members) -> None:
    ok(members.sato.add_alert_words(['締切']))
    contains(ok(members.sato.get_alert_words())['alert_words'], '締切')


@check
def add_alert_words(members: Members) -> None:
    ok(members.sato.add_alert_words(['至急']))
    contains(message_of(members.sato, say(members.tanaka, '至急お願いします'))['flags'], 'has_alert_word')


@check
def remove_alert_words(members: Members) -> None:
    ok(members.sato.add_alert_words(['延期']))
    ok(members.sato.remove_alert_words(['延期']))
    lacks(message_of(members.sato, say(members.tanaka, '延期になりました'))['flags'], 'has_alert_word')


@check
def update_notification_settings(members: Members) -> None:
    for value in (False, True):
        ok(members.tanaka.update_notification_settings({'enable_desktop_notifications': value}))
        settings = initial_state(members.tanaka, 'user_settings')['user_settings']
        same(settings['enable_desktop_notifications'], value)


# Groups


def new_group(members: Members) -> tuple[int, str]:
    name = unique('当番')
    group = {'name': name, 'description': '今週の当番', 'members': [members.sato.user_id]}
    ok(members.owner.create_user_group(group))
    return one(ok(members.owner.get_user_groups())['user_groups'], name=name)['id'], name


def group_of(members: Members, group_id: int) -> Answer:
    return one(ok(members.tanaka.get_user_groups())['user_groups'], id=group_id)


@check
def create_user_group(members: Members) -> None:
    _, name = new_group(members)
    contains(message_of(members.sato, say(members.tanaka, f'@*{name}* お願いします'))['flags'], 'mentioned')


@check
def get_user_groups(members: Members) -> None:
    group_id, name = new_group(members)
    group = group_of(members, group_id)
    same((group['name'], group['description'], group['members']), (name, '今週の当番', [members.sato.user_id]))
    # A department is a group that nobody changes by this call.
    one(ok(members.tanaka.get_user_groups())['user_groups'], name=STREAM)


@check
def update_user_group(members: Members) -> None:
    group_id, _ = new_group(members)
    name = unique('来週の当番')
    ok(members.owner.update_user_group({'group_id': group_id, 'name': name, 'description': '来週'}))
    group = group_of(members, group_id)
    same((group['name'], group['description']), (name, '来週'))


@check
def update_user_group_members(members: Members) -> None:
    group_id, _ = new_group(members)
    change = {'add': [members.suzuki.user_id], 'delete': [members.sato.user_id]}
    ok(members.owner.update_user_group_members(group_id, change))
    same(group_of(members, group_id)['members'], [members.suzuki.user_id])


@check
def remove_user_group(members: Members) -> None:
    group_id, name = new_group(members)
    ok(members.owner.remove_user_group(group_id))
    lacks([group['id'] for group in ok(members.tanaka.get_user_groups())['user_groups']], group_id)
    lacks(message_of(members.sato, say(members.tanaka, f'@*{name}* もういません'))['flags'], 'mentioned')


# Storage of a bot


@check
def update_storage(members: Members) -> None:
    for value in ('一', '二'):
        ok(members.tanaka.update_storage({'storage': {'count': value}}))
        same(ok(members.tanaka.get_storage({'keys': ['count']}))['storage'], {'count': value})


@check
def get_storage(members: Members) -> None:
    ok(members.tanaka.update_storage({'storage': {'left': '左', 'right': '右'}}))
    stored = ok(members.tanaka.get_storage())['storage']
    same((stored['left'], stored['right']), ('左', '右'))
    lacks(ok(members.sato.get_storage())['storage'], 'left')
