import { type KnownEvent } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { design, general, ken, messageOf } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { outboxAfterPage, queued, sendFailed } from '../outbox/changes.ts';
import { outgoing } from '../outbox/outgoing.ts';
import { selectTimeline } from '../outbox/selectors.ts';
import { opened, pageArrived, pageRequested, trimmedAround } from './changes.ts';
import { type State } from '../state.ts';
import type { Page } from './timeline.ts';
import type { ConversationKey } from '../streams/conversation.ts';
import { after } from '../../../test/exampleState.ts';

const begun = begin();

const arrived = (state: State, conversation: ConversationKey, page: Page) =>
  outboxAfterPage(pageArrived(state, conversation, page), conversation);
const said = (id: number, sender = ken, flags: readonly string[] = []): KnownEvent => ({
  id,
  type: 'message',
  message: messageOf(id, sender, general, `${id}`),
  flags: [...flags],
});
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => messageOf(from + index, ken, general, ''));
const loadedIn = (state: State) => state.timelines.get(general.stream_id)?.messages ?? [];
const unsentIn = (state: State) => selectTimeline(state, general.stream_id)?.keys.filter((key) => typeof key === 'string');
const idsIn = (state: State) => loadedIn(state).map(({ id }) => id);

describe('A long timeline', () => {
  const page = { anchor: 0, found_anchor: false, found_oldest: true, found_newest: true };
  const asking = pageRequested(opened(begun, general.stream_id), general.stream_id, 'newest');
  const open = arrived(asking, general.stream_id, { ...page, messages: messages(1, 500) });

  it('A long timeline keeps its messages while its conversation is open, and loses the older ones when another is opened', () => {
    const grown = after(open, said(501), said(502));
    expect(loadedIn(grown)).toHaveLength(502);
    expect(idsIn(opened(grown, design.stream_id))).toEqual(messages(403, 502).map(({ id }) => id));
  });

  it('A long timeline loses its older messages when it grows while another conversation is open', () => {
    const left = opened(open, design.stream_id);
    expect(loadedIn(left)).toHaveLength(500);
    const grown = after(left, said(501));
    expect(loadedIn(grown)).toHaveLength(100);
    expect(loadedIn(grown).at(-1)?.id).toBe(501);
    expect(grown.timelines.get(general.stream_id)?.foundOldest).toBe(false);
  });

  it('A long timeline keeps all its messages while a page is being loaded', () => {
    const later = arrived(asking, general.stream_id, { ...page, messages: messages(100, 599) });
    const left = opened(pageRequested(later, general.stream_id, 'older'), design.stream_id);
    const grown = after(left, said(600));
    expect(loadedIn(grown)).toHaveLength(501);
    const filled = arrived(grown, general.stream_id, { ...page, messages: messages(50, 99) });
    expect(idsIn(filled)).toEqual(messages(501, 600).map(({ id }) => id));
  });

  it('A long timeline that stays open is trimmed around the message that the reader sees, and to its newest at the end', () => {
    const weeks = after(open, ...messages(501, 2001).map(({ id }) => said(id)));
    expect(loadedIn(weeks)).toHaveLength(2001);
    const seen = trimmedAround(weeks, general.stream_id, 700);
    expect(idsIn(seen)).toEqual(messages(200, 1199).map(({ id }) => id));
    expect(seen.timelines.get(general.stream_id)).toMatchObject({ foundOldest: false, foundNewest: false });
    const followed = trimmedAround(weeks, general.stream_id, undefined);
    expect(idsIn(followed)).toEqual(messages(1002, 2001).map(({ id }) => id));
    expect(idsIn(after(followed, said(2002))).at(-1)).toBe(2002);
    expect(trimmedAround(followed, general.stream_id, 1500)).toBe(followed);
  });

  it('A long timeline that is open but not on the screen is trimmed to its newest messages when it grows too long', () => {
    const weeks = after(open, ...messages(501, 5001).map(({ id }) => said(id)));
    expect(idsIn(weeks)).toEqual(messages(4002, 5001).map(({ id }) => id));
  });

  it('Trimming a long timeline keeps the unsent and failed messages of its conversation', () => {
    const [failing, waiting] = [outgoing(general.stream_id, '届かない', 0), outgoing(general.stream_id, '待つ', 0)];
    const weeks = after(queued(open, [failing, waiting]), ...messages(501, 2001).map(({ id }) => said(id)));
    const refused = sendFailed(weeks, failing.localKey, { kind: 'network' });
    const followed = trimmedAround(refused, general.stream_id, undefined);
    expect(unsentIn(followed)).toEqual([failing.localKey, waiting.localKey]);
    // Between the reader's messages and the unsent ones are some that are not loaded.
    const read = trimmedAround(refused, general.stream_id, 700);
    expect(unsentIn(read)).toEqual([]);
    const asking = pageRequested(read, general.stream_id, 'newer');
    const back = arrived(asking, general.stream_id, { ...page, messages: messages(1200, 2001) });
    expect(unsentIn(back)).toEqual([failing.localKey, waiting.localKey]);
  });
});
