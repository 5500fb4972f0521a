import { afterEach, expect, it } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { started, stopAll } from '../../../test/example.ts';
import { selectConnection } from '../connection/state.ts';

afterEach(stopAll);

it('[R2.25.1] The account lists the member’s API keys, and revokes one key or all of them', async () => {
  const { model, server } = await started();
  const keys = [
    { id: 7, created: 20, last_used: null },
    { id: 3, created: 10, last_used: 15 },
  ];
  server.fail('GET /api/keys', Response.json({ result: 'success', msg: '', keys }));
  server.fail('DELETE /api/keys/7', Response.json({ result: 'success', msg: '' }));
  server.fail('DELETE /api/keys', Response.json({ result: 'success', msg: '' }));
  expect(await model.account((own) => own.keys())).toEqual(keys);
  expect(await model.account((own) => own.endKeys(7))).toBeUndefined();
  expect(await model.account((own) => own.endKeys(undefined))).toBeUndefined();
});

it('[R8.4] account.keys returns the reason if the API keys cannot be loaded', async () => {
  const { model, server } = await started();
  server.fail('GET /api/keys', Response.json({ result: 'success', msg: '' }), 'cut');
  expect(await model.account((own) => own.keys())).toEqual({ kind: 'malformed' });
  expect(await model.account((own) => own.keys())).toEqual({ kind: 'network' });
});

it('[R1.5] changePassword does not sign the member out if the current password is wrong, but does if the session has ended', async () => {
  const { model, server } = await started();
  const change = () => model.account((own) => own.changePassword('ちがうことば', 'ひみつのことば'));
  server.fail('POST /api/password', errorAnswer(401, 'AUTHENTICATION_FAILED', 'Wrong.'));
  expect(await change()).toEqual({ kind: 'refused', code: 'AUTHENTICATION_FAILED', message: 'Wrong.' });
  expect(selectConnection(model.state())).toBe('online');
  server.fail('POST /api/password', errorAnswer(401, 'UNAUTHORIZED', 'Not logged in'));
  expect(await change()).toEqual({ kind: 'signed-out' });
  expect(selectConnection(model.state())).toBe('signed-out');
});

it('[R1.5] changePassword sends the current and the new password as JSON', async () => {
  const sent: RequestInit[] = [];
  const { server } = await started();
  const { model } = await started({
    server,
    environment: {
      fetch: (input, init) => {
        if (String(input).endsWith('/api/password') && init) sent.push(init);
        return server.fetch(input, init);
      },
    },
  });
  server.fail('POST /api/password', Response.json({ result: 'success', msg: '' }));
  expect(await model.account((own) => own.changePassword('いままで', 'これから使うことば'))).toBeUndefined();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    method: 'POST',
    body: '{"current":"いままで","password":"これから使うことば"}',
    headers: { 'content-type': 'application/json', 'engawa-member': '1' },
  });
});
