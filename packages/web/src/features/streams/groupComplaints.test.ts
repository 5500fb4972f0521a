import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './groupComplaints.ts';
import { emptyGroup } from './groupDraft.ts';

const named = (name: string) => complaintsAbout({ ...emptyGroup, name }, true).name;

describe('complaintsAbout', () => {
  it('[R2.7.2] The group dialog reports a missing name only after a submit', () => {
    expect(complaintsAbout(emptyGroup, false).name).toBeUndefined();
    expect(named('')).toBe('missing');
    expect(named(' \u3000')).toBe('missing');
    expect(named('読書会')).toBeUndefined();
  });

  it('[R2.7.2] The group dialog reports a name of more than 60 code points before a submit', () => {
    expect(named('あ'.repeat(60))).toBeUndefined();
    expect(named(`  ${'あ'.repeat(60)}　`)).toBeUndefined();
    expect(complaintsAbout({ ...emptyGroup, name: 'あ'.repeat(61) }, false).name).toBe('too-long');
    expect(named('😀'.repeat(60))).toBeUndefined();
    expect(named('😀'.repeat(61))).toBe('too-long');
  });

  it('The group dialog accepts 999 members besides the creator', () => {
    const userIds = Array.from({ length: 999 }, (_, index) => index);
    expect(complaintsAbout({ ...emptyGroup, name: '全員', userIds }, true).members).toBeUndefined();
    expect(complaintsAbout({ ...emptyGroup, name: '全員', userIds: [...userIds, 999] }, true).members).toBe('too-many');
  });

  it('[R2.7] The group dialog reports a description of more than 1024 characters', () => {
    expect(complaintsAbout({ ...emptyGroup, description: '説'.repeat(1024) }, false).description).toBeUndefined();
    expect(complaintsAbout({ ...emptyGroup, description: '説'.repeat(1025) }, false).description).toBe('too-long');
  });
});
