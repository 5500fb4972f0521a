import assert from 'node:assert/strict';
import { getMessages, getOwnUser, registerQueue } from '@engawa/client';
import { parseFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import type { FollowedState } from './follower.ts';
import type { Member, Site } from './site.ts';
import { type Ledger, stream } from './writer.ts';

type Message = Awaited<ReturnType<typeof getMessages>>['messages'][number];

export interface WriterResult {
  readonly member: Member;
  readonly ledger: Ledger;
  readonly followed: FollowedState;
}

/** @param reader polls too but writes nothing. @throws AssertionError naming what was lost, duplicated or changed. */
export async function judge(
  site: Site,
  topic: string,
  witnesses: readonly WriterResult[],
  reader: Omit<WriterResult, 'ledger'>,
): Promise<void> {
  const stored = await messagesIn(reader.member, topic);
  const standing = new Map(stored.filter(({ deleted }) => !deleted).map((message) => [message.id, message]));
  assertOnce(stored);

  const claimed = new Set<number>();
  for (const { member, ledger } of witnesses) {
    for (const [id, content] of ledger.messages) {
      claimed.add(id);
      assert.equal(
        standing.get(id)?.content ?? null,
        content,
        `the message ${id} of ${member.name} is not as it was acknowledged`,
      );
    }
  }
  const uncertain = new Set(witnesses.flatMap(({ ledger }) => [...ledger.uncertain]));
  for (const { id, content } of standing.values()) {
    assert.ok(claimed.has(id) || uncertain.has(content), `nobody sent the message ${id}: ${content}`);
  }

  for (const { member, followed } of [...witnesses, reader]) {
    // A message that was deleted before its delivery is not delivered, and neither is its deletion.
    assert.deepEqual(told(followed), shown(standing.values()), `${member.name}, who polled through, sees something else`);
  }
  for (const { member, ledger, followed } of witnesses) {
    await assertReactions(member, ledger, standing);
    await assertRead(member, ledger, followed, topic);
    for (const [storedName, content] of ledger.files) {
      const message = [...standing.values()].find((each) => parseFileMessage(each.content)?.storedName === storedName);
      // Skipped if the file's message was edited or deleted meanwhile, because then nobody can load the file.
      if (!message) continue;
      const answer = await site.fetch(`http://engawa.invalid${paths.storage}${storedName}?message=${message.id}`, {
        headers: { authorization: reader.member.authorization },
      });
      assert.equal(await answer.text(), content, `the file ${storedName} is not as it was uploaded`);
    }
  }
}

async function messagesIn({ connection }: Member, topic: string): Promise<readonly Message[]> {
  const narrow = [
    { operator: 'stream', operand: stream },
    { operator: 'topic', operand: topic },
  ];
  const found: Message[] = [];
  for (let anchor = 'oldest', isOver = false; !isOver;) {
    const page = await getMessages(connection, {
      anchor,
      include_anchor: anchor === 'oldest',
      num_before: 0,
      num_after: 1000,
      apply_markdown: false,
      include_deleted: true,
      narrow,
    });
    found.push(...page.messages);
    anchor = String(page.messages.at(-1)?.id ?? anchor);
    isOver = page.found_newest;
  }
  return found;
}

function assertOnce(stored: readonly Message[]): void {
  const contents = new Map<string, number>();
  for (const { id, content, deleted } of stored) {
    if (deleted) continue;
    const other = contents.get(content);
    assert.equal(other, undefined, `what was sent once is there twice, as ${other} and ${id}: ${content}`);
    contents.set(content, id);
  }
}

function told({ messages }: FollowedState): readonly string[] {
  return [...messages]
    .toSorted(([one], [other]) => one - other)
    .map(([id, { content, reactions }]) => `${id} ${content} ${[...reactions].toSorted().join()}`);
}

function shown(messages: Iterable<Message>): readonly string[] {
  return [...messages].map(({ id, content, reactions }) => {
    const names = reactions.map(({ user_id, emoji_name }) => `${user_id} ${emoji_name}`);
    return `${id} ${content} ${names.toSorted().join()}`;
  });
}

async function assertReactions(
  { connection, name }: Member,
  ledger: Ledger,
  standing: ReadonlyMap<number, Message>,
): Promise<void> {
  const { user_id: userId } = await getOwnUser(connection, {});
  for (const [key, isThere] of ledger.reactions) {
    const [id = '', emoji] = key.split(' ');
    const message = standing.get(Number(id));
    if (!message) continue;
    const found = message.reactions.some((each) => each.user_id === userId && each.emoji_name === emoji);
    assert.equal(found, isThere, `the reaction of ${name} to ${key} is not as it was acknowledged`);
  }
}

/** Messages marked as read stay read, were delivered to the member's clients, and are not counted as unread. */
async function assertRead(member: Member, ledger: Ledger, followed: FollowedState, topic: string): Promise<void> {
  const own = (await messagesIn(member, topic)).filter(({ deleted }) => !deleted);
  const standing = new Set(own.map(({ id }) => id));
  const flagged = new Set(own.filter(({ flags }) => flags?.includes('read')).map(({ id }) => id));
  for (const id of ledger.read) {
    if (!standing.has(id)) continue;
    assert.ok(flagged.has(id), `${member.name} has read ${id}, which is unread`);
    assert.ok(followed.read.has(id), `the clients of ${member.name} were not told that ${id} is read`);
  }
  const { unread_msgs: unread } = await registerQueue(member.connection, { event_types: ['message', 'update_message_flags'] });
  const counted = new Set(unread?.streams.flatMap(({ unread_message_ids: ids }) => ids) ?? []);
  const listed = own.map(({ id }) => id).filter((id) => counted.has(id));
  const left = own.map(({ id }) => id).filter((id) => !flagged.has(id));
  assert.deepEqual(listed, left, `what counts as unread for ${member.name} is not what is unread`);
}
