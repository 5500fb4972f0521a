/** What is not needed before somebody points at a message: fetched once the messages are there, both together. */
import { onDemand } from '../../components/onDemand.ts';

/** With the first direct conversation. */
export const directToolsPart = onDemand(() => import('./DirectTools.tsx'));

export const editComposerPart = onDemand(() => import('./EditComposer.tsx'));

/** What was sent to a stream as files. */
export const streamFilesPart = onDemand(() => import('./StreamFiles.tsx'));

export const messageToolsPart = onDemand(() => {
  editComposerPart.preload();
  return import('./MessageTools.tsx');
});
