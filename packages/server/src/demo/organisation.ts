import { randomInt } from 'node:crypto';
import type { Organisation } from '@engawa/chat-server';
import { composeFileMessage, extensionOf, roles, defaultTopic, storedNameAlphabet, storedNameLength } from '@engawa/protocol';
import { type DemoDepartment, departments } from './departments.ts';
import { type DemoDirect, directs } from './directs.ts';
import { documentOf } from './documents/documents.ts';
import { type DemoMessage, history } from './history.ts';
import { addressOf, owner, people } from './people.ts';
import { avatarUrl, demoPassword } from './signIn.ts';
import { contentTypeOf } from '../storage/contentType.ts';
import { imageSizeOf } from '../storage/imageSize.ts';
import { streams, subscribers } from './streams.ts';
import { unread } from './unread.ts';

export interface SentFile {
  readonly storedName: string;
  readonly name: string;
  readonly content: Buffer;
  readonly sender: string;
}

export interface DemoOrganisation {
  readonly organisation: Organisation;
  readonly files: readonly SentFile[];
}

const daySeconds = 24 * 60 * 60;

/** @param now milliseconds since 1970: the end of the demo history. */
export function demoOrganisation(now: number): DemoOrganisation {
  const messages = history(new Date(now)).map(withFile);
  const founded = Math.floor(now / 1000) - 400 * daySeconds;
  return {
    organisation: {
      name: departments[0]?.displayName ?? '',
      description: 'Engawa をためすための、架空の会社です。',
      users: people.map((person) => ({
        email: person.email,
        full_name: person.name,
        role: roles[person.role],
        timezone: 'Asia/Tokyo',
        avatar_url: avatarUrl(person),
        password: demoPassword,
        date_joined: founded,
      })),
      streams: [...subscribers].map(([name, emails]) => ({
        name,
        description: descriptions.get(name) ?? '',
        creator: owner,
        subscribers: emails,
        invite_only: true,
        history_public_to_subscribers: true,
        created: founded,
      })),
      messages: messages.map(({ stream, from, at, text, deleted = false }) => ({
        sender: from,
        stream,
        topic: defaultTopic,
        content: text,
        timestamp: Math.floor(at.getTime() / 1000),
        deleted,
      })),
      unread,
      directs: directs.map((direct) => directAt(direct, now)),
    },
    files: messages.flatMap(({ sent, from }) => (sent ? [{ ...sent, sender: from }] : [])),
  };
}

function directAt({ between, said, unread: left = {} }: DemoDirect, now: number) {
  return {
    participants: between.map(addressOf),
    messages: said.map(([minutesAgo, who, content]) => {
      return { sender: addressOf(who), content, timestamp: Math.floor(now / 1000) - minutesAgo * 60 };
    }),
    unread: Object.entries(left).map(([who, count]) => ({ email: addressOf(who), count })),
  };
}

type MessageWithFile = DemoMessage & { readonly sent?: Pick<SentFile, 'storedName' | 'name' | 'content'> };

function withFile(message: DemoMessage): MessageWithFile {
  if (!message.file) return message;
  const name = message.file;
  const content = documentOf(name);
  const storedName = generateStoredName(name);
  return {
    ...message,
    text: composeFileMessage({ name, storedName, size: content.length, picture: imageSizeOf(content, contentTypeOf(content)) }),
    sent: { storedName, name, content },
  };
}

function generateStoredName(name: string): string {
  return Array.from({ length: storedNameLength }, randomLetter).join('') + extensionOf(name);
}

function randomLetter(): string {
  return storedNameAlphabet.charAt(randomInt(storedNameAlphabet.length));
}

const descriptions: ReadonlyMap<string, string> = new Map([
  ...flat(departments).map(({ displayName }) => [displayName, `${displayName}のストリームです。`] as const),
  ...streams.map(({ name, description }) => [name, description] as const),
]);

function flat(nodes: readonly DemoDepartment[]): DemoDepartment[] {
  return nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
}
