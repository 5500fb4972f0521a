import type { Capability } from '@engawa/protocol/product';
import type { RequestChat } from '../../backend.ts';
import { idsIn } from '../../callPath.ts';
import { answering } from './answer.ts';
import { archiveHandlers } from './archive.ts';
import { draftHandlers } from './drafts.ts';
import { eventHandler } from './events.ts';
import { type KeptDependencies, handlerDependencies } from './handlers.ts';
import { MessageHeaders } from './headers.ts';
import { registerHandler } from './register.ts';
import { settingsHandlers } from './settings.ts';
import { tombstoneHandlers } from './tombstones.ts';

/** What `keep` adds to a Zulip server. */
export const keptCapabilities: readonly Capability[] = ['put_away', 'include_deleted', 'draft_revisions', 'own_settings'];

/**
 * The calls of a Zulip server with what only the product stores, in the shape of the embedded chat server. Every other call is
 * passed on untouched.
 */
export function keep(request: RequestChat, kept: KeptDependencies): RequestChat {
  const dependencies = { ...handlerDependencies(request, kept), headers: new MessageHeaders() };
  const handlers = [
    ...draftHandlers(dependencies),
    ...settingsHandlers(dependencies),
    ...archiveHandlers(dependencies),
    ...tombstoneHandlers(dependencies),
    registerHandler(dependencies),
    eventHandler(dependencies),
  ];
  return async (call) => {
    // Zulip refuses a stranger itself.
    if (call.headers['authorization'] === undefined) return request(call);
    for (const { endpoint, handle } of handlers) {
      const ids = idsIn(call, endpoint);
      if (ids) return answering(kept.log, () => handle(call, ids));
    }
    return request(call);
  };
}
