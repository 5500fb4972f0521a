/** The model as React sees it: each hook hears of one key, so that a change renders only what shows it. */
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { ReadReceiptsShown, UserSettings } from '@engawa/protocol';
import type { DepartmentNode } from '@engawa/protocol/product';
import type { ConversationKey, DirectKey } from '../model/timeline/conversation.ts';
import { totalUnread } from '../model/unread/unread.ts';
import type {
  Connection,
  ConversationView,
  Failure,
  Key,
  Me,
  MemberView,
  Mentioned,
  MessageKey,
  MessageView,
  Model,
  Person,
  Presence,
  StatusView,
  StreamView,
  Timeline,
} from '../model/view.ts';

const Context = createContext<Model | undefined>(undefined);

export const ModelProvider = Context;

export function useModel(): Model {
  const model = use(Context);
  if (!model) throw new Error('The model is read outside of its provider.');
  return model;
}

function useReading<T>(key: Key, read: (model: Model) => T): T {
  const model = useModel();
  const subscribe = useCallback((listener: () => void) => model.subscribe(key, listener), [model, key]);
  return useSyncExternalStore(subscribe, () => read(model));
}

export function useConnection(): Connection {
  return useReading('connection', (model) => model.connection());
}

export function useSettled(): boolean {
  return useReading('settled', (model) => model.settled());
}

export function useMe(): Me | undefined {
  return useReading('me', (model) => model.me());
}

export function useLocation(): string | undefined {
  return useReading('location', (model) => model.location());
}

export function useProfileFailure(): Failure | undefined {
  return useReading('profileFailure', (model) => model.profileFailure());
}

export function usePeople(): readonly Person[] {
  return useReading('people', (model) => model.people());
}

export function useMember(userId: number): MemberView | undefined {
  return useReading(`member:${userId}`, (model) => model.member(userId));
}

/** What somebody is shown with now; with `otherwise` where they are not known. */
export function useFace(userId: number, otherwise: string | undefined): string | undefined {
  const member = useMember(userId);
  return member ? member.avatarUrl : otherwise;
}

export function usePresence(userId: number): Presence | undefined {
  return useReading(`presence:${userId}`, (model) => model.presence(userId));
}

export function useStatus(userId: number): StatusView | undefined {
  return useReading(`status:${userId}`, (model) => model.status(userId));
}

export function useDepartments(): readonly DepartmentNode[] | undefined {
  return useReading('departments', (model) => model.departments());
}

export function useDepartmentsFailure(): Failure | undefined {
  return useReading('departmentsFailure', (model) => model.departmentsFailure());
}

export function useStreams(): readonly number[] | undefined {
  return useReading('streams', (model) => model.streams());
}

/** R1.8 */
export function useDirects(): readonly DirectKey[] {
  return useReading('directs', (model) => model.directs());
}

export function useAway(): readonly number[] {
  return useReading('away', (model) => model.away());
}

/** R2.5. It is another function when the streams are others, so that what it answered is asked for again. */
export function useStreamOf(): Model['streamOf'] {
  const model = useModel();
  const streams = useStreams();
  return (department) => (streams ? model.streamOf(department) : undefined);
}

export function useCurrent(): ConversationKey | undefined {
  return useReading('current', (model) => model.current());
}

/** Whether what was sent would be lost with the page. */
export function useHoldsUnkept(): boolean {
  return useReading('holdsUnkept', (model) => model.holdsUnkept());
}

/** How many messages would be lost by signing out. */
export function useUnsent(): number {
  return useReading('unsent', (model) => model.unsent());
}

/** A message that could not be sent and stands nowhere else. */
export function useStranded(): string | undefined {
  return useReading('stranded', (model) => model.stranded());
}

/** Messages that were deleted while the page was open. */
export function useGone(): ReadonlySet<number> {
  return useReading('gone', (model) => model.gone());
}

export function useTotalUnread(): number {
  return useReading('totalUnread', (model) => model.totalUnread());
}

export function useTotalMentions(): number {
  return useReading('totalMentions', (model) => model.totalMentions());
}

/** What is unread in direct conversations. */
export function useDirectUnread(): number {
  return useReading('directUnread', (model) => model.directUnread());
}

export function useTotalCalls(): number {
  return useReading('totalCalls', (model) => model.totalCalls());
}

export function useAlertWords(): readonly string[] {
  return useReading('alertWords', (model) => model.alertWords());
}

/** Whom `@**name**` or `@**name|id**` means. */
export function useMentionedUser(name: string, id: number | undefined): Mentioned | undefined {
  return useReading(`user:${id ?? ''}:${name}`, (model) => model.mentionedUser(name, id));
}

/** Whom `@*name*` means. */
export function useMentionedGroup(name: string): Mentioned | undefined {
  return useReading(`group:${name}`, (model) => model.mentionedGroup(name));
}

export function useStream(streamId: number): StreamView | undefined {
  return useReading(`conversation:${streamId}`, (model) => model.stream(streamId));
}

/** Whether the member may open it; undefined until anybody can tell, and where there is none. */
export function useMayOpen(conversation: ConversationKey | undefined): boolean | undefined {
  const streams = useStreams();
  const isThere = useReading(`conversation:${conversation ?? 0}`, (model) => model.conversation(conversation ?? 0) !== undefined);
  return streams === undefined || conversation === undefined ? undefined : isThere;
}

/** Undefined where there is none, as while none is open. */
export function useConversation(conversation: ConversationKey | undefined): ConversationView | undefined {
  return useReading(`conversation:${conversation ?? 0}`, (model) => model.conversation(conversation ?? 0));
}

/** How many messages are unread in these streams together, without those that are muted. */
export function useUnread(streamIds: readonly number[]): number {
  return useTotal(streamIds, totalUnread);
}

/** How many of them call the member, also in those that are muted. */
export function useMentions(streamIds: readonly number[]): number {
  return useTotal(streamIds, mentionsIn);
}

const mentionsIn = (streams: readonly StreamView[]) => streams.reduce((sum, { mentionCount }) => sum + mentionCount, 0);

function useTotal(streamIds: readonly number[], totalOf: (streams: readonly StreamView[]) => number): number {
  const model = useModel();
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = streamIds.map((streamId) => model.subscribe(`conversation:${streamId}`, listener));
      return () => stops.forEach((stop) => stop());
    },
    [model, streamIds],
  );
  const total = () => totalOf(streamIds.flatMap((streamId) => model.stream(streamId) ?? []));
  return useSyncExternalStore(subscribe, total);
}

export function useTimeline(conversation: ConversationKey): Timeline | undefined {
  return useReading(`timeline:${conversation}`, (model) => model.timeline(conversation));
}

/** R2.20.2: who is writing there, beside the member. */
export function useWriters(conversation: ConversationKey): readonly number[] {
  return useReading(`writers:${conversation}`, (model) => model.writers(conversation));
}

export function useMessage(key: MessageKey): MessageView | undefined {
  return useReading(`message:${key}`, (model) => model.message(key));
}

/** How many have read a message; undefined until it is known. */
export function useReadCount(messageId: number): number | undefined {
  return useReading(`readCount:${messageId}`, (model) => model.readCount(messageId));
}

export function useReceiptsShown(): ReadReceiptsShown {
  return useReading('receiptsShown', (model) => model.receiptsShown());
}

export function useSettings(): UserSettings {
  return useReading('settings', (model) => model.settings());
}

export function useSendsReceipts(): boolean | undefined {
  return useReading('sendsReceipts', (model) => model.sendsReceipts());
}

/** Unix seconds. Whoever needs no more of a message is not rendered when its text changes. */
export function useTimestamp(key: MessageKey): number | undefined {
  return useReading(`message:${key}`, (model) => model.message(key)?.timestamp);
}
