import { expect } from '@playwright/test';
import type { Product } from './server.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A member of the demo organisation who uses the chat API. */
export interface Author {
  /** @returns The message id. */
  send(stream: string, content: string): Promise<number>;
  edit(message: number, content: string): Promise<void>;
  delete(message: number): Promise<void>;
  /** A private stream; members are email addresses. */
  createStream(name: string, members: readonly string[]): Promise<void>;
  /** Members are email addresses. */
  createGroup(name: string, members: readonly string[]): Promise<void>;
  streamId(stream: string): Promise<number>;
  /** The member is an email address. */
  removeFromStream(name: string, member: string): Promise<void>;
}

export async function authorOf({ url }: Product, username: string): Promise<Author> {
  const call = async (method: Method, path: string, form: Readonly<Record<string, string>>, authorization = '') => {
    const parameters = new URLSearchParams(form);
    const address = `${url}/api/v1${path}${method === 'GET' ? `?${parameters}` : ''}`;
    const headers = { Authorization: authorization };
    const answer = await fetch(address, { method, headers, ...(method !== 'GET' && { body: parameters }) });
    expect(answer.status, `${method} ${path}: ${await answer.clone().text()}`).toBe(200);
    return answer.json();
  };
  const { api_key: key } = await call('POST', '/fetch_api_key', { username, password: 'demo' });
  const authorization = `Basic ${btoa(`${username}:${key}`)}`;
  return {
    async send(stream, content) {
      const form = { type: 'stream', to: stream, topic: 'stream events', content };
      const { id } = await call('POST', '/messages', form, authorization);
      return id;
    },
    async edit(message, content) {
      await call('PATCH', `/messages/${message}`, { content }, authorization);
    },
    async delete(message) {
      await call('DELETE', `/messages/${message}`, {}, authorization);
    },
    async createStream(name, members) {
      const form = { subscriptions: JSON.stringify([{ name }]), principals: JSON.stringify(members), invite_only: 'true' };
      await call('POST', '/users/me/subscriptions', form, authorization);
    },
    async createGroup(name, members) {
      const all: { members: { email: string; user_id: number }[] } = await call('GET', '/users', {}, authorization);
      const ids = all.members.filter(({ email }) => members.includes(email)).map(({ user_id }) => user_id);
      await call('POST', '/user_groups/create', { name, description: '', members: JSON.stringify(ids) }, authorization);
    },
    async streamId(stream) {
      const { stream_id: id } = await call('GET', '/get_stream_id', { stream }, authorization);
      return id;
    },
    async removeFromStream(name, member) {
      const form = { subscriptions: JSON.stringify([name]), principals: JSON.stringify([member]) };
      await call('DELETE', '/users/me/subscriptions', form, authorization);
    },
  };
}
