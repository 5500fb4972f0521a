import { type KnownEvent } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { ai, general, ken, messageOf } from '../../../test/organisation.ts';
import { after, begin, snapshot, twoUnread } from '../../../test/exampleState.ts';
import { outgoing } from './outgoing.ts';
import { attempted, delivered, queued, sendFailed, outboxAfterPage } from './changes.ts';
import { registered } from '../sync/changes.ts';
import { opened, pageArrived, pageRequested } from '../timeline/changes.ts';
import { type State } from '../state.ts';
import type { Page } from '../timeline/timeline.ts';
import type { ConversationKey } from '../streams/conversation.ts';

const begun = begin(twoUnread);

const arrived = (state: State, conversation: ConversationKey, page: Page) =>
  outboxAfterPage(pageArrived(state, conversation, page), conversation);
const echo = (id: number, content: string): KnownEvent => ({
  id,
  type: 'message',
  message: messageOf(id, ai, general, content),
  flags: ['read'],
});
describe('An outgoing message', () => {
  const sent = outgoing(general.stream_id, '長い話', 0);
  const { localKey, conversation: streamId } = sent;
  const page = { anchor: 0, found_anchor: false, found_oldest: true, found_newest: true, messages: [] };
  const open = arrived(pageRequested(opened(begun, streamId), streamId, 'newest'), streamId, page);
  const sending = attempted(queued(open, [sent]), localKey);

  it('An outgoing message is removed when an event with its local id arrives, even if the server changed the text', () => {
    const marked = { ...echo(103, '長い[message truncated]'), local_message_id: localKey };
    expect(after(sending, marked).outbox).toEqual([]);
  });

  it('An outgoing message is removed when the server has answered and then its message arrives', () => {
    const answered = delivered(sending, localKey, 103);
    expect(answered.outbox).toMatchObject([{ state: 'sent', messageId: 103 }]);
    expect(after(answered, echo(103, '長い話')).outbox).toEqual([]);
  });

  it('An outgoing message is removed when the server answers, if its message has arrived before or its stream is not loaded', () => {
    expect(delivered(after(sending, echo(103, '長い話')), localKey, 103).outbox).toEqual([]);
    const elsewhere = attempted(queued(begun, [sent]), localKey);
    expect(delivered(elsewhere, localKey, 103).outbox).toEqual([]);
  });

  it('The row of a sent message keeps the key of its outgoing message, whether event or answer comes first', () => {
    const marked = { ...echo(103, '長い話'), local_message_id: localKey };
    const row = [[103, localKey]];
    expect([...after(sending, marked).sentAs]).toEqual(row);
    expect([...after(delivered(sending, localKey, 103), echo(103, '長い話')).sentAs]).toEqual(row);
    // If both rows are shown already, the key is not moved.
    const other = after(sending, echo(103, '長い話'));
    expect([...delivered(other, localKey, 103).sentAs]).toEqual([]);
  });

  it('An outgoing message is removed if its message is deleted before this tab has received it', () => {
    const answered = delivered(sending, localKey, 103);
    const gone: KnownEvent = { id: 1, type: 'delete_message', message_type: 'stream', message_ids: [103] };
    expect(after(answered, gone).outbox).toEqual([]);
    const newer = { ...page, messages: [messageOf(104, ken, general, '次')] };
    expect(arrived(pageRequested(answered, streamId, 'newest'), streamId, newer).outbox).toEqual([]);
  });

  it('A sent outgoing message is removed if the server has no message with its id, because a backup was restored', () => {
    const answered = delivered(sending, localKey, 103);
    expect(registered(answered, { ...snapshot, ...twoUnread, maxMessageId: 103 }).outbox).toMatchObject([{ state: 'sent' }]);
    expect(registered(answered, { ...snapshot, ...twoUnread }).outbox).toEqual([]);
  });

  it('A refused outgoing message is no longer taken for a message with the same text', () => {
    const seeming = after(sending, echo(103, '長い話'));
    expect(seeming.outbox).toMatchObject([{ messageId: 103 }]);
    expect(sendFailed(seeming, localKey, { kind: 'network' }).outbox).toMatchObject([{ messageId: 103 }]);
    const refused = sendFailed(seeming, localKey, { kind: 'refused', code: 'BAD_REQUEST', message: 'no' });
    expect(refused.outbox).toMatchObject([{ messageId: undefined, state: 'failed' }]);
  });
});
