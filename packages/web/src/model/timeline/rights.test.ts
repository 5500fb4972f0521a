import { composeFileMessage } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { ai, general, ken, messageOf } from '../../../test/organisation.ts';
import { rightsOver, secondsToEdit } from './rights.ts';

const limits = { edit: 600, delete: 60 };
const mine = messageOf(1, ai, general, '了解です');
const theirs = messageOf(2, ken, general, '了解です');
const { timestamp } = mine;

describe('[R4.9, R6.3] A member', () => {
  it('A member can edit and delete their own messages, each only until its time limit', () => {
    expect(rightsOver(mine, ai, limits, timestamp + 60)).toEqual({ edit: true, delete: true });
    expect(rightsOver(mine, ai, limits, timestamp + 61)).toEqual({ edit: true, delete: false });
    expect(rightsOver(mine, ai, limits, timestamp + 601)).toEqual({ edit: false, delete: false });
    expect(rightsOver(mine, ai, { edit: null, delete: null }, timestamp + 1e9)).toEqual({ edit: true, delete: true });
  });

  it('Only administrators can change the messages of others', () => {
    expect(rightsOver(theirs, ai, limits, timestamp)).toEqual({ edit: false, delete: false });
    expect(rightsOver(theirs, { ...ai, role: 300 }, limits, timestamp)).toEqual({ edit: false, delete: false });
    expect(rightsOver(theirs, { ...ai, role: 200 }, limits, timestamp + 1e9)).toEqual({ edit: false, delete: true });
  });

  it('A member can edit neither a file message nor a deleted message', () => {
    const file = composeFileMessage({ name: '見積.pdf', storedName: 'a'.repeat(20) + '.pdf', size: 1 });
    expect(rightsOver({ ...mine, content: file }, ai, limits, timestamp)).toEqual({ edit: false, delete: true });
    expect(rightsOver({ ...mine, deleted: true }, ai, limits, timestamp)).toEqual({ edit: false, delete: false });
    expect(rightsOver(mine, undefined, limits, timestamp)).toEqual({ edit: false, delete: false });
  });

  it.each([
    [undefined, [100, 200, 300, 400, 600]],
    [1, [100, 200, 300, 400]],
    [2, [100, 200]],
    [3, [100, 200, 300, 400]],
    [4, [100, 200, 300]],
    [5, [100, 200, 300, 400, 600]],
  ] as const)(
    '[R7.8] With the deletion policy %s of Zulip, own messages can be deleted by the roles %j',
    (ownDeletion, allowed) => {
      const may = ([100, 200, 300, 400, 600] as const).filter(
        (role) => rightsOver(mine, { ...ai, role }, { ...limits, ownDeletion }, timestamp).delete,
      );
      expect(may).toEqual(allowed);
    },
  );

  it('[R7.8] Nobody can edit a message in an organisation that allows no edits', () => {
    expect(rightsOver(mine, ai, { ...limits, editing: false }, timestamp)).toEqual({ edit: false, delete: true });
  });

  it('secondsToEdit returns for how many seconds the member can still edit a message', () => {
    expect(secondsToEdit(mine, limits, timestamp + 590)).toBe(10);
    expect(secondsToEdit(mine, limits, timestamp + 9000)).toBe(0);
    expect(secondsToEdit(mine, { edit: null, delete: null }, timestamp)).toBeUndefined();
  });
});
