import { join } from 'node:path';
import { fold, wordsOf } from '@engawa/folding';
import { type Role, deleteMessage, editMessage, getMessages, roles, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { fetchMessages } from '../messages/fetch.ts';
import type { FindsWords } from '../messages/operators.ts';
import { SharedMessages } from '../messages/sharedMessages.ts';
import * as eg from '../testing/eg.ts';
import { resultOf } from '../testing/steps.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { noGroups } from '../identity/groups.ts';
import { type Random, seeded } from '../testing/random.ts';
import { SearchFileReader } from './searchFile.ts';
import { queryOf } from './tokens.ts';

const names = ['tanaka', 'sato', 'suzuki', 'ito'] as const;
type Name = (typeof names)[number];
const rolesOf: Readonly<Record<Name, Role>> = {
  tanaka: roles.owner,
  sato: roles.administrator,
  suzuki: roles.member,
  ito: roles.member,
};
/** Streams with shared and protected histories, and one with many messages that the others cannot read. */
const streams = {
  shared: ['tanaka', 'sato'],
  own: ['tanaka', 'suzuki'],
  late: ['sato', 'ito'],
  closed: ['suzuki'],
} as const;
const streamNames = ['shared', 'own', 'late', 'closed'] as const;
type StreamName = (typeof streamNames)[number];
const organisation = eg.organisation({
  streams: streamNames.map((name) => eg.stream(name, streams[name], name === 'shared')),
});

interface Row {
  readonly id: number;
  readonly stream: StreamName;
  readonly sender: Name;
  readonly receivers: ReadonlySet<Name>;
  /** Empty if the message was deleted. */
  content: string;
}

const words = ['会議', '議事', '昼食', '東京', '京都', 'abc', 'bcd', 'x'];
const queries = ['会議', '議', '京都', '会議 昼食', 'bc', 'x', '東京都', '"会議 昼食"', '会'];
const text = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(random.pick(['', ' ', '都']));
const topic = 'stream events';
const narrowFor = (query: string) => [{ operator: 'search', operand: query, negated: false }];

class History {
  readonly server: eg.Server;
  readonly rows: Row[] = [];
  readonly inside = new Map<StreamName, Set<Name>>(streamNames.map((name) => [name, new Set<Name>(streams[name])]));
  constructor(server: eg.Server) {
    this.server = server;
  }

  in(stream: StreamName): Set<Name> {
    return this.inside.get(stream) ?? new Set();
  }

  received(member: Name): Row[] {
    return this.rows.filter(({ stream, receivers }) => this.in(stream).has(member) && receivers.has(member));
  }

  found(member: Name, query: string): number[] {
    const searchedWords = wordsOf(query);
    return this.received(member)
      .filter(({ content }) => content !== '' && searchedWords.every((word) => fold(content).includes(word)))
      .map(({ id }) => id);
  }

  async actAtRandom(random: Random): Promise<void> {
    const member = random.chance(0.4) ? 'suzuki' : random.pick(names);
    const client = eg.signIn(this.server, member);
    const own = this.received(member).filter((row) => row.sender === member && row.content !== '');
    const subscribed = streamNames.filter((name) => this.in(name).has(member));
    const percentile = random.below(100);
    if (percentile < 75 && subscribed.length > 0) {
      const [stream, content] = [random.pick(subscribed), text(random)];
      const { id } = await client.ok(sendMessage, { type: 'stream', to: stream, topic, content });
      this.rows.push({ id, stream, sender: member, receivers: new Set(this.in(stream)), content });
    } else if (percentile < 88 && own.length > 0) {
      const row = random.pick(own);
      row.content = percentile < 82 ? text(random) : '';
      if (row.content === '') await client.ok(deleteMessage, { message_id: row.id });
      else await client.ok(editMessage, { message_id: row.id, content: row.content });
    } else {
      const stream = random.pick(streamNames);
      const inside = this.in(stream);
      if (!inside.has(member)) await joins(this.server, member, stream);
      else if (inside.size > 1) await leaves(this.server, member, stream);
      else return;
      this.inside.set(stream, inside.symmetricDifference(new Set([member])));
    }
  }
}

it.each([1, 2, 3])(
  '[R2.9.2] A client that pages through a search in either direction gets every matching message its member received (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const server = await eg.server({ organisation });
    const history = new History(server);
    for (let step = 0; step < 220; step += 1) await history.actAtRandom(random);
    // This search waits until the index is complete.
    const firstSearch = { anchor: 'newest', num_before: 1, num_after: 0, narrow: narrowFor('会議') };
    await eg.signIn(server, 'tanaka').ok(getMessages, firstSearch);
    const { database } = fileOf(server);
    const file = new SearchFileReader(join(server.directory, 'search.db'));
    const index: FindsWords = {
      indexed: (span) => span,
      find: (wanted, ...walk) => file.find(queryOf(wanted.words, wanted.conversationIds), ...walk),
    };
    const off = { apply_markdown: false, client_gravatar: false, use_first_unread_anchor: false, include_deleted: false };

    let hits = 0;
    for (let question = 0; question < 80; question += 1) {
      const [name, query] = [random.pick(names), random.pick(queries)];
      const [size, most] = [1 + random.below(6), 1 + random.below(20)];
      const member = eg.memberOf(server, name, rolesOf[name]);
      const expected = history.found(name, query);
      const received = new Set(history.received(name).map(({ id }) => id));
      /** An index without the messages that the member did not receive. */
      const indexOfReceived: FindsWords = {
        ...index,
        find: (wanted, span, direction, count) =>
          index
            .find(wanted, span, direction, history.rows.length)
            .filter((id) => received.has(id))
            .slice(0, count),
      };
      const fetchBoth = (anchor: string, num_before: number, num_after: number, examined: number) => {
        const options = { ...off, anchor, num_before, num_after, narrow: narrowFor(query), include_anchor: false };
        const fetched = (words: FindsWords) =>
          resultOf(
            fetchMessages(
              database.reader,
              member,
              options,
              { index: words, groups: noGroups, shared: new SharedMessages() },
              examined,
            ),
          );
        const { messages, ...answer } = fetched(index);
        expect(fetched(indexOfReceived)).toEqual({ messages, ...answer });
        return { ids: messages.map(({ id }) => id), ...answer };
      };

      const down: number[] = [];
      for (let anchor = Infinity, isAll = false; !isAll;) {
        const answer = fetchBoth(isFinite(anchor) ? `${anchor}` : 'newest', size, 0, most);
        const { ids, found_oldest, oldest_examined: reached = 0 } = answer;
        down.unshift(...ids);
        expect(reached).toBeLessThan(anchor);
        expect(
          down.filter((id) => id >= reached),
          query,
        ).toEqual(expected.filter((id) => id >= reached));
        [anchor, isAll] = [reached, found_oldest];
      }
      expect(down, query).toEqual(expected);

      const up: number[] = [];
      for (let isAll = false; !isAll;) {
        const { ids, found_newest } = fetchBoth(up.length === 0 ? 'oldest' : `${up.at(-1)}`, 0, size, Infinity);
        up.push(...ids);
        isAll = found_newest;
      }
      expect(up, query).toEqual(expected);
      hits += expected.length;
    }
    file.close();
    // Guards against queries that find too little.
    expect(hits).toBeGreaterThan(200);
  },
);
