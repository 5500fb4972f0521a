import { zulipExchanges } from '@engawa/protocol/testing';
import { expect, it } from 'vitest';
import { withoutAddresses } from './addresses.ts';

const shown = (reply: unknown): unknown => JSON.parse(withoutAddresses(Buffer.from(JSON.stringify(reply))).toString());

it('[R7.8] The address that posts into a stream is emptied in subscriptions and in events', () => {
  const subscription = { name: '開発本部', email_address: 'dev.0f1e.show-sender@zulip.example', color: '#76ce90' };
  expect(shown({ subscriptions: [subscription] })).toEqual({ subscriptions: [{ ...subscription, email_address: '' }] });
  const event = { type: 'stream', op: 'update', property: 'email_address', value: 'dev.2a3b@zulip.example', name: '開発本部' };
  expect(shown({ events: [event] })).toEqual({ events: [{ ...event, value: '' }] });
});

it.each([
  ['/user_avatars/2/ab.png?version=2', '/user_avatars/2/ab.png?version=2'],
  ['https://zulip.example/user_avatars/2/ab.png', '/user_avatars/2/ab.png'],
  ['https://secure.gravatar.com/avatar/0f?d=identicon', null],
  ['https://bucket.s3.amazonaws.com/2/ab.png', null],
  ['//elsewhere.example/user_avatars/2/ab.png', null],
  ['/static/images/bot.png', null],
  ['javascript:alert(1)//user_avatars/', null],
  [null, null],
])('[R7.8] The picture %j is shown as %j', (avatar_url, own) => {
  expect(shown({ members: [{ avatar_url, full_name: 'a' }] })).toEqual({ members: [{ avatar_url: own, full_name: 'a' }] });
});

it('[R7.8] Texts are unchanged, also those that look like an address in JSON', () => {
  const contents = ['"email_address":"a@b"', '\\"avatar_url\\":\\"https://a\\"', '会議 🎉', '\u2028', 'avatar_url', '"', '\\'];
  const reply = { messages: contents.map((content) => ({ content, subject: 'email_address' })), property: 'x' };
  const bytes = Buffer.from(JSON.stringify(reply));
  expect(withoutAddresses(bytes)).toEqual(bytes);
});

it('[R7.8] No recorded answer of a real Zulip keeps a posting address or a picture elsewhere, and nothing else changes', () => {
  const answers = zulipExchanges.filter(({ body }) => typeof body === 'object');
  expect(answers.length).toBeGreaterThan(50);
  for (const { body } of answers) {
    const text = withoutAddresses(Buffer.from(JSON.stringify(body))).toString();
    expect(text).not.toMatch(/show-sender|"avatar_url":"http/);
    const expected = JSON.parse(JSON.stringify(body), (key, value: unknown) => {
      if (key === 'email_address') return typeof value === 'string' ? '' : value;
      return key === 'avatar_url' && String(value).startsWith('http') ? null : value;
    });
    expect(JSON.parse(text)).toEqual(expected);
  }
});
