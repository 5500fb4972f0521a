import { type AnswerOut, type Endpoint, type Parameters, type ParametersIn, fetchApiKey } from '@engawa/protocol';
import { expect } from 'vitest';
import * as eg from '../testing/eg.ts';
import type { User } from './model/model.ts';

/** The member who makes a call, and the action that it belongs to. */
export interface CallContext {
  readonly action: string;
  readonly member: number;
}

export class Clients {
  readonly server: eg.Server;
  readonly counts = new Map<string, number>();
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

  async signIn({ id, email }: User): Promise<void> {
    this.count('sign in');
    const { api_key } = await eg.visitor(this.server).ok(fetchApiKey, { username: email, password: eg.password });
    this.#clients.set(id, eg.withKey(this.server, email, api_key));
  }

  async call<P extends Parameters, Answer extends Endpoint['answer']>(
    { action, member }: CallContext,
    endpoint: Endpoint<P, Answer>,
    parameters: ParametersIn<Endpoint<P, Answer>>,
    refusal: string | undefined,
  ): Promise<AnswerOut<Endpoint<P, Answer>> | undefined> {
    if (refusal === undefined) {
      this.count(action);
      return this.of(member).ok(endpoint, parameters);
    }
    this.count(`${action} refused`);
    const { msg } = await this.of(member).refused(endpoint, parameters);
    expect(msg).toBe(refusal);
    return undefined;
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
