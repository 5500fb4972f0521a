import type { Session } from '@engawa/protocol/product';
import type { CallCommands } from './calls/ownCall.ts';
import type { Drafts } from './drafts/drafts.ts';
import type { OnDemand } from './onDemand.ts';
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
  readonly drafts: Drafts;
  readonly calls: OnDemand<CallCommands>;
  /** Whether this tab is the one that polls the server, for all tabs of the browser. */
  polls(): boolean;
  /** Registers, loads streams and departments, opens the linked or the first stream, and then receives events. */
  start(link?: ConversationLink): void;
  stop(): Promise<void>;
  /** Stops all calls, because the browser's session has ended or belongs to another member. The screen stays. */
  signOut(): void;
  reloadDepartments(): void;
  /** Sends text and file as two messages, text first (R2.13). Returns at once; the timeline shows their progress. */
  send(conversation: ConversationKey, draft: { readonly text: string; readonly file: File | undefined }): void;
  retry(localKey: string): void;
  discard(localKey: string): { readonly text: string; readonly file: File | undefined } | undefined;
  /**
   * Removes a file that is being sent and aborts its upload. Returns how to send it after all; undefined if it is too late,
   * because the server is creating its message.
   */
  cancel(localKey: string): (() => void) | undefined;
  /** Called when the reader comes to the end of the open conversation and the window has the focus. */
  resumeReading(conversation: ConversationKey): void;
  /** Called when the reader sees messages arrive at the end of the open conversation. */
  markRead(conversation: ConversationKey): void;
  /** Called when messages of the open conversation were on the screen while the reader scrolled to the newest. */
  markShown(conversation: ConversationKey, messageIds: readonly number[]): void;
}
