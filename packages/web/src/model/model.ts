import type { Session } from '@engawa/protocol/product';
import type { PeopleCommands } from './people/commands.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';
import type { StreamCommands } from './streams/commands.ts';
import type { ConversationKey } from './streams/conversation.ts';
import type { TimelineCommands } from './timeline/commands.ts';
import type { ConversationLink } from './timeline/state.ts';
import type { Arrivals } from './unread/arrivals.ts';
import type { UnreadCommands } from './unread/commands.ts';

/** The state of the client and every command that changes it. A command returns its failure, if any. */
export interface Model
  extends
    Pick<Store<State>, 'state' | 'subscribe' | 'watch'>,
    Pick<Arrivals, 'onArrival'>,
    PeopleCommands,
    StreamCommands,
    UnreadCommands,
    TimelineCommands {
  readonly session: Session;
  /** Whether this tab is the one that polls the server, for all tabs of the browser. */
  polls(): boolean;
  /** Registers, loads streams and departments, opens the first stream (or the link), and then follows the server's events. */
  start(link?: ConversationLink): void;
  stop(): Promise<void>;
  /** Ends all calls because the session is no longer the member's; the screen stays. */
  signOut(): void;
  reloadDepartments(): void;
  /** Text and file are two messages, text first (R2.13). Returns at once; the timeline shows their progress. */
  send(conversation: ConversationKey, draft: { readonly text: string; readonly file: File | undefined }): void;
  retry(localKey: string): void;
  discard(localKey: string): { readonly text: string; readonly file: File | undefined } | undefined;
  /**
   * Removes a file that is being sent and aborts its upload. Returns how to send it after all; undefined if its message is being
   * created already.
   */
  cancel(localKey: string): (() => void) | undefined;
  /** The reader has reached the newest messages of the open conversation: the window has the focus, the list is at its end. */
  resumeReading(conversation: ConversationKey): void;
  /** The reader sees the newest messages of the open conversation arrive. */
  markRead(conversation: ConversationKey): void;
  /** The reader has seen these messages of the open conversation on the way to the newest. */
  markShown(conversation: ConversationKey, messageIds: readonly number[]): void;
}
