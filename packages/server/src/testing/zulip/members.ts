import { randomBytes } from 'node:crypto';
import type { ChatServer } from '@engawa/chat-server';
import { basicAuthorization } from '../../chat/connections.ts';
import { Refusal, unauthorized } from './refusal.ts';

export interface Member {
  readonly id: number;
  /** The address for signing in and for Basic authorization. Answers to others show another one. */
  readonly address: string;
  /** Each member has one key. Signing in answers it again, and only regenerating replaces it. */
  key: string;
  /** The credentials that the chat server inside accepts. */
  readonly authorization: string;
}

export const newKey = (): string => randomBytes(16).toString('hex');

export class Members {
  readonly #chat: ChatServer;
  readonly #byAddress = new Map<string, Member>();
  readonly #byId = new Map<number, Member>();

  constructor(chat: ChatServer) {
    this.#chat = chat;
  }

  async add(id: number, address: string): Promise<Member> {
    const { apiKey, email } = await this.#chat.accounts.enter(id);
    const member = { id, address, key: newKey(), authorization: basicAuthorization(email, apiKey) };
    this.#byAddress.set(address.toLowerCase(), member);
    this.#byId.set(id, member);
    return member;
  }

  byAddress = (address: string): Member | undefined => this.#byAddress.get(address.toLowerCase());
  byId = (id: number): Member | undefined => this.#byId.get(id);

  /** @throws Refusal */
  of(authorization: string | undefined): Member {
    if (authorization === undefined) throw unauthorized('Not logged in: API authentication or user session required');
    const [scheme = '', encoded = ''] = authorization.split(' ');
    if (scheme.toLowerCase() !== 'basic') throw new Refusal('This endpoint requires HTTP basic authentication.');
    const [address, key, ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
    if (address === undefined || key === undefined || rest.length > 0) {
      throw unauthorized('Invalid authorization header for basic auth');
    }
    if (!/^[A-Za-z0-9]{32}$/.test(key)) throw unauthorized('Malformed API key');
    const member = this.byAddress(address);
    if (member?.key !== key) throw unauthorized('Invalid API key');
    if (this.#chat.accounts.of(member.id)?.isActive !== true) {
      throw new Refusal('Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' });
    }
    return member;
  }
}
