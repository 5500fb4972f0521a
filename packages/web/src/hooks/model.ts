/** The model as React sees it: each hook hears of one key, so that a change renders only what shows it. */
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import type {
  Connection,
  Failure,
  Key,
  Me,
  MessageKey,
  MessageView,
  Model,
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

export function useMe(): Me | undefined {
  return useReading('me', (model) => model.me());
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

export function useCurrent(): number | undefined {
  return useReading('current', (model) => model.current());
}

export function useTotalUnread(): number {
  return useReading('totalUnread', (model) => model.totalUnread());
}

export function useStream(streamId: number): StreamView | undefined {
  return useReading(`stream:${streamId}`, (model) => model.stream(streamId));
}

export function useTimeline(streamId: number): Timeline | undefined {
  return useReading(`timeline:${streamId}`, (model) => model.timeline(streamId));
}

export function useMessage(key: MessageKey): MessageView | undefined {
  return useReading(`message:${key}`, (model) => model.message(key));
}
