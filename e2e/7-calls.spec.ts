import type { Page } from '@playwright/test';
import { expect, signedInPage, signIn, test } from './product.ts';
import { department, fileInput, message, sendButton, write } from './screen.ts';

interface Call {
  /** Method and path below `/api/v1`. */
  readonly call: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** All later calls of the chat API by a page. */
function traceOf(page: Page): readonly Call[] {
  const trace: Call[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/api/v1/')) return;
    const call = `${request.method()} ${pathname.slice('/api/v1'.length)}`;
    trace.push({ call, parameters: Object.fromEntries(new URLSearchParams(request.postData() ?? search)) });
  });
  return trace;
}

test('[R4.1, R7.5, R7.7, R9.1] A page registers, loads messages, sends a message and polls with the parameters that the specification names', async ({
  browser,
  product,
}) => {
  const page = await signedInPage(browser, product, 'sato@engawa.example');
  const other = await signIn(browser, product, 'suzuki@engawa.example');
  const trace = traceOf(page);
  const called = (call: string) => trace.filter((each) => each.call === call).map(({ parameters }) => parameters);

  await page.goto('/');
  await department(page, 'プロダクト開発部').click();
  await write(page, '記録される一言');
  await expect(message(page, '記録される一言').locator('time')).toBeVisible();
  await department(other, 'プロダクト開発部').click();
  await write(other, '記録された返事');
  await expect(message(page, '記録された返事')).toBeVisible();

  const [register] = called('POST /register');
  expect(JSON.parse(register?.['event_types'] ?? '')[0]).toBe('message');
  expect(called('GET /users/me/subscriptions')[0]).toEqual({ include_subscribers: 'true' });
  expect(called('GET /messages')).toContainEqual(
    expect.objectContaining({
      anchor: 'newest',
      num_before: '20',
      num_after: '0',
      apply_markdown: 'false',
      narrow: '[{"operator":"stream","operand":"プロダクト開発部"}]',
    }),
  );
  expect(called('POST /messages')).toEqual([
    expect.objectContaining({
      to: 'プロダクト開発部',
      type: 'stream',
      topic: 'stream events',
      content: '記録される一言',
    }),
  ]);
  const polled = { queue_id: expect.any(String), last_event_id: expect.stringMatching(/^-?\d+$/) };
  expect(called('GET /events')[0]).toMatchObject(polled);
});

test('[R7.1, R7.2, R9.3] A page loads the department tree and uploads a file through the endpoints that the specification names', async ({
  browser,
  product,
}) => {
  const page = await signedInPage(browser, product, 'sato@engawa.example');
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/department/tree');
  await page.goto('/');
  const { data } = await (await answered).json();
  expect(data.data.data).toEqual([expect.objectContaining({ departmentCd: expect.any(String), displayName: '株式会社 縁側' })]);

  const uploading = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/api/upload/file');
  await department(page, 'プロダクト開発部').click();
  await fileInput(page).setInputFiles({ name: '予定.TXT', mimeType: 'text/plain', buffer: Buffer.from('予定') });
  await sendButton(page).click();
  const upload = await uploading;
  expect(upload.method()).toBe('POST');
  expect(await upload.headerValue('content-type')).toContain('multipart/form-data');
  const link = message(page, '予定.TXT').getByRole('link');
  await expect(link).toHaveAttribute('href', /^\/api\/storage\/temp\/[\da-z]{20}\.TXT\b/);
});
