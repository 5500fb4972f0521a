/** The state of the model with answers and events of a real Zulip of feature level 218. */
import { getMessages, getSubscriptions, registerQueue, serverEvent, type ServerEvent } from '@engawa/protocol';
import { secretPostingAddress, zulipAnswer, zulipEvents } from '@engawa/protocol/testing';
import { describe, expect, it } from 'vitest';
import { ai, sessionOf } from '../../test/organisation.ts';
import { selectStream } from './conversations/selectors.ts';
import { selectMember } from './people/memberView.ts';
import { selectPresence } from './people/selectors.ts';
import { initialState, type State } from './state.ts';
import { registered } from './sync/changes.ts';
import { happened } from './sync/events.ts';
import { snapshot as snapshotSchema, snapshotOf } from './sync/snapshot.ts';
import { opened, pageArrived, pageRequested } from './timeline/changes.ts';

/** The member whose queue was recorded, a colleague, and two streams of theirs. */
const member = { ...ai, user_id: 10 };
const colleague = 11;
const verona = 1;
const denmark = 7;

function atStart(): State {
  const registration = registerQueue.answer.parse(zulipAnswer('registerQueue', 'subscriptions'));
  const { subscriptions } = getSubscriptions.answer.parse(zulipAnswer('getSubscriptions', 'subscriptions'));
  const { messages } = getMessages.answer.parse(zulipAnswer('getMessages', 'messages'));
  const streams = [verona, denmark].map((stream_id) => {
    const [first] = subscriptions;
    if (!first) throw new Error('no subscription was recorded');
    return { ...first, stream_id, name: stream_id === verona ? 'Verona' : 'Denmark' };
  });
  const users = [member, { ...ai, user_id: colleague, full_name: '石川 健' }];
  const snapshot = snapshotOf({ ...registration, realm_users: users }, streams, messages, member.user_id, 1_795_485_157);
  return registered(initialState(sessionOf(member, [])), snapshotSchema.parse(snapshot));
}

const events = zulipEvents.map((event) => serverEvent.parse(event));

/** The recorded events that match, as if they came one after the other in one queue. */
const eventsLike = (matches: (event: ServerEvent) => boolean) => events.filter(matches);

function after(state: State, ...arrived: readonly ServerEvent[]): State {
  return happened(
    state,
    arrived.map((event, id) => ({ ...event, id })),
    { queueId: 'queue-1', lastEventId: arrived.length },
  );
}

/** A state with the messages of the recorded events, in the open stream. */
function withMessages(): State {
  const open = pageRequested(opened(atStart(), verona), verona, 'newest');
  const loaded = pageArrived(open, verona, {
    anchor: 0,
    found_anchor: false,
    found_oldest: true,
    found_newest: true,
    messages: [],
  });
  return after(loaded, ...eventsLike(({ type }) => type === 'message'));
}

const deletedIds = (state: State) =>
  (state.timelines.get(verona)?.messages ?? []).filter(({ deleted }) => deleted).map(({ id }) => id);
const levelOf = (state: State) => selectStream(state, verona)?.notifies;
const updates = (property: string) => (event: ServerEvent) =>
  event.type === 'realm' && event.op === 'update' && event.property === property;

describe('With a real Zulip', () => {
  it('[R7.8] The model applies every recorded event to the state of a recorded registration', () => {
    const state = after(withMessages(), ...events);
    expect(state.cursor?.lastEventId).toBe(events.length);
    expect(JSON.stringify([...(state.subscriptions ?? [])])).not.toContain(secretPostingAddress);
  });

  it('[R7.8] The model removes messages that are deleted one by one and many at once', () => {
    const single = eventsLike((event) => event.type === 'delete_message' && event.message_id !== undefined);
    const bulk = eventsLike((event) => event.type === 'delete_message' && event.message_ids !== undefined);
    expect(deletedIds(after(withMessages(), ...single.map((event) => ({ ...event, message_id: 31 }))))).toEqual([31]);
    expect(deletedIds(after(withMessages(), ...bulk.map((event) => ({ ...event, message_ids: [31, 33] }))))).toEqual([31, 33]);
  });

  it('[R7.8] A stream without a choice of notifications notifies as the member’s setting for all streams says', () => {
    const [setting] = eventsLike(
      (event) => event.type === 'user_settings' && event.property === 'enable_stream_desktop_notifications',
    );
    expect(levelOf(atStart())).toBe('mentions');
    expect(setting && levelOf(after(atStart(), setting))).toBe('all');
  });

  it('[R7.8] A removed user is a deactivated one, who stays known by name, and an added user is active again', () => {
    const person = { user_id: colleague, full_name: '石川 健' };
    const gone = after(atStart(), { id: 1, type: 'realm_user', op: 'remove', person });
    expect(selectMember(gone, colleague)).toMatchObject({ fullName: '石川 健', isActive: false });
    const back = { ...ai, ...person, is_active: true };
    expect(selectMember(after(gone, { id: 2, type: 'realm_user', op: 'add', person: back }), colleague)?.isActive).toBe(true);
  });

  it('[R7.8] Presence events of the legacy form show who is online, and an idle report does not end the active time', () => {
    const report = (status: string, timestamp: number): ServerEvent =>
      serverEvent.parse({
        id: 1,
        type: 'presence',
        user_id: colleague,
        server_timestamp: timestamp,
        presence: { website: { client: 'website', status, timestamp, pushable: false } },
      });
    const { now } = atStart();
    const active = after(atStart(), report('active', Math.floor(now)));
    expect(selectPresence(active, colleague)?.kind).toBe('online');
    const idle = after(active, report('idle', Math.floor(now) + 10));
    expect(selectPresence(idle, colleague)?.kind).toBe('online');
    expect(selectPresence(after(atStart(), report('idle', Math.floor(now))), colleague)?.kind).toBe('idle');
  });

  it('[R7.8] The limits of edits and deletions follow both forms of the event about the organisation', () => {
    expect(atStart().limits).toEqual({ edit: 600, delete: 600, editing: true, ownDeletion: 2 });
    const changes = eventsLike(({ type }) => type === 'realm');
    const policies = changes.filter(updates('delete_own_message_policy'));
    const deletions = changes.filter(updates('message_content_delete_limit_seconds'));
    const dictionaries = changes.filter((event) => event.type === 'realm' && event.op === 'update_dict');
    expect(after(atStart(), ...policies).limits).toMatchObject({ edit: 600, ownDeletion: 5 });
    expect(after(atStart(), ...deletions).limits).toMatchObject({ edit: 600, delete: 3600 });
    expect(after(atStart(), ...dictionaries).limits).toMatchObject({ edit: null, delete: 600, editing: false });
  });
});
