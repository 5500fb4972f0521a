import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

async function setup() {
  const server = await eg.server();
  const [sato, tanaka] = [eg.signIn(server, 'sato'), eg.signIn(server, 'tanaka')];
  return {
    server,
    sato,
    tanaka,
    add: async (...alert_words: string[]) => (await sato.ok(api.addAlertWords, { alert_words })).alert_words,
    remove: async (...alert_words: string[]) => (await sato.ok(api.removeAlertWords, { alert_words })).alert_words,
    words: async () => (await sato.ok(api.getAlertWords, {})).alert_words,
  };
}

it('[R7.6] GET /users/me/alert_words returns the member’s own words in the order in which they were added', async () => {
  const { server, sato, tanaka, add, words } = await setup();
  expect(await words()).toEqual([]);
  await add('縁側', '会議');
  await add('予算');
  await tanaka.ok(api.addAlertWords, { alert_words: ['田中の言葉'] });
  expect(await words()).toEqual(['縁側', '会議', '予算']);
  expect(await sato.ok(api.registerQueue, { event_types: ['alert_words'] })).toMatchObject({
    alert_words: ['縁側', '会議', '予算'],
  });
  await server.restart();
  expect(await words()).toEqual(['縁側', '会議', '予算']);
});

it('[R7.6] POST /users/me/alert_words adds words, returns all words of the member and sends an event to their queues only', async () => {
  const { sato, tanaka, add } = await setup();
  const [own, others] = [await queueOf(sato), await queueOf(tanaka)];
  expect(await add('縁側')).toEqual(['縁側']);
  expect(await add('会議')).toEqual(['縁側', '会議']);
  expect(await own.take()).toEqual([
    { id: own.cursor - 1, type: 'alert_words', alert_words: ['縁側'] },
    { id: own.cursor, type: 'alert_words', alert_words: ['縁側', '会議'] },
  ]);
  expect(await others.take()).toEqual([]);
});

it('POST /users/me/alert_words trims words, ignores blank ones and keeps the first of words that differ only in case or width', async () => {
  const { add } = await setup();
  expect(await add('\u3000Engawa ', '', ' \n ', 'ENGAWA', 'ｅｎｇａｗａ', 'カイギ', 'ｶｲｷﾞ')).toEqual(['Engawa', 'カイギ']);
  expect(await add('engawa', 'ｶｲｷﾞ', '縁側')).toEqual(['Engawa', 'カイギ', '縁側']);
});

it('POST and DELETE /users/me/alert_words send no event if no word changes', async () => {
  const { sato, add, remove } = await setup();
  await add('縁側');
  const queue = await queueOf(sato);
  expect(await add('縁側', '')).toEqual(['縁側']);
  expect(await add()).toEqual(['縁側']);
  expect(await remove('会議')).toEqual(['縁側']);
  expect(await queue.take()).toEqual([]);
});

it('POST /users/me/alert_words accepts words of a hundred characters and refuses longer ones', async () => {
  const { sato, add, words } = await setup();
  const longest = '𠮷'.repeat(api.maxAlertWordLength);
  expect(await add(` ${longest} `)).toEqual([longest]);
  const refusal = await sato.refused(api.addAlertWords, { alert_words: ['縁側', `${longest}${longest}`] });
  expect(refusal).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'alert_words[1] is too long (limit: 100 characters)',
  });
  expect(await words()).toEqual([longest]);
});

it('POST /users/me/alert_words accepts a hundred words of a member and refuses more', async () => {
  const { sato, add, words } = await setup();
  const hundred = Array.from({ length: api.maxAlertWords }, (_, index) => `言葉${index}`);
  await add(...hundred.slice(1));
  expect(await add('言葉0', '言葉1')).toHaveLength(api.maxAlertWords);
  expect(await add(...hundred)).toHaveLength(api.maxAlertWords);
  const refusal = await sato.refused(api.addAlertWords, { alert_words: ['もう一つ'] });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Too many alert words (limit: 100).' });
  expect(await words()).toHaveLength(api.maxAlertWords);
});

it('POST /users/me/alert_words refuses a member who was deactivated earlier in the same turn of the event loop', async () => {
  const { server, sato, tanaka } = await setup();
  const [, refusal] = await Promise.all([
    tanaka.ok(api.deactivateUser, { user_id: server.user('sato') }),
    sato.refused(api.addAlertWords, { alert_words: ['障害'] }),
  ]);
  expect(refusal).toMatchObject({ code: 'USER_DEACTIVATED' });
});

it('POST /users/me/alert_words replaces a broken Unicode character (lone surrogate) by U+FFFD', async () => {
  const { add } = await setup();
  expect(await add('縁\ud800', '縁\ud801')).toEqual(['縁\ufffd']);
});

it('[R7.6] DELETE /users/me/alert_words removes words whatever their letter case or width, and returns the remaining words', async () => {
  const { sato, tanaka, add, remove } = await setup();
  await add('Engawa', '会議', '予算');
  await tanaka.ok(api.addAlertWords, { alert_words: ['engawa'] });
  const [own, others] = [await queueOf(sato), await queueOf(tanaka)];
  expect(await remove(' ＥＮＧＡＷＡ', '予算', 'ない')).toEqual(['会議']);
  expect(await own.take()).toEqual([{ id: own.cursor, type: 'alert_words', alert_words: ['会議'] }]);
  expect(await others.take()).toEqual([]);
  expect(await tanaka.ok(api.getAlertWords, {})).toEqual({ alert_words: ['engawa'] });
});

it.each(['POST', 'DELETE'])('%s /users/me/alert_words refuses a value that is not a list of strings', async (method) => {
  const { sato } = await setup();
  const request = (query: Record<string, string>) => sato.raw({ method, path: '/users/me/alert_words', query });
  const missing = { status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: 'alert_words' };
  expect(eg.refusal(await request({}))).toMatchObject(missing);
  const msg = 'alert_words[0] is not a string';
  expect(eg.refusal(await request({ alert_words: '[5]' }))).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});
