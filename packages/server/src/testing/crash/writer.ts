import { randomUUID } from 'node:crypto';
import type { Random } from '@engawa/chat-server/testing/random';
import {
  ApiError,
  NetworkError,
  addReaction,
  addressStream,
  deleteMessage,
  editMessage,
  removeReaction,
  sendMessage,
  updateMessageFlags,
} from '@engawa/client';
import { composeFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { type Member, type Site, insist } from './site.ts';

export const stream = 'プロダクト開発部';

export interface Ledger {
  /** Messages by id as last acknowledged; null for deleted ones. */
  readonly messages: Map<number, string | null>;
  /** Messages that were sent without a client message id and whose response was lost: each is stored once or not at all. */
  readonly uncertain: Set<string>;
  /** Whether the writer reacts to a message, by `id emoji`. */
  readonly reactions: Map<string, boolean>;
  readonly read: Set<number>;
  readonly files: Map<string, string>;
  lost: number;
}

const emptyLedger = (): Ledger => ({
  messages: new Map(),
  uncertain: new Set(),
  reactions: new Map(),
  read: new Set(),
  files: new Map(),
  lost: 0,
});

const emoji = ['tea', 'heart', 'smile'] as const;

export interface Writing {
  readonly site: Site;
  readonly member: Member;
  readonly topic: string;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly known: readonly number[];
  readonly note: (id: number) => void;
}

/** Sends, edits, deletes, reacts, reads and uploads until it is aborted, repeating each until it is acknowledged. */
export async function write({ site, member, topic, random, signal, known, note }: Writing): Promise<Ledger> {
  const { connection, name } = member;
  const ledger = emptyLedger();
  const own = () => [...ledger.messages].flatMap(([id, content]) => (content === null ? [] : [id])).slice(-10);
  const addressed = (content: string) => ({ type: 'stream', to: addressStream(stream), topic, content }) as const;
  const asked = <Answer>(attempt: (before: number) => Promise<Answer>) =>
    insist((before) => {
      if (before === 1) ledger.lost += 1;
      return attempt(before);
    });
  const sent = (id: number, content: string) => {
    if (ledger.messages.has(id)) throw new Error(`two messages of ${name} have the id ${id}`);
    ledger.messages.set(id, content);
    note(id);
  };

  /** With a client id a message is sent once, however often it is repeated. */
  const send = async (content: string) => {
    const message = { ...addressed(content), client_message_id: randomUUID() };
    const { id } = await asked(() => sendMessage(connection, message));
    sent(id, content);
    if (!random.chance(0.2)) return;
    const again = await asked(() => sendMessage(connection, message));
    if (again.id !== id) throw new Error(`what was sent as ${id} became ${again.id} when it was sent again`);
  };
  const sendOnce = async (content: string) => {
    try {
      sent((await sendMessage(connection, addressed(content))).id, content);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      ledger.lost += 1;
      ledger.uncertain.add(content);
    }
  };
  const correct = async (message_id: number, content: string) => {
    await asked(() => editMessage(connection, { message_id, content }));
    ledger.messages.set(message_id, content);
  };
  const remove = async (message_id: number) => {
    // The first deletion may have succeeded although its answer was lost.
    await asked((before) => deleteMessage(connection, { message_id }).catch((error: unknown) => refusedAgain(error, before)));
    ledger.messages.set(message_id, null);
  };
  const react = async (message_id: number, emoji_name: string) => {
    const key = `${message_id} ${emoji_name}`;
    const isThere = ledger.reactions.get(key) === true;
    const change = isThere ? removeReaction : addReaction;
    try {
      await asked((before) =>
        change(connection, { message_id, emoji_name }).catch((error: unknown) => refusedAgain(error, before)),
      );
      ledger.reactions.set(key, !isThere);
    } catch (error) {
      // Ignored: the message's writer may have deleted it meanwhile.
      if (!(error instanceof ApiError)) throw error;
      ledger.reactions.delete(key);
    }
  };
  const read = async (messages: readonly number[]) => {
    await asked(() => updateMessageFlags(connection, { messages: [...messages], op: 'add', flag: 'read' }));
    for (const id of messages) ledger.read.add(id);
  };
  const upload = async (content: string) => {
    const storedName = `${randomUUID().replaceAll('-', '').slice(0, 20)}.txt`;
    const form = new FormData();
    form.append('file', new File([content], '議事録.txt'));
    form.append('dstFileName', storedName);
    try {
      const answer = await site.fetch(`http://engawa.invalid${paths.upload}`, {
        method: 'POST',
        body: form,
        headers: { authorization: member.authorization },
      });
      if (answer.status !== 200) throw new Error(`the upload was answered with ${answer.status}`);
    } catch (error) {
      // A TypeError means no answer: the file may be stored or not, and no message with it is sent.
      if (!(error instanceof TypeError)) throw error;
      ledger.lost += 1;
      return;
    }
    await send(composeFileMessage({ name: '議事録.txt', storedName, size: Buffer.byteLength(content) }));
    ledger.files.set(storedName, content);
  };

  for (let count = 1; !signal.aborted; count += 1) {
    const content = `${name} ${topic} ${count}`;
    const [chosen] = own().length > 0 ? [random.pick(own())] : [];
    const act = random.below(100);
    if (act < 35 || chosen === undefined) await send(content);
    else if (act < 50) await sendOnce(content);
    else if (act < 62) await correct(chosen, `${content}、訂正`);
    else if (act < 68) await remove(chosen);
    else if (act < 84) await react(random.pick(known.slice(-20)), random.pick(emoji));
    else if (act < 96) await read(random.some(known.slice(-20), 0.5).concat(chosen));
    else await upload(`${content}\n`.repeat(200));
  }
  return ledger;
}

/** A repeated call whose first answer was lost is refused, which proves that it succeeded. */
function refusedAgain(error: unknown, before: number): void {
  if (!(error instanceof ApiError) || before === 0) throw error;
}
