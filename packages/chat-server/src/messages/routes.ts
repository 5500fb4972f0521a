import type { Route } from '../http/router.ts';
import { deleteRoute } from './delete.ts';
import { editRoute } from './edit.ts';
import { fetchRoute } from './fetch.ts';
import { historyRoute } from './history.ts';
import { renderRoute } from './render.ts';
import type { MessageDependencies } from './dependencies.ts';
import { sendRoute } from './send.ts';
import { singleRoute } from './single.ts';

export function messageRoutes(dependencies: MessageDependencies): Route[] {
  const { database } = dependencies;
  return [
    fetchRoute(dependencies),
    sendRoute(dependencies),
    singleRoute(dependencies),
    editRoute(dependencies),
    deleteRoute(dependencies),
    historyRoute(database),
    renderRoute(database),
  ];
}
