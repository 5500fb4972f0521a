import type { Readable } from 'node:stream';
import type {
  Account,
  ChatRequest,
  ChatServer,
  GuestSight,
  Measures,
  Overview,
  OverviewRequest,
  PlannedName,
  Reorganisation,
  Reorganised,
} from '@engawa/chat-server';
import type { CallConversation, DirectoryChange, MessageCall, Role } from '@engawa/protocol';
import type { Capability } from '@engawa/protocol/product';
import type { Steps } from '@engawa/chat-server/parts';

export { NotEmptyError } from '@engawa/chat-server';
export type {
  Account,
  Accounts,
  Bindings,
  BoundStreamChange,
  Waiter,
  GuestSight,
  Groups,
  NewPerson,
  NextHooked,
  Overview,
  OverviewRequest,
  PasswordCost,
  Person,
  PersonChange,
  RealmSettings,
  Reorganisation,
  Reorganised,
  UserSummary,
} from '@engawa/chat-server';

/** One call of the chat API. */
export interface ChatCall extends ChatRequest {
  /** The member of the session that the call came with; undefined if it came with Basic authentication, or without any. */
  readonly memberId?: number | undefined;
}

export interface ChatReply {
  readonly status: number;
  /** Without Content-Length, which is added when the body is sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Bytes that follow `body`, if the call takes them. */
  readonly rest?: readonly Uint8Array[];
  readonly memberId?: number | undefined;
  /** If true, the `waiter` of the call receives the answer later, and this one is empty. */
  readonly waits?: true;
}

export type RequestChat = (call: ChatCall) => Promise<ChatReply>;

/** The member in whose name the chat server is asked. */
export interface Asker {
  readonly id: number;
  readonly authorization: string;
}

/** A member by id, whose role decides, or the operator, who changes the organisation. */
export type Actor = number | 'console';

/** A message that carries a file, with what proves it. */
export interface FileMessage {
  readonly id: number;
  readonly sender_id: number;
  readonly content: string;
}

export interface SentFileMessage extends FileMessage {
  /** Unix seconds. Undefined in front of a Zulip, because the product does not store it. */
  readonly timestamp?: number;
}

/**
 * The chat server behind the product. All other code of the product uses only this interface. `embedded.ts` implements it with our
 * chat server, `remote` with a Zulip server of the organisation.
 */
export interface ChatBackend {
  /** Aborting its signal aborts the call. */
  readonly request: RequestChat;
  /** Its abilities. The screens read these, and never ask which server it is. */
  capabilities(): Promise<readonly Capability[]>;
  /** The users and streams that exist for a guest; undefined: all. Nothing exists for an inactive user. */
  sightOf(asker: Asker & { readonly role: Role }): Promise<GuestSight | undefined>;
  readonly keys: SessionKeys;
  readonly sentFiles: SentFiles;
  readonly conversations: Conversations;
  readonly pictures: MemberPictures;
  /** Files outside the chat API, by the paths that messages and pictures name; undefined if there are none. */
  readonly openFile: ((request: FileRequest) => Promise<OpenedFile>) | undefined;
  /** @throws RefusedError if nothing may be done in the name of this actor. */
  directoryAs(actor: Actor | Asker): Promise<OrganisationDirectory>;
  /** People, their passwords and the streams of departments, if the product manages them itself. */
  readonly directory: Directory | undefined;
  /** The bots of hooks; undefined if the chat server manages hooks itself. */
  readonly hooks: ChatServer['hooks'] | undefined;
  /** The messages for outgoing hooks. A chat server that posts itself has none. */
  readonly outgoingHooks: ChatServer['outgoingHooks'] | undefined;
  /** Undefined if another process has the messages. */
  readonly measure: (() => Measures) | undefined;
  /** Prepares what the first calls need, while calls are served. */
  warmUp(): Promise<void>;
  /** @throws if it cannot serve now. */
  probe(): Promise<void>;
  /** Answers the waiting polls, so that clients reconnect soon. Other calls work until `close`. */
  stopPolls(): void;
  close(): Promise<void>;
}

interface FileRequest {
  readonly method: 'GET' | 'HEAD';
  /** Without a query. */
  readonly path: string;
  readonly authorization: string;
  readonly headers: ChatRequest['headers'];
  readonly signal: AbortSignal;
}

export interface OpenedFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream that must be read or destroyed; the JSON of an error as bytes. */
  readonly body: Readable | Uint8Array;
}

/** The API keys that the sessions of browsers use. */
interface SessionKeys {
  /** The member's current account; undefined if only the member can be asked. */
  accountOf(userId: number): Account | undefined;
  /** Undefined if the server does not number its keys. */
  keyId(apiKey: string): number | undefined;
  end(userId: number, keyIds: readonly number[]): Promise<unknown>;
  /**
   * Replaces the member's only key, which ends all their sessions and programs. @returns the new authorization. Undefined if each
   * session has a key. @throws ApiError
   */
  readonly renew: ((authorization: string) => Promise<string>) | undefined;
}

export interface SentFiles {
  /** The newest messages of a sender that contain the file with this stored name, the newest first. */
  messagesOfFile(senderId: number, storedName: string, most: number): readonly SentFileMessage[];
  /** Whether a scheduled message of this member names the file, so that the sweep keeps it. False in front of a Zulip, which shows scheduled messages only to their author. */
  isFileScheduled(senderId: number, storedName: string): boolean;
  /** A message with the file is about to be sent through the product, so the file must be kept. */
  expect(message: Omit<FileMessage, 'id'>, storedName: string): Promise<void>;
  /** A message with the file was sent through the product. */
  note(message: FileMessage, storedName: string): Promise<void>;
}

/** The product stores the pictures of members itself, or the chat server does. */
type MemberPictures = StoredPictures | ServedPictures;

export interface StoredPictures {
  readonly storedBy: 'product';
  sees(viewerId: number, userId: number): boolean;
  /** @param url the picture's address; null removes it. @throws TypeError if there is no such user. */
  set(userId: number, url: string | null): Promise<void>;
}

export interface ServedPictures {
  readonly storedBy: 'chat server';
  /** @param image undefined removes the picture. @throws ApiError */
  set(member: Pick<Asker, 'authorization'>, image: Picture | undefined): Promise<void>;
}

interface Picture {
  readonly content: Uint8Array;
  readonly type: string;
}

/**
 * Conversations, as calls need them. `ask` and `askWhoCanAnswer` may take time. The other functions answer at once from known
 * facts, so that a call changes in one step.
 */
export interface Conversations extends Omit<ChatServer['calls'], 'announce'> {
  /**
   * Learns, with the rights of the asker, where they may read, and who is in the conversation. Each request asks, so that a member
   * who loses a conversation loses its call. A chat server over the network is asked again after a minute.
   */
  ask(asker: Asker, conversation?: CallConversation): Promise<void>;
  /** Before ringing: learns which of the members are people who can sign in. */
  askWhoCanAnswer(asker: Asker, conversation: CallConversation): Promise<void>;
  /** Whether the message of a call has the field `call`. If not, the product adds it to the answers. */
  readonly marksMessages: boolean;
  /**
   * Sends the message that announces a call as the caller, with the rights and refusals of POST /messages. @param conversation a
   * stream, or all participants, ascending. @returns its id. @throws ChatError or ApiError
   */
  announce(caller: Asker, conversation: CallConversation, call: MessageCall, content: string): Promise<number>;
}

/** People and the streams of departments, as one actor may see and change them. */
export interface OrganisationDirectory {
  /** Whether people can be created and changed here. */
  readonly managesPeople: boolean;
  /** The work grows with what is requested. */
  overview(request: OverviewRequest): Promise<OverviewOf>;
  /** Returns the planned names that the server would refuse: they look like the name of another active user. */
  takenNames: <Planned extends PlannedName>(planned: readonly Planned[]) => Steps<Planned[]>;
  /** The names that these streams would get after the `ended` ones released theirs. @throws ChatError for an invalid name. */
  chooseNames: (namings: readonly Naming[], ended: readonly number[]) => Promise<readonly string[]>;
  /** Changes nothing. @throws RefusedError where this actor could not carry it out */
  rehearse(reorganisation: Reorganisation): Promise<void>;
  /** A repeated id changes nothing again. @throws ChatError */
  reorganise(reorganisation: Reorganisation): Promise<Reorganised>;
  /** Publishes that the product's directory has changed. */
  publishDirectory(change: DirectoryChange): Promise<void>;
}

interface OverviewOf extends Overview {
  /** Those of the requested streams whose members the actor may not see, so `stays` has none of them. */
  readonly hiddenStreams?: readonly number[];
}

type Naming = Parameters<ChatServer['chooseNames']>[0][number];

/** The embedded server's people and streams, which the product manages itself. */
export type Directory = Pick<
  ChatServer,
  | 'accounts'
  | 'administersBot'
  | 'addEmoji'
  | 'allStreams'
  | 'allUsers'
  | 'changeRealmSettings'
  | 'checkNewEmoji'
  | 'createOrganisation'
  | 'import'
  | 'isEmpty'
  | 'managesStream'
  | 'publishDirectory'
  | 'overview'
  | 'realmSettings'
  | 'seesStream'
  | 'setBotPicture'
  | 'setStreamPicture'
  | 'subscriberCounts'
  | 'user'
  | 'usersAfter'
>;
