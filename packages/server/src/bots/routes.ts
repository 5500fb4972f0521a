import { paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import type { Directory } from '../chat/backend.ts';
import { refused } from '../http/errors.ts';
import { pictureRoute } from '../pictures/pictureRoute.ts';
import type { Pictures } from '../pictures/pictures.ts';
import { avatars } from '../profile/store.ts';
import type { Gate } from '../sessions/member.ts';

export interface BotPictureDependencies extends Pick<Pictures, 'database' | 'storage'> {
  readonly chat: Pick<Directory, 'administersBot' | 'setBotPicture'>;
  readonly gate: Pick<Gate, 'member'>;
}

/** The picture of a bot is stored and loaded like that of a member. Its owner and administrators set it. */
export function botPictureRoute(app: FastifyInstance, dependencies: BotPictureDependencies): void {
  const { chat } = dependencies;
  pictureRoute(app, {
    ...dependencies,
    rows: avatars,
    url: `${paths.bots}:bot/picture`,
    mayChange: chat.administersBot,
    async announce(memberId, botId, version) {
      const avatar_url = version === undefined ? null : `${paths.avatars}${botId}/${version}`;
      return (await chat.setBotPicture(memberId, botId, avatar_url)) ? { avatar_url } : undefined;
    },
    refusal: refused.noSuchBot,
  });
}
