import { exchange, MalformedAnswerError, readReply } from '@engawa/client';
import { paths } from '@engawa/protocol/product';
import type { ProductCallDependencies } from './productCall.ts';

/** The member waits for it in front of a blocked screen. */
const timeoutMilliseconds = 10_000;
/** Statuses of the redirect to the sign-in page. A browser that does not follow it reports 0. */
const redirectStatuses = [303, 0];

/** Uses no signal, because the page's other calls end with the session. @throws CallError. */
export async function signOut({
  environment: { site, fetch, clock },
}: Pick<ProductCallDependencies, 'environment'>): Promise<void> {
  const call = `POST ${paths.logout}`;
  const init = { method: 'POST', credentials: 'same-origin', redirect: 'manual' } as const;
  const reply = await exchange({ call, url: site + paths.logout, init, fetch, clock, timeoutMilliseconds });
  if (redirectStatuses.includes(reply.status)) return;
  readReply(reply, clock);
  throw new MalformedAnswerError(reply.status, `${call}: the answer leads nowhere`);
}
