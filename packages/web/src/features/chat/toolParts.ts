/** What is not needed before somebody points at a message: fetched once the messages are there, both together. */
import { onDemand } from '../../components/onDemand.ts';

/** With the first direct conversation. */
export const directToolsPart = onDemand(() => import('./stream/DirectTools.tsx'));

export const editComposerPart = onDemand(() => import('./composer/EditComposer.tsx'));

/** What was sent to a stream as files. */
export const streamFilesPart = onDemand(() => import('./stream/StreamFiles.tsx'));

export const messageToolsPart = onDemand(() => {
  editComposerPart.preload();
  return import('./message/MessageTools.tsx');
});
