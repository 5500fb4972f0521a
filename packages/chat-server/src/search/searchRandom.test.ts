import { fold, wordsOf } from '@engawa/folding';
import { deleteMessage, editMessage, getMessages, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { type Random, seeded } from '../testing/random.ts';

/** The parts of random messages, without markup, so that the visible text equals the source. */
const pieces: readonly string[] = [
  ['会', '議', '東', '京', '都', '高', '髙', '辺', '邊', '吉', '𠮷', 'か', 'カ', 'ｶ', 'ﾞ', '\u3099', 'ー', 'ﾐｰﾃｨﾝｸﾞ', '㍿'],
  ['a', 'B', 'Ｃ', 'lunch', 'İ', 'Σ', 'ς', 'é', 'e\u0301', '1', '２', '\ue100', '\u3131\u314f'],
  ['-', '#4', '%', ';', '.', '"', "'", '！', '〜', '～', '、', ' ', '\u3000', '\n'],
  ['😀', '👨\u200d👩\u200d👧', '❤\ufe0f'],
].flat();
const text = (random: Random, most: number): string =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(pieces)).join('');

it.each([1, 2, 3])(
  '[R2.9.1] A random search with the search index finds the same messages as a check of every message (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const server = await eg.server();
    const client = eg.signIn(server, 'tanaka');
    const sent = new Map<number, string>();
    const topic = 'stream events';

    const actAtRandom = async () => {
      const ids = [...sent.keys()];
      const roll = random.below(10);
      const content = `。${text(random, 12)}。`;
      if (roll < 8 || ids.length === 0) {
        const { id } = await client.ok(sendMessage, { type: 'stream', to: eg.general, topic, content });
        sent.set(id, content);
      } else if (roll < 9) {
        const message_id = random.pick(ids);
        await client.ok(editMessage, { message_id, content });
        sent.set(message_id, content);
      } else {
        const message_id = random.pick(ids);
        await client.ok(deleteMessage, { message_id });
        sent.delete(message_id);
      }
    };

    const query = (): string => {
      const whole = random.chance(0.6) && sent.size > 0 ? random.pick([...sent.values()]) : text(random, 4);
      const start = random.below(whole.length);
      return whole.slice(start, start + 1 + random.below(random.chance(0.8) ? 4 : 20));
    };

    let hits = 0;
    for (let round = 0; round < 250; round += 1) {
      await actAtRandom();
      const searched = query();
      const words = wordsOf(searched);
      if (words.length === 0) continue;
      const all = [...sent].toSorted(([one], [other]) => one - other);
      const expected = all.filter(([, content]) => words.every((word) => fold(content).includes(word))).map(([id]) => id);
      const narrow = [{ operator: 'search', operand: searched }];
      const { messages } = await client.ok(getMessages, { anchor: 'newest', num_before: 500, num_after: 0, narrow });
      expect(
        messages.map(({ id }) => id),
        JSON.stringify(searched),
      ).toEqual(expected);
      for (const { match_content } of messages) expect(match_content).toContain('<span class="highlight">');
      hits += expected.length;
    }
    // Guards against queries that find too little.
    expect(hits).toBeGreaterThan(500);
  },
);
