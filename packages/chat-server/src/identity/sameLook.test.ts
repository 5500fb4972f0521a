import { createUser, deactivateUser, reactivateUser, roles, updateSettings, updateUser } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { atOnce } from '../turns.ts';
import { cleanFullName } from './fullName.ts';
import { lookOf } from './sameLook.ts';

const taken = { status: 400, code: 'NAME_IN_USE' };

describe('lookOf', () => {
  it.each([
    ['佐藤 花子', '佐藤花子', 'a space'],
    ['佐藤 花子', '佐藤　花子', 'an ideographic space'],
    ['佐藤 花子', '佐藤\u00a0花子', 'a no-break space'],
    ['佐藤 花子', '佐藤\u2800花子', 'a blank Braille pattern'],
    ['佐藤 花子', '佐藤 花子\u3164', 'a Hangul filler'],
    ['佐藤 花子', '佐藤\u115f\u1160\uffa0 花\u200b子', 'fillers and a zero-width space'],
    ['佐藤 花子', '佐藤 花\u034f子\u0332', 'a combining mark that composes with nothing'],
    ['Ann Lee', 'Ａｎｎ Ｌｅｅ', 'width'],
    ['Ann Lee', 'ann LEE', 'case'],
    ['Ann Lee', 'Аnn Lее', 'Cyrillic letters'],
    ['ハンナ', 'ﾊﾝﾅ', 'half-width kana'],
    ['山口 太一', '山ロ 太ー', 'kana that look like kanji'],
    ['神田 翔', '神田 翔', 'a compatibility ideograph'],
    ['が', 'か\u3099', 'decomposition'],
  ])('Names look alike: %s and %j, which differ in %s', (one, other) => {
    expect(lookOf(other)).toBe(lookOf(one));
  });

  it.each([
    ['佐藤 花子', '佐藤 華子'],
    ['José Lima', 'Jose Lima'],
    ['はな子', 'はなこ'],
    ['山口 一', '山口 二'],
    ['葛\u{e0100}城 葵', '葛城 葵'],
    ['Ann Lee', 'Anna Lee'],
  ])('Names do not look alike: %s and %s', (one, other) => {
    expect(lookOf(other)).not.toBe(lookOf(one));
  });
});

it.each(['佐藤\u3164', '\u3164\u3164', '佐\u034f藤', '佐藤\u2800花子', '佐藤\u{e0100}\u{e0100}', 'a\ufe0f', '佐\u200b藤'])(
  'A name may not contain characters that show nothing: %j',
  (name) => expect(() => cleanFullName(name)).toThrow('Invalid characters in name!'),
);

it.each(['葛\u{e0100}城 葵', '神\ufe00 翔', 'ねこ ❤️'])('A name may contain variation selectors: %s', (name) => {
  expect(cleanFullName(name)).toBe(name);
});

const sato = '佐藤 花子';
const lookalikes = [sato, sato.replace(' ', '　'), sato.replace(' ', ''), `${sato.slice(0, -1)}${sato.slice(-1)}\u0332`];

it.each(lookalikes)(
  'A member cannot take the name of another active member, or one that looks the same: %j',
  async (full_name) => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    expect(await suzuki.refused(updateSettings, { full_name })).toMatchObject(taken);
    await suzuki.ok(updateSettings, { full_name: `${sato}（営業）` });
  },
);

it('A member cannot take a name that differs from that of another active member only in variant kanji', async () => {
  const server = await eg.server();
  const [owner, suzuki] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'suzuki')];
  await owner.ok(updateUser, { user_id: server.user('sato'), full_name: '髙橋 ハナ' });
  const full_name = '高橋 ハナ';
  expect(await suzuki.refused(updateSettings, { full_name })).toMatchObject(taken);
  await owner.ok(updateUser, { user_id: server.user('suzuki'), full_name });
});

it('A member can change the spelling of the name that they already have', async () => {
  const server = await eg.server();
  await eg.signIn(server, 'sato').ok(updateSettings, { full_name: sato.replace(' ', '') });
});

it('An administrator can give the exact name of another member, but none that only looks the same', async () => {
  const server = await eg.server();
  const owner = eg.signIn(server, 'tanaka');
  const user_id = server.user('suzuki');
  const person = { email: 'new@example.com', password: '縁側で日向ぼっこ' };
  for (const full_name of lookalikes.slice(1)) {
    expect(await owner.refused(updateUser, { user_id, full_name })).toMatchObject(taken);
    expect(await owner.refused(createUser, { ...person, full_name })).toMatchObject(taken);
  }
  await owner.ok(updateUser, { user_id, full_name: sato });
  await owner.ok(createUser, { ...person, full_name: sato });
});

it('A member can take the name of a deactivated member, who cannot be reactivated while the names look the same', async () => {
  const server = await eg.server();
  const [owner, suzuki] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'suzuki')];
  const user_id = server.user('sato');
  await owner.ok(deactivateUser, { user_id });
  await suzuki.ok(updateSettings, { full_name: sato.replace(' ', '') });
  expect(await owner.refused(reactivateUser, { user_id })).toMatchObject(taken);
  await owner.ok(updateUser, { user_id: server.user('suzuki'), full_name: '鈴木 一郎' });
  await owner.ok(reactivateUser, { user_id });
});

describe('reorganisation', () => {
  const reorganisation = { id: '1', by: 'console', made: [], changed: [], streams: [] } as const;
  const person = { email: 'new@example.com', role: roles.member, isActive: true, password: '' };

  it('A reorganisation refuses a new name that looks like that of another member, also of one in the same plan', async () => {
    const server = await eg.server();
    const { reorganise, takenNames } = server.running();
    const fullName = sato.replace(' ', '');
    await expect(reorganise({ ...reorganisation, made: [{ ...person, fullName }] })).rejects.toMatchObject(taken);
    const made = ['山田 葵', '山田葵'].map((name, index) => ({ ...person, email: `new${index}@example.com`, fullName: name }));
    await expect(reorganise({ ...reorganisation, made })).rejects.toMatchObject(taken);
    const planned = made.map((each) => ({ ...each, userId: undefined }));
    expect(atOnce(takenNames(planned))).toEqual(planned);
    expect(atOnce(takenNames(planned.slice(1)))).toEqual([]);
  });

  it('A reorganisation can exchange the names of two members', async () => {
    const server = await eg.server();
    const changed = [
      { userId: server.user('sato'), fullName: '鈴木一郎' },
      { userId: server.user('suzuki'), fullName: sato.replace(' ', '') },
    ];
    const planned = changed.map((each) => ({ ...each, isActive: true }));
    expect(atOnce(server.running().takenNames(planned))).toEqual([]);
    await server.running().reorganise({ ...reorganisation, changed });
  });
});
