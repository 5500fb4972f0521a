import { Durations } from '@engawa/chat-server/parts';
import type { FastifyRequest } from 'fastify';
import { endpoints } from '../chat/endpoints.ts';

const api = '/api/v1';
const apiRoute = `${api}/*`;
const screens = 'screens';
const unknown = 'unknown';

/** Calls whose duration says only how long nothing happened. */
const waits: ReadonlySet<string> = new Set([`GET ${api}/events`, 'GET /api/live']);

interface FiguresOfCall {
  readonly durations: Durations;
  /** How many had each status; 0: the client left before the answer. */
  readonly statuses: Map<number, number>;
}

/** Counts finished calls by name. The names are those of routes, so their number is bounded and no name holds an id. */
export class CallFigures {
  readonly byCall = new Map<string, FiguresOfCall>();
  /** Polls that waited and then got their events. */
  deliveries = 0;

  note(request: FastifyRequest, status: number, milliseconds: number): void {
    const name = nameOf(request);
    const { durations, statuses } = this.#of(name);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (!waits.has(name)) durations.note(milliseconds);
  }

  /** The calls with this name and one of these statuses, or with any. */
  count(name: string, wanted?: readonly number[]): number {
    const statuses = [...(this.byCall.get(name)?.statuses ?? [])];
    return statuses.reduce((sum, [status, count]) => (wanted?.includes(status) === false ? sum : sum + count), 0);
  }

  #of(name: string): FiguresOfCall {
    const known = this.byCall.get(name);
    if (known) return known;
    const figures = { durations: new Durations(), statuses: new Map<number, number>() };
    this.byCall.set(name, figures);
    return figures;
  }
}

/** Ids, addresses and names of emoji in a path. */
const parts = /(?<=\/)(?:\d+|[^/]*(?:@|%40)[^/]*)(?=\/|$)|(?<=\/realm\/emoji\/)[^/]+/gi;
const withoutNames = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
/** By method and path, with `{}` for each variable part of the path. */
const names: ReadonlyMap<string, string> = new Map(
  endpoints.map(({ method, path }) => [`${method} ${api}${withoutNames(path)}`, `${method} ${api}${path}`]),
);

function nameOf({ method, url, routeOptions: { url: route } }: FastifyRequest): string {
  if (route === apiRoute) {
    const path = url.split('?', 1).join('');
    return names.get(`${method} ${path}`) ?? names.get(`${method} ${path.replaceAll(parts, '{}')}`) ?? unknown;
  }
  if (route === undefined) return unknown;
  return route.startsWith('/api/') || !route.includes('*') ? `${method} ${route}` : screens;
}
