import { type HistoryEntry, getMessageHistory } from '@engawa/protocol';
import { type Route, memberRoute } from '../http/router.ts';
import { Visibility } from '../privacy/visibility.ts';
import { readableMessage } from './access.ts';
import type { MessageDependencies } from './dependencies.ts';
import { type EditRow, edits } from './edits.ts';
import { htmlRenderer } from './htmlRenderer.ts';
import type { MessageRow } from './store.ts';

export function historyRoute({ database, groups }: Pick<MessageDependencies, 'database' | 'groups'>): Route {
  return memberRoute(getMessageHistory, ({ message_id }, { member }) =>
    database.snapshot((reader) => {
      const message = readableMessage(reader, member, message_id);
      const html = htmlRenderer(reader, new Visibility(reader, groups), member);
      const stateOf = (topic: string, content: string) => ({
        topic,
        content,
        rendered_content: html({ content, client: message.client }),
      });
      return { message_history: historyOf(message, edits.of(reader, message.id), stateOf) };
    }),
  );
}

type State = Pick<HistoryEntry, 'topic' | 'content' | 'rendered_content'>;

/** @param rows the edits, the newest first. */
function historyOf(
  message: MessageRow,
  rows: readonly EditRow[],
  stateOf: (topic: string, content: string) => State,
): HistoryEntry[] {
  let state: State = stateOf(message.topic, message.content);
  const entries: HistoryEntry[] = [];
  for (const { user_id, timestamp, prev_content, prev_topic } of rows) {
    const before: State = {
      ...(prev_content === null ? state : stateOf(state.topic, prev_content)),
      ...(prev_topic === null ? {} : { topic: prev_topic }),
    };
    entries.push({
      ...state,
      user_id,
      timestamp,
      ...(prev_content === null ? {} : { prev_content: before.content, prev_rendered_content: before.rendered_content }),
      ...(prev_topic === null ? {} : { prev_topic }),
    });
    state = before;
  }
  entries.push({ ...state, user_id: message.sender_id, timestamp: message.timestamp });
  return entries.toReversed();
}
