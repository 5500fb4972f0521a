import { type KnownEvent } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { design, general, ken, messageOf } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { outboxAfterPage } from '../outbox/changes.ts';
import { opened, pageArrived, pageRequested } from './changes.ts';
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
const idsIn = (state: State) => loadedIn(state).map(({ id }) => id);

describe('A long timeline', () => {
  const page = { anchor: 0, found_anchor: false, found_oldest: true, found_newest: true };
  const asking = pageRequested(opened(begun, general.stream_id), general.stream_id, 'newest');
  const open = arrived(asking, general.stream_id, { ...page, messages: messages(1, 500) });

  it('A long timeline keeps all its messages while its conversation is open, and loses the older ones when another is opened', () => {
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
});
