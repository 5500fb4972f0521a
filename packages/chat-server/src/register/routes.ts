import { type ParametersOut, decodeParameters, registerQueue } from '@engawa/protocol';
import { defaultsView } from '../bots/view.ts';
import type { Clock } from '../clock.ts';
import { entersPublicStreams } from '../conversations/access.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import type { QueueOptions, Queues } from '../events/queues.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { bots } from '../identity/bots.ts';
import { memberNow } from '../identity/currentMember.ts';
import type { Groups } from '../identity/groups.ts';
import { type Member, roleOf } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import { queueNarrow } from '../messages/queueNarrow.ts';
import { messages } from '../messages/store.ts';
import type { Presence } from '../presence/presence.ts';
import { SharedUnread } from '../reading/unread.ts';
import type { RealmHost } from '../realm/view.ts';
import { inTurns } from '../turns.ts';
import { GroupLists } from '../userGroups/view.ts';
import { UserLists } from '../users/lists.ts';
import { initialState } from './initialState.ts';

export interface RegisterDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly queues: Queues;
  readonly presence: Presence;
  readonly groups: Groups;
  readonly clock: Clock;
  readonly host: RealmHost;
}

interface Register {
  readonly route: Route;
  /**
   * Makes the state of the newest message's sender and discards it. The first registrations after a start would otherwise wait until
   * the list of users is serialised, the statements are prepared and the code is compiled.
   */
  warmUp(): Promise<void>;
}

export function createRegister({ database, log, queues, presence, groups, clock, host }: RegisterDependencies): Register {
  const userLists = new UserLists(groups);
  const sharedUnread = new SharedUnread();
  const groupLists = new GroupLists();
  const sources = () => ({ presence, groups, userLists, sharedUnread, host, groupLists, now: clock.now() / 1000 });
  const route = memberRoute(registerQueue, async (asked, { member, takeTurns }) => {
    const request = withBotDefaults(database.reader, member, asked);
    if (request.all_public_streams && !entersPublicStreams(member)) throw refused.queryNotPermitted();
    const queue = await queues.register(member, optionsOf(request), request.queue_lifespan_secs);
    // One snapshot has both the state and the cursor, so that no change is missing or comes twice.
    return takeTurns(() =>
      database.longSnapshot(function* (reader) {
        // A change of the role or a deactivation after `register` above has ended the queue.
        const { role } = memberNow(reader, queue.member);
        if (role !== queue.member.role) throw refused.badEventQueue(queue.id);
        return {
          queue_id: queue.id,
          last_event_id: log.bounds(reader).newest,
          ...(yield* initialState(reader, queue.member, request, sources())),
        };
      }),
    );
  });
  const allParts = decodeParameters(registerQueue, () => undefined);
  return {
    route,
    async warmUp() {
      const steps = database.longSnapshot(function* (reader) {
        const user = users.byId(reader, messages.newestSender(reader) ?? 0);
        if (!user?.is_active) return;
        const member = { id: user.id, email: user.email, role: roleOf(user), keyId: 0, botType: null, ownerId: null };
        yield* initialState(reader, member, allParts, sources());
      });
      await inTurns(steps);
    },
  };
}

type Request = ParametersOut<typeof registerQueue>;

/** A bot that names no narrow gets that of its defaults. */
function withBotDefaults(reader: Reader, { id, ownerId }: Member, request: Request): Request {
  const bot = ownerId === null ? undefined : bots.byId(reader, id);
  if (!bot) return request;
  const { default_all_public_streams: all, default_events_register_stream: operand } = defaultsView(reader, bot);
  const narrow =
    request.narrow.length > 0 || operand === null ? request.narrow : [{ operator: 'stream', operand, negated: false }];
  return { ...request, all_public_streams: request.all_public_streams || all, narrow };
}

function optionsOf({
  event_types,
  apply_markdown,
  all_public_streams,
  slim_presence,
  client_capabilities: capabilities,
  ...request
}: Request): QueueOptions {
  const narrow = queueNarrow(request.narrow);
  return {
    event_types,
    apply_markdown,
    narrow,
    // A narrow may name a public stream to which the member is not subscribed, so such messages are needed too.
    all_public_streams: all_public_streams || narrow.length > 0,
    bulk_message_deletion: capabilities['bulk_message_deletion'] ?? false,
    stream_typing_notifications: capabilities['stream_typing_notifications'] ?? false,
    notification_settings_null: capabilities['notification_settings_null'] ?? false,
    simplified_presence_events: capabilities['simplified_presence_events'] ?? false,
    linkifier_url_template: capabilities['linkifier_url_template'] ?? false,
    include_deactivated_groups: capabilities['include_deactivated_groups'] ?? false,
    slim_presence,
  };
}
