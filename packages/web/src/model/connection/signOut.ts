import { exchange, MalformedAnswerError, readReply } from '@engawa/client';
import { paths } from '@engawa/protocol/product';
import type { ProductCallDependencies } from './productCall.ts';

/** Short, because the member waits for it and cannot use the screen meanwhile. */
const timeoutMilliseconds = 10_000;
/** The server redirects to the sign-in page. A browser that does not follow the redirect reports the status 0. */
const redirectStatuses = [303, 0];

/** Has no abort signal, because the page's signals are aborted when the session ends. @throws CallError. */
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
