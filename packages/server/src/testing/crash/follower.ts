import { getEvents, registerQueue } from '@engawa/client';
import { type Member, insist } from './site.ts';
import { stream } from './writer.ts';

/** The state of a client that polls throughout, built from its events. */
export interface FollowedState {
  readonly messages: Map<number, { content: string; readonly reactions: Set<string> }>;
  readonly deleted: Set<number>;
  /** Messages that the member has read. */
  readonly read: Set<number>;
  events: number;
  cut: number;
}

export interface Follower {
  readonly member: Member;
  finish(): Promise<FollowedState>;
}

const event_types = ['message', 'update_message', 'delete_message', 'reaction', 'update_message_flags'] as const;

export async function follow(member: Member): Promise<Follower> {
  const { connection } = member;
  const narrow: [string, string][] = [['stream', stream]];
  const { queue_id, last_event_id } = await insist(() =>
    registerQueue(connection, { event_types: [...event_types], narrow, apply_markdown: false }),
  );
  const followed: FollowedState = { messages: new Map(), deleted: new Set(), read: new Set(), events: 0, cut: 0 };
  const finishing = new AbortController();
  let last = last_event_id;

  const poll = async (dont_block: boolean): Promise<number> => {
    const { signal } = finishing;
    const { events } = await insist((before) => {
      if (before === 1) followed.cut += 1;
      return getEvents(connection, { queue_id, last_event_id: last, dont_block }, dont_block ? {} : { signal });
    });
    for (const event of events) {
      if (event.type === 'heartbeat') continue;
      if (event.id <= last) throw new Error(`${member.name} heard ${event.id} after ${last}`);
      last = event.id;
      followed.events += 1;
      take(followed, event);
    }
    return events.length;
  };
  const following = (async () => {
    while (!finishing.signal.aborted) {
      try {
        await poll(false);
      } catch (error) {
        if (!finishing.signal.aborted) throw error;
      }
    }
  })();
  // Prevents an unhandled rejection; the failure is reported where `following` is awaited.
  following.catch(() => undefined);
  return {
    member,
    async finish() {
      finishing.abort(new Error('nobody waits any more'));
      await following;
      while ((await poll(true)) > 0);
      return followed;
    },
  };
}

type Event = Awaited<ReturnType<typeof getEvents>>['events'][number];

function take({ messages, deleted, read }: FollowedState, event: Event): void {
  switch (event.type) {
    case 'message': {
      const { id, content } = event.message;
      if (messages.has(id)) throw new Error(`the message ${id} was told of twice`);
      messages.set(id, { content, reactions: new Set() });
      if (event.flags.includes('read')) read.add(id);
      return;
    }
    case 'update_message': {
      const message = messages.get(event.message_id);
      if (message && event.content !== undefined) message.content = event.content;
      return;
    }
    case 'delete_message': {
      for (const id of event.message_ids ?? [event.message_id].flatMap((each) => each ?? [])) {
        messages.delete(id);
        deleted.add(id);
      }
      return;
    }
    case 'reaction': {
      const reactions = messages.get(event.message_id)?.reactions;
      const name = `${event.user_id} ${event.emoji_name}`;
      if (event.op === 'add') reactions?.add(name);
      else reactions?.delete(name);
      return;
    }
    case 'update_message_flags':
      if (event.flag !== 'read') return;
      for (const id of event.messages) {
        if (event.op === 'add') read.add(id);
        else read.delete(id);
      }
  }
}
