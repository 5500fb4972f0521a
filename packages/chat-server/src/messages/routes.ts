import type { Route } from '../http/router.ts';
import { deleteRoute } from './delete.ts';
import { editRoute } from './edit.ts';
import { fetchRoute } from './fetch.ts';
import { historyRoute } from './history.ts';
import { renderRoute } from './render.ts';
import type { MessageRooms } from './dependencies.ts';
import { sendRoute } from './send.ts';
import { singleRoute } from './single.ts';

export function messageRoutes(rooms: MessageRooms): Route[] {
  const { database } = rooms;
  return [
    fetchRoute(rooms),
    sendRoute(rooms),
    singleRoute(rooms),
    editRoute(rooms),
    deleteRoute(rooms),
    historyRoute(database),
    renderRoute(database),
  ];
}
