/** Ending the session of this browser on purpose. */
import { exchange, MalformedAnswerError, readReply } from '@engawa/client';
import { paths } from '@engawa/protocol/product';
import type { AskingProduct } from './productCall.ts';

/** Whoever waits for it looks at a screen that does nothing else. */
const timeoutMilliseconds = 10_000;
/** The server leads to the way in. A browser that is told not to follow shows nothing of where that is, but that it is. */
const led = [303, 0];

/** It is not given up with the page's other calls, which end with the session. @throws CallError. */
export async function signOut({ parts: { site, fetch, clock } }: Pick<AskingProduct, 'parts'>): Promise<void> {
  const call = `POST ${paths.logout}`;
  const init = { method: 'POST', credentials: 'same-origin', redirect: 'manual' } as const;
  const reply = await exchange({ call, url: site + paths.logout, init, fetch, clock, timeoutMilliseconds });
  if (led.includes(reply.status)) return;
  readReply(reply, clock);
  throw new MalformedAnswerError(reply.status, `${call}: the answer leads nowhere`);
}
