import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getDrafts = callOf(endpoints.getDrafts);
export const createDrafts = callOf(endpoints.createDrafts);
export const editDraft = callOf(endpoints.editDraft);
export const deleteDraft = callOf(endpoints.deleteDraft);
