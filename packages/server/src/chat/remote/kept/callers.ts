import { createHash } from 'node:crypto';
import { getOwnUser } from '@engawa/protocol';
import { z } from 'zod';
import type { ChatCall, ChatReply, RequestChat } from '../../backend.ts';
import { needed, jsonOf } from './answer.ts';
import { asking } from './call.ts';

/** Milliseconds for which an answer about a key is used again, so that a draft that is being written costs few calls. */
const knownFor = 60_000;
const mostKnown = 10_000;
const ownUser = z.object({ user_id: z.int() });

/** Asks Zulip who makes a call that the product answers itself, so that a key that has ended opens nothing here either. */
export class Callers {
  readonly #request: RequestChat;
  readonly #now: () => number;
  /** By the hash of the authorization, the oldest answer first. */
  readonly #known = new Map<string, { readonly id: number; readonly since: number }>();

  constructor(request: RequestChat, now: () => number) {
    this.#request = request;
    this.#now = now;
  }

  /** @returns the member's id, or the answer of Zulip if that refuses the caller. */
  async identify(call: ChatCall): Promise<number | ChatReply> {
    const key = createHash('sha256').update(String(call.headers['authorization'])).digest('base64');
    const known = this.#known.get(key);
    if (known && this.#now() - known.since < knownFor) return known.id;
    this.#known.delete(key);
    const reply = await this.#request(asking(call, getOwnUser.path));
    const json = jsonOf(reply);
    if (reply.status !== 200) return reply;
    const { user_id: id } = needed(ownUser, json);
    this.#known.set(key, { id, since: this.#now() });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(oldest);
    }
    return id;
  }

  /** The member to whom Zulip has given an answer; undefined if Zulip refuses to say who it is. */
  async memberOf(call: ChatCall): Promise<number | undefined> {
    if (call.memberId !== undefined) return call.memberId;
    const caller = await this.identify(call);
    return typeof caller === 'number' ? caller : undefined;
  }
}
