import { getMessage } from '@engawa/protocol';
import { type Route, memberRoute } from '../http/router.ts';
import { flagsSeenBy } from '../reading/unread.ts';
import { Visibility } from '../privacy/visibility.ts';
import { readableMessage } from './access.ts';
import type { MessageDependencies } from './dependencies.ts';
import { messageViews } from './view.ts';

export function singleRoute({ database, groups }: MessageDependencies): Route {
  return memberRoute(getMessage, ({ message_id, apply_markdown }, { member }) =>
    database.snapshot((reader) => {
      const message = readableMessage(reader, member, message_id);
      const flags = flagsSeenBy(reader, member.id)(message);
      return {
        message: { ...messageViews(reader, new Visibility(reader, groups), member)(message, apply_markdown), flags },
        raw_content: message.content,
      };
    }),
  );
}
