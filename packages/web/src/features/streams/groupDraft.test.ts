import { describe, expect, it } from 'vitest';
import { complaintsAbout, emptyGroup, nameLength } from './groupDraft.ts';

const named = (name: string) => complaintsAbout({ ...emptyGroup, name }, true).name;

describe('a group that is being made', () => {
  it('[R2.7.2] needs a name, and says so only when it is to be made', () => {
    expect(complaintsAbout(emptyGroup, false).name).toBeUndefined();
    expect(named('')).toBe('missing');
    expect(named(' \u3000')).toBe('missing');
    expect(named('読書会')).toBeUndefined();
  });

  it('[R2.7.2] has a name of 60 characters at most, counted as the server counts, and says so at once', () => {
    expect(named('あ'.repeat(60))).toBeUndefined();
    expect(named(`  ${'あ'.repeat(60)}　`)).toBeUndefined();
    expect(complaintsAbout({ ...emptyGroup, name: 'あ'.repeat(61) }, false).name).toBe('too-long');
    expect(nameLength('😀'.repeat(60))).toBe(60);
    expect(named('😀'.repeat(61))).toBe('too-long');
  });

  it('takes as many members as one call may name, with the member who makes it', () => {
    const userIds = Array.from({ length: 999 }, (_, index) => index);
    expect(complaintsAbout({ ...emptyGroup, name: '全員', userIds }, true).members).toBeUndefined();
    expect(complaintsAbout({ ...emptyGroup, name: '全員', userIds: [...userIds, 999] }, true).members).toBe('too-many');
  });

  it('[R2.7] is described in as many characters as the server keeps', () => {
    expect(complaintsAbout({ ...emptyGroup, description: '説'.repeat(1024) }, false).description).toBeUndefined();
    expect(complaintsAbout({ ...emptyGroup, description: '説'.repeat(1025) }, false).description).toBe('too-long');
  });
});
