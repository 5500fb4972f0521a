// The load of `releaseCheck.mjs`.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Four clients send one message after the other, as fast as the server answers, and one client with one queue waits for all of them. */
export function putLoad(address, authorization, email) {
  const acknowledged = new Set();
  const received = new Set();
  const end = new AbortController();
  let last = Date.now();
  let longestPause = 0;
  const call = async (path, form) => {
    const sent = form ? { method: 'POST', body: new URLSearchParams(form) } : {};
    const answer = await fetch(`${address}${path}`, { ...sent, headers: { authorization } });
    return { isDone: answer.status === 200, answer: await answer.json() };
  };
  const sendText = (content) => call('/api/v1/messages', { type: 'direct', to: JSON.stringify([email]), content });
  const client = async (step) => {
    while (!end.signal.aborted) {
      try {
        await step();
      } catch (error) {
        if (!(error instanceof TypeError && error.cause)) throw error;
        // The server is stopped for the upgrade; this call was not answered.
        await setTimeout(50);
      }
    }
  };
  let number = 0;
  const send = async () => {
    number += 1;
    const content = `message ${number}`;
    const { isDone } = await sendText(content);
    if (!isDone) return;
    acknowledged.add(content);
    longestPause = Math.max(longestPause, Date.now() - last);
    last = Date.now();
  };
  let queue;
  let registrations = 0;
  const receive = async () => {
    if (!queue) {
      const { isDone, answer } = await call('/api/v1/register', { event_types: '["message"]', apply_markdown: 'false' });
      if (!isDone) return;
      queue = { queue_id: answer.queue_id, last_event_id: answer.last_event_id };
      registrations += 1;
      // A new queue has no earlier messages, so a client fetches them.
      for (const text of await storedTexts(address, authorization)) received.add(text);
      return;
    }
    const { isDone, answer } = await call(`/api/v1/events?${new URLSearchParams(queue)}`);
    if (!isDone) {
      if (answer.code === 'BAD_EVENT_QUEUE_ID') queue = undefined;
      // While the server stops, it refuses polls, and the client asks again.
      return;
    }
    for (const { id, message } of answer.events) {
      queue = { queue_id: queue.queue_id, last_event_id: id };
      if (message) received.add(message.content);
    }
  };
  const clients = [client(receive), ...Array.from({ length: 4 }, () => client(send))];
  return {
    report() {
      const words = `${acknowledged.size} messages acknowledged, longest pause ${(longestPause / 1000).toFixed(1)} s`;
      longestPause = 0;
      return words;
    },
    async stop() {
      end.abort();
      // The poll of the receiving client ends with this message.
      await sendText('the end');
      await Promise.all(clients);
      while (!received.has('the end')) await receive();
      assert.ok(acknowledged.size > 100);
      return { acknowledged, received, registrations };
    },
  };
}

/** The texts of all messages. */
export async function storedTexts(address, authorization) {
  const texts = new Set();
  for (let anchor = 0; ;) {
    const query = new URLSearchParams({ anchor, num_before: 0, num_after: 1000, apply_markdown: false });
    const { messages, found_newest: isLast } = await (
      await fetch(`${address}/api/v1/messages?${query}`, { headers: { authorization } })
    ).json();
    for (const { content } of messages) texts.add(content);
    if (isLast) return texts;
    anchor = messages.at(-1).id + 1;
  }
}
