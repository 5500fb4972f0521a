import { maxMessageLength, renderMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

it('[R7.6] POST /messages/render returns text as HTML and escapes HTML that a member typed', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { rendered } = await tanaka.ok(renderMessage, { content: '縁側\n<b>庭</b>' });
  expect(rendered).toMatch(/^<p>縁側<br>\n[^<]+庭[^<]+<\/p>$/);
});

it('POST /messages/render truncates text over the maximum message length', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { rendered } = await tanaka.ok(renderMessage, { content: '縁'.repeat(maxMessageLength + 1) });
  expect(rendered).toContain('[message truncated]');
  expect(rendered.length).toBeLessThan(maxMessageLength + 20);
});

it('POST /messages/render requires the content parameter', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const refusal = eg.refusal(await tanaka.raw({ method: 'POST', path: '/messages/render', form: {} }));
  expect(refusal).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: 'content' });
});
