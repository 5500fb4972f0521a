import { describe, expect, it, vi } from 'vitest';
import { deleteMessage } from '@engawa/client';
import { chatServer } from '../../../../test/chatServer.ts';
import { closed, general, ken } from '../../../../test/organisation.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { addressOfMessage } from '../../../model/streams/address.ts';
import { Markup } from './Markup.tsx';

/** A message that quotes a message of 石川 健, written by another client if `narrow` is set. */
async function quoting(write: (id: number) => string) {
  const server = await chatServer();
  const id = await server.send(ken, general.stream_id, '一行め');
  const screen = await screenOf(() => <Markup source={write(id)} dialect="engawa" alerted={false} />, { server });
  const card = () => screen.container.querySelector('blockquote');
  const link = () => screen.queryByRole('link');
  return { ...screen, id, card, link };
}

const address = (streamId: number, id: number) => `${location.origin}/${addressOfMessage(streamId, id)}`;
const own = (href: string) => `> 健 石川（2026年11月18日(水) 07:13） ${href}\n> 一行め\n了解です`;
const others = (href: string) => `@_**旧姓 健|${ken.user_id}** [said](${href}):\n\`\`\`quote\n一行め\n\`\`\`\n了解です`;

describe('QuotedMessage', () => {
  it.each([
    ['our clients', (id: number) => own(address(general.stream_id, id))],
    ['Zulip’s clients', (id: number) => others(`${location.origin}/#narrow/channel/${general.stream_id}-x/topic/y/near/${id}`)],
  ])('[R2.14] A quote is a card with author, time and text that links to its message, in the form of %s', async (_, write) => {
    const { card, link, id, container } = await quoting(write);
    await vi.waitFor(() => expect(card()?.textContent).toMatch(/^石川 健(昨日 |.+日 )?\d\d:\d\d一行め$/));
    expect(link()?.getAttribute('href')).toBe(`#/stream/${general.stream_id}/message/${id}`);
    expect(container.textContent).not.toMatch(/http|said|\*\*/);
    expect(container.textContent).toContain('了解です');
  });

  it.each([
    ['is not loaded', own(address(general.stream_id, 999)), '健 石川2026年11月18日(水) 07:13一行め'],
    ['is not loaded, in the form of Zulip’s clients', others(address(general.stream_id, 999)), '石川 健一行め'],
  ])('[R2.14] A quote shows the author and time that it names if the message %s', async (_, source, text) => {
    const { card, link } = await quoting(() => source);
    expect(card()?.textContent).toBe(text);
    expect(link()).not.toBeNull();
  });

  it('[R2.14] A quote is a card without a link if the member may not open the conversation', async () => {
    const { card, link } = await quoting(() => own(address(closed.stream_id, 999)));
    expect(card()?.textContent).toBe('健 石川2026年11月18日(水) 07:13一行め');
    expect(link()).toBeNull();
  });

  it('[R2.14, R2.15] A quote shows the author and time that it names if its message was deleted', async () => {
    const { card, id, server } = await quoting((quoted) => own(address(general.stream_id, quoted)));
    await vi.waitFor(() => expect(card()?.querySelector('time')).not.toBeNull());
    await deleteMessage(server.as(ken), { message_id: id });
    await vi.waitFor(() => expect(card()?.textContent).toBe('健 石川2026年11月18日(水) 07:13一行め'));
  });

  it('[R2.14] A quote of a message on another host links to it in a new tab', async () => {
    const { card, link } = await quoting((id) => own(`https://chat.example/#/stream/${general.stream_id}/message/${id}`));
    expect(card()?.textContent).toBe('健 石川2026年11月18日(水) 07:13一行め');
    expect(link()?.getAttribute('href')).toMatch(/^https:\/\/chat\.example\//);
    expect(link()?.getAttribute('target')).toBe('_blank');
  });
});
