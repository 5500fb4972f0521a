import { type AnswerOut, type Endpoint, type Parameters, type ParametersIn, fetchApiKey } from '@engawa/protocol';
import { expect } from 'vitest';
import * as eg from '../testing/eg.ts';
import type { User } from './model/model.ts';

/** Who asks, and for the sake of which step. */
export interface Asking {
  readonly does: string;
  readonly member: number;
}

/** Each member's access to the server, and what came of it. */
export class Clients {
  readonly server: eg.Server;
  /** How often something happened. */
  readonly tally = new Map<string, number>();
  readonly #clients: Map<number, eg.Client>;

  constructor(server: eg.Server, users: Iterable<User>) {
    this.server = server;
    this.#clients = new Map([...users].map(({ id, email }) => [id, eg.signIn(server, email.replace(/@.*/, ''))]));
  }

  of(member: number): eg.Client {
    const client = this.#clients.get(member);
    if (!client) throw new TypeError(`${member} is not in the organisation`);
    return client;
  }

  /** The member goes on with a new key. */
  async signIn({ id, email }: User): Promise<void> {
    this.count('sign in');
    const { api_key } = await eg.visitor(this.server).ok(fetchApiKey, { username: email, password: eg.password });
    this.#clients.set(id, eg.withKey(this.server, email, api_key));
  }

  /** Makes a call that must be answered, or refused in these words. */
  async call<P extends Parameters, Answer extends Endpoint['answer']>(
    { does, member }: Asking,
    endpoint: Endpoint<P, Answer>,
    parameters: ParametersIn<Endpoint<P, Answer>>,
    refusal: string | undefined,
  ): Promise<AnswerOut<Endpoint<P, Answer>> | undefined> {
    if (refusal === undefined) {
      this.count(does);
      return this.of(member).ok(endpoint, parameters);
    }
    this.count(`${does} refused`);
    const { msg } = await this.of(member).refused(endpoint, parameters);
    expect(msg).toBe(refusal);
    return undefined;
  }

  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }
}
