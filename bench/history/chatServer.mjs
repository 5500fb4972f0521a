/*
 * Measures the chat server on a long history: the newest messages, unread messages, a search. It runs in this process, without a
 * network, and is called as the product calls it.
 */
import { all, credentialsOf, streamCount, unreadAll } from './dataFolder.mjs';
import { answerIn, timesOf } from './chatCalls.mjs';
import { percentile } from '../samples.mjs';
import { historyFor, withChat } from './sharedHistory.mjs';
import { terms } from './texts.mjs';

const pageOf = (narrow) => ({
  anchor: 'newest',
  num_before: '20',
  num_after: '0',
  narrow: JSON.stringify(narrow),
  apply_markdown: 'false',
  client_gravatar: 'false',
});

/** Milliseconds. */
const limits = { newest: 1, newestOfAll: 10, unread: 50, search: 20 };

export async function measure({ long, scale, log }) {
  const history = await historyFor({ long, scale, log });
  return withChat(history, async (call) => {
    const rounds = long ? 500 : 200;
    const of = history.messages.toLocaleString('en');
    const figure = async (name, limit, run, count = rounds, percent = 50) => {
      const times = await timesOf(count, run);
      const others = `p50 ${percentile(times, 50).toFixed(2)}, p99 ${percentile(times, 99).toFixed(2)} ms of ${count}`;
      const reference = { name: 'limit', value: limit, kind: 'limit' };
      return { name, value: percentile(times, percent), unit: 'ms', reference, detail: others };
    };
    const page = async (narrow, email = all) => answerIn(await call('GET', '/messages', pageOf(narrow), credentialsOf(email)));
    const register = async (email) => {
      const types = JSON.stringify(['message', 'update_message_flags']);
      const parameters = { event_types: types, fetch_event_types: types, apply_markdown: 'false' };
      const answer = answerIn(await call('POST', '/register', parameters, credentialsOf(email)));
      answerIn(await call('DELETE', '/events', { queue_id: answer.queue_id }, credentialsOf(email)));
      return answer.unread_msgs;
    };
    const counts = [await register(all), await register(unreadAll)].map(({ count }) => count.toLocaleString('en'));

    return [
      await figure(`newest 20 of a stream, of ${of}, p50`, limits.newest, () => page([['stream', 'stream 250']])),
      await figure(`newest 20 of all ${streamCount} streams, p50`, limits.newestOfAll, () => page([])),
      await figure(`unread of ${streamCount} streams, ${counts[0]}, p50`, limits.unread, () => register(all), 20),
      await figure(
        `unread of ${streamCount} streams, ${counts[1]} (the maximum listed), p50`,
        limits.unread * 4,
        () => register(unreadAll),
        8,
      ),
      await figure(
        `search in all streams, ${terms.length} kinds of words in turn, p95`,
        limits.search,
        searchInTurn(page, all),
        terms.length * 20,
        95,
      ),
    ];
  });
}

function searchInTurn(page, email) {
  let turn = 0;
  return () => {
    const [, word] = terms[turn % terms.length];
    turn += 1;
    return page([['search', word]], email);
  };
}
