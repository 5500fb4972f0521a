import { exchange, readReply, systemClock } from '@engawa/client';
import { regenerateApiKey } from '@engawa/protocol';
import type { ChatBackend, RequestChat, ServedPictures } from '../backend.ts';
import { connectionsTo, fetchFrom, withKey } from '../connections.ts';

/** Milliseconds. */
const patience = 30_000;

export interface OwnAccountCalls {
  readonly pictures: ServedPictures;
  readonly renew: NonNullable<ChatBackend['keys']['renew']>;
}

/** Calls about a member's account at Zulip that clients of the product cannot make themselves. */
export function ownAccountCalls(ask: RequestChat): OwnAccountCalls {
  const call = async (authorization: string, method: string, path: string, body?: FormData): Promise<unknown> => {
    const fetch = fetchFrom(ask, authorization);
    const url = `http://chat.invalid/api/v1${path}`;
    const init = { method, ...(body && { body }) };
    const reply = await exchange({
      call: `${method} ${path}`,
      url,
      init,
      fetch,
      clock: systemClock,
      timeoutMilliseconds: patience,
    });
    return readReply(reply);
  };
  return {
    pictures: {
      storedBy: 'chat server',
      async set({ authorization }, image) {
        if (!image) return void (await call(authorization, 'DELETE', '/users/me/avatar'));
        const form = new FormData();
        const name = `picture.${image.type.replace(/^.*\//, '')}`;
        form.append('file', new Blob([Uint8Array.from(image.content)], { type: image.type }), name);
        await call(authorization, 'POST', '/users/me/avatar', form);
      },
    },
    async renew(authorization) {
      const { api_key: key } = await connectionsTo(ask)(authorization).call(regenerateApiKey, {});
      return withKey(authorization, key);
    },
  };
}
