import { fold, wordsOf } from '@engawa/folding';
import { deleteMessage, editMessage, getMessages, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { type Random, seeded } from '../testing/random.ts';

/** What messages are made of: no marks, so that what is read is what was typed. */
const pieces: readonly string[] = [
  ['会', '議', '東', '京', '都', '高', '髙', '辺', '邊', '吉', '𠮷', 'か', 'カ', 'ｶ', 'ﾞ', '\u3099', 'ー', 'ﾐｰﾃｨﾝｸﾞ', '㍿'],
  ['a', 'B', 'Ｃ', 'lunch', 'İ', 'Σ', 'ς', 'é', 'e\u0301', '1', '２', '\ue100', '\u3131\u314f'],
  ['-', '#4', '%', ';', '.', '"', "'", '！', '〜', '～', '、', ' ', '\u3000', '\n'],
  ['😀', '👨\u200d👩\u200d👧', '❤\ufe0f'],
].flat();
const text = (random: Random, most: number): string =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(pieces)).join('');

it.each([1, 2, 3])('[R2.9.1] a random search finds what a look at each message finds: %i', async (seed) => {
  const random = seeded(seed);
  const server = await eg.server();
  const client = eg.signIn(server, 'tanaka');
  const said = new Map<number, string>();
  const topic = 'stream events';

  const happen = async () => {
    const ids = [...said.keys()];
    const dice = random.below(10);
    const content = `。${text(random, 12)}。`;
    if (dice < 8 || ids.length === 0) {
      const { id } = await client.ok(sendMessage, { type: 'stream', to: eg.general, topic, content });
      said.set(id, content);
    } else if (dice < 9) {
      const message_id = random.pick(ids);
      await client.ok(editMessage, { message_id, content });
      said.set(message_id, content);
    } else {
      const message_id = random.pick(ids);
      await client.ok(deleteMessage, { message_id });
      said.delete(message_id);
    }
  };

  const query = (): string => {
    const whole = random.chance(0.6) && said.size > 0 ? random.pick([...said.values()]) : text(random, 4);
    const start = random.below(whole.length);
    return whole.slice(start, start + 1 + random.below(random.chance(0.8) ? 4 : 20));
  };

  let hits = 0;
  for (let round = 0; round < 250; round += 1) {
    await happen();
    const asked = query();
    const words = wordsOf(asked);
    if (words.length === 0) continue;
    const all = [...said].toSorted(([one], [other]) => one - other);
    const expected = all.filter(([, content]) => words.every((word) => fold(content).includes(word))).map(([id]) => id);
    const narrow = [{ operator: 'search', operand: asked }];
    const { messages } = await client.ok(getMessages, { anchor: 'newest', num_before: 500, num_after: 0, narrow });
    expect(
      messages.map(({ id }) => id),
      JSON.stringify(asked),
    ).toEqual(expected);
    for (const { match_content } of messages) expect(match_content).toContain('<span class="highlight">');
    hits += expected.length;
  }
  // Questions that find nothing would prove nothing.
  expect(hits).toBeGreaterThan(500);
});
