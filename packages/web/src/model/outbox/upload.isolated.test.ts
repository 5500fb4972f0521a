import { ApiError, NetworkError, ServerError } from '@engawa/client';
import { afterEach, expect, it, vi } from 'vitest';
import { uploadByXHR } from './uploadByXHR.ts';

/** XMLHttpRequest as far as an upload needs it; the test plays the network. */
class FakeRequest extends EventTarget {
  static last = new FakeRequest();
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  opened = '';
  readonly headers: string[] = [];
  sent: FormData | undefined;

  constructor() {
    super();
    FakeRequest.last = this;
  }

  open(method: string, url: string): void {
    this.opened = `${method} ${url}`;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers.push(`${name}: ${value}`);
  }

  send(form: FormData): void {
    this.sent = form;
  }

  getResponseHeader(): string | null {
    return null;
  }

  abort(): void {
    this.dispatchEvent(new Event('abort'));
    this.dispatchEvent(new Event('loadend'));
  }

  answer(status: number, text: string): void {
    this.status = status;
    this.responseText = text;
    this.dispatchEvent(new Event('load'));
    this.dispatchEvent(new Event('loadend'));
  }
}

class Progress extends Event {
  readonly lengthComputable = true;
  readonly loaded: number;
  readonly total: number;

  constructor(loaded: number, total: number) {
    super('progress');
    this.loaded = loaded;
    this.total = total;
  }
}

afterEach(() => vi.unstubAllGlobals());

function eg() {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  const stopping = new AbortController();
  const fractions: number[] = [];
  const done = uploadByXHR({
    url: '/api/api/upload/file',
    headers: { 'engawa-member': '1' },
    file: new File(['12345'], 'x'),
    name: '見積.xlsx',
    storedName: 'stored.xlsx',
    onProgress: (fraction) => fractions.push(fraction),
    signal: stopping.signal,
  });
  return { done, fractions, stopping, request: FakeRequest.last };
}

it('[R7.2] uploadByXHR sends the stored name before the bytes of the file', async () => {
  const { done, request } = eg();
  expect(request.opened).toBe('POST /api/api/upload/file');
  expect(request.headers).toEqual(['engawa-member: 1']);
  expect([...(request.sent?.keys() ?? [])]).toEqual(['dstFileName', 'file']);
  expect(request.sent?.get('dstFileName')).toBe('stored.xlsx');
  expect(request.sent?.get('file')).toMatchObject({ name: '見積.xlsx', size: 5 });
  request.answer(200, '{"result":"success","msg":""}');
  await expect(done).resolves.toBeUndefined();
});

it('[R2.17] uploadByXHR returns the size of a picture, and ignores one in another form', async () => {
  const answer = { result: 'success', msg: '', name: '庭.png', stored_name: 'stored.png', size: 5 };
  const sized = eg();
  sized.request.answer(200, JSON.stringify({ ...answer, picture: { width: 1200, height: 200 } }));
  await expect(sized.done).resolves.toEqual({ width: 1200, height: 200 });
  const odd = eg();
  odd.request.answer(200, JSON.stringify({ ...answer, picture: '1200x200' }));
  await expect(odd.done).resolves.toBeUndefined();
});

it('uploadByXHR reports the progress of the upload', () => {
  const { fractions, request } = eg();
  request.upload.dispatchEvent(new Progress(1, 4));
  request.upload.dispatchEvent(new Progress(4, 4));
  expect(fractions).toEqual([0.25, 1]);
});

it('[R8.4] uploadByXHR fails with the same errors as a call of the chat API', async () => {
  const refused = eg();
  refused.request.answer(400, '{"result":"error","code":"BAD_REQUEST","msg":"The name is taken"}');
  await expect(refused.done).rejects.toBeInstanceOf(ApiError);
  const broken = eg();
  broken.request.answer(502, '<h1>Bad Gateway</h1>');
  await expect(broken.done).rejects.toBeInstanceOf(ServerError);
  const cut = eg();
  cut.request.dispatchEvent(new Event('error'));
  await expect(cut.done).rejects.toBeInstanceOf(NetworkError);
});

it('uploadByXHR stops when its signal is aborted', async () => {
  const { done, stopping } = eg();
  stopping.abort(new Error('closed'));
  await expect(done).rejects.toThrow('closed');
});
