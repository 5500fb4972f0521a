import type { Draft } from '@engawa/protocol';
import { z } from 'zod';
import type { Reader } from '../database/index.ts';
import { type DraftRow, drafts } from './store.ts';

const ids = z.array(z.int());

export function draftView({ id, type, recipients, topic, content, edited, revision }: DraftRow): Draft {
  return { id, type, to: ids.parse(JSON.parse(recipients)), topic, content, timestamp: edited, revision };
}

export function draftViews(reader: Reader, userId: number): Draft[] {
  return drafts.of(reader, userId).map(draftView);
}
