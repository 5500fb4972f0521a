import { exchange, MalformedAnswerError, readReply, type Connection } from '@engawa/client';
import { directoryPage, paths, type DirectoryEntry } from '@engawa/protocol/product';
import type { Environment } from '../environment.ts';

const timeoutMilliseconds = 30_000;

/**
 * The readings, titles and departments of all members, from all pages.
 * @throws CallError as calls of the chat API do; the signal's reason if it is aborted.
 */
export async function fetchDirectory(
  { site, fetch, clock }: Environment,
  { headers }: Connection,
  signal: AbortSignal,
): Promise<readonly DirectoryEntry[]> {
  const call = `GET ${paths.people}`;
  const people: DirectoryEntry[] = [];
  for (let next: number | null = 0; next !== null;) {
    const url: string = `${site}${paths.people}?after=${next}`;
    const init = { credentials: 'same-origin', headers } as const;
    const reply = await exchange({ call, url, init, fetch, clock, timeoutMilliseconds, signal });
    const page = directoryPage.safeParse(readReply(reply));
    if (!page.success) throw new MalformedAnswerError(reply.status, `${call}: the answer is no page of people`, page.error);
    people.push(...page.data.people);
    next = page.data.next;
  }
  return people;
}
