import type { Fetch } from '@engawa/client';
import { fakeClock } from '@engawa/client/testing';
import type { Session } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newTab, stopAll } from '../../test/example.ts';
import { newStorage } from '../../test/storage.ts';
import { createBrowserSession } from './browserSession.ts';
import { createLastMember } from './lastMember.ts';
import type { LinkKind } from './link.ts';
import { selectConnection } from '../model/connection/state.ts';

const nobody: Session = {
  auth_mode: 'fake',
  member: null,
  signed_out: false,
  setup_needed: false,
  organisation: '株式会社 縁側',
  mail: false,
  calls: true,
  default_member: 'tanaka@example.com',
  candidates: [],
  fake_sign_in_exposed: false,
  max_file_size: 1,
  capabilities: [],
};
const tanaka: Session = { ...nobody, member: { user_id: 1, email: 'tanaka@example.com', full_name: '田中 翔' } };
const suzuki: Session = { ...nobody, member: { user_id: 2, email: 'suzuki@example.com', full_name: '鈴木 健太' } };

const channels: BroadcastChannel[] = [];
/** All tabs of the browser share it. */
let storage = newStorage();
afterEach(async () => {
  storage = newStorage();
  channels.splice(0).forEach((channel) => channel.close());
  await stopAll();
});

function tab(fetch: Fetch, link?: string, reloaded?: LinkKind, staysOut = false) {
  const channel = new BroadcastChannel('session');
  channels.push(channel);
  const onSignedOut = vi.fn<(userId: number | undefined) => void>();
  const onSignedOutElsewhere = vi.fn<(userId: number | undefined) => void>();
  const leave = vi.fn<() => void>();
  const forgetLink = vi.fn<() => void>();
  const lastMember = createLastMember(storage);
  const { model } = newTab();
  const startModel = vi.fn<(session: Session) => typeof model>(() => model);
  const clock = fakeClock();
  const browserSession = createBrowserSession({
    fetch,
    clock,
    channel,
    lastMember,
    link,
    reloaded,
    staysOut,
    forgetLink,
    startModel,
    onSignedOut,
    onSignedOutElsewhere,
    leave,
  });
  return { browserSession, model, clock, onSignedOut, onSignedOutElsewhere, leave, forgetLink, startModel };
}

/** A session on a server that gives these answers in order. `asked` lists the requests. */
function sessionWith(...answers: (() => Response)[]) {
  return sessionOpenedBy(undefined, ...answers);
}

function sessionOpenedBy(link: string | undefined, ...answers: (() => Response)[]) {
  return sessionReloadedAfter(link, undefined, ...answers);
}

function sessionReloadedAfter(link: string | undefined, reloaded: LinkKind | undefined, ...answers: (() => Response)[]) {
  const asked: string[] = [];
  const fetch: Fetch = (_address, init) => {
    asked.push(`${init?.method ?? 'GET'} ${typeof init?.body === 'string' ? init.body : ''}`.trim());
    const answer = answers.shift();
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('cut'));
  };
  return { asked, ...tab(fetch, link, reloaded) };
}
const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init);

it('[R1.5] The browser session signs the first visitor in as the default member', async () => {
  const { browserSession, asked, startModel } = sessionWith(json(nobody), json(tanaka));
  await browserSession.open();
  expect(asked).toEqual(['GET', 'POST {"email":"tanaka@example.com"}']);
  expect(browserSession.state()).toMatchObject({ kind: 'signed-in', isFirstVisit: true });
  expect(startModel).toHaveBeenCalledWith(tanaka);
});

it('[R1.5] The browser session opens as the member who is signed in already, without another sign-in', async () => {
  const { browserSession, asked } = sessionWith(json(tanaka));
  await browserSession.open();
  expect(asked).toEqual(['GET']);
  expect(browserSession.state()).toMatchObject({ kind: 'signed-in', isFirstVisit: false });
});

it('[R1.5] The browser session shows the sign-in page to a returning visitor whose session has ended', async () => {
  await sessionWith(json(suzuki)).browserSession.open();
  const { browserSession, asked, onSignedOut } = sessionWith(json(nobody));
  await browserSession.open();
  expect(asked).toEqual(['GET']);
  expect(browserSession.state().kind).toBe('signed-out');
  expect(onSignedOut).not.toHaveBeenCalled();
});

it('[R1.5] After a sign-out, the browser session offers the sign-in page and signs in as the member that the visitor chooses there', async () => {
  const { browserSession, asked, onSignedOut } = sessionWith(json({ ...nobody, signed_out: true }), json(tanaka));
  await browserSession.open();
  expect(browserSession.state().kind).toBe('signed-out');
  expect(onSignedOut).toHaveBeenCalledOnce();
  expect(await browserSession.signIn('tanaka@example.com')).toBeUndefined();
  expect(asked).toEqual(['GET', 'POST {"email":"tanaka@example.com"}']);
  expect(browserSession.state().kind).toBe('signed-in');
});

it.each([
  ['a cut connection', [], { kind: 'network' }],
  ['500', [json({}, { status: 500 })], { kind: 'server' }],
  ['429', [json({}, { status: 429, headers: { 'Retry-After': '3' } })], { kind: 'busy', retryAfterSeconds: 3 }],
  [
    '400',
    [json({ result: 'error', msg: 'No.', code: 'BAD_REQUEST' }, { status: 400 })],
    { kind: 'refused', code: 'BAD_REQUEST', message: 'No.' },
  ],
  [
    '401',
    [json({ result: 'error', msg: 'No.', code: 'AUTHENTICATION_FAILED' }, { status: 401 })],
    { kind: 'refused', code: 'AUTHENTICATION_FAILED', message: 'No.' },
  ],
  ['an HTML 404', [() => new Response('<html>', { status: 404 })], { kind: 'malformed' }],
  ['an HTML 200', [() => new Response('<html>')], { kind: 'malformed' }],
])('[R8.4] The browser session reports the failure when the session cannot be read: %s', async (_case, answers, failure) => {
  const { browserSession } = sessionWith(...answers);
  await browserSession.open();
  expect(browserSession.state()).toEqual({ kind: 'failed', failure });
});

it('The browser session keeps a failure on the screen until the server answers the next attempt', async () => {
  const { browserSession } = sessionWith(json({}, { status: 500 }), json({}, { status: 500 }), json(tanaka));
  const places: string[] = [];
  browserSession.subscribe(() => places.push(browserSession.state().kind));
  await browserSession.open();
  await browserSession.open('again');
  await browserSession.open('again');
  expect(places).toEqual(['opening', 'failed', 'failed', 'signed-in']);
});

it('The browser session starts the model once if a second attempt begins before the server has answered the first', async () => {
  const { browserSession, startModel } = sessionWith(json(tanaka), json(tanaka));
  await Promise.all([browserSession.open(), browserSession.open('again')]);
  expect(startModel).toHaveBeenCalledOnce();
  expect(browserSession.state().kind).toBe('signed-in');
});

it('[R8.4] The browser session stays signed out when the sign-in fails, and returns the failure', async () => {
  const { browserSession } = sessionWith(json({ ...nobody, signed_out: true }));
  await browserSession.open();
  expect(await browserSession.signIn('tanaka@example.com')).toEqual({ kind: 'network' });
  expect(browserSession.state().kind).toBe('signed-out');
});

it('[R8.4] The browser session reports a network failure after 30 seconds without an answer', async () => {
  const { browserSession, clock } = tab(
    (_address, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
      }),
  );
  const opened = browserSession.open();
  await clock.pass(30_000);
  await opened;
  expect(browserSession.state()).toEqual({ kind: 'failed', failure: { kind: 'network' } });
});

it('[R1.5] When one tab switches to another member, the other tabs stop working as the previous member and keep that member’s drafts', async () => {
  const mine = sessionWith(json(tanaka));
  const same = sessionWith(json(suzuki));
  const other = sessionWith(json(tanaka), json(suzuki));
  for (const { browserSession } of [mine, same, other]) await browserSession.open();
  await other.browserSession.switchTo('suzuki@example.com');
  await vi.waitFor(() => expect(selectConnection(mine.model.state())).toBe('signed-out'));
  expect(mine.browserSession.state().kind).toBe('signed-in');
  expect(selectConnection(same.model.state())).toBe('starting');
  expect(mine.onSignedOutElsewhere).not.toHaveBeenCalled();
});

it('[R1.5] When the member signs out in one tab, the other tabs are signed out too and remove the member’s data', async () => {
  const mine = sessionWith(json(tanaka));
  await mine.browserSession.open();
  await sessionWith(json({ ...nobody, signed_out: true })).browserSession.open();
  await vi.waitFor(() => expect(selectConnection(mine.model.state())).toBe('signed-out'));
  expect(mine.onSignedOutElsewhere).toHaveBeenCalledExactlyOnceWith(tanaka.member?.user_id);
  // A frozen tab may receive the message after the member has returned and typed, so it must not clear the shared storage.
  expect(mine.onSignedOut).not.toHaveBeenCalled();
  expect(mine.leave).toHaveBeenCalledOnce();
});

it('[R1.5] The first visit to /logout signs nobody in', async () => {
  const { browserSession } = tab(() => Promise.resolve(json(nobody)()), undefined, undefined, true);
  await browserSession.open();
  expect(browserSession.state()).toEqual({ kind: 'signed-out', session: nobody });
});

it('A tab does not notify the other tabs if switching to another member fails', async () => {
  const mine = sessionWith(json(tanaka));
  const other = sessionWith(json(tanaka));
  for (const { browserSession } of [mine, other]) await browserSession.open();
  expect(await other.browserSession.switchTo('suzuki@example.com')).toEqual({ kind: 'network' });
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect(selectConnection(mine.model.state())).toBe('starting');
});

describe('The browser session on a server with passwords', () => {
  const closed: Session = { ...nobody, auth_mode: 'password', default_member: null };
  const ofTanaka: Session = { ...closed, member: tanaka.member };
  const ofSuzuki: Session = { ...closed, member: suzuki.member };
  const link = '#/invitation/abc';

  it('[R1.5] The browser session signs in with email and password, and never without a password', async () => {
    const { browserSession, asked } = sessionWith(json(closed), json(ofTanaka));
    await browserSession.open();
    expect(browserSession.state()).toEqual({ kind: 'signed-out', session: closed });
    expect(await browserSession.signIn('tanaka@example.com', 'ひみつのことば')).toBeUndefined();
    expect(asked).toEqual(['GET', 'POST {"email":"tanaka@example.com","password":"ひみつのことば"}']);
    expect(browserSession.state().kind).toBe('signed-in');
  });

  it('[R1.5] After the member’s session was ended on another device, the browser session shows the sign-in page and keeps the drafts', async () => {
    const { browserSession, model, onSignedOut, leave } = sessionWith(json(ofTanaka), json(closed));
    await browserSession.open();
    model.signOut();
    await vi.waitFor(() =>
      expect(browserSession.state()).toEqual({ kind: 'signed-out', session: closed, ended: 'tanaka@example.com' }),
    );
    expect(onSignedOut).not.toHaveBeenCalled();
    expect(leave).not.toHaveBeenCalled();
  });

  it.each([
    ['the server does not answer', []],
    ['another member has signed in', [json(ofSuzuki)]],
  ])('[R8.4] After the session has ended, the browser session keeps the screen if %s', async (_case, answers) => {
    const { browserSession, model, asked } = sessionWith(json(ofTanaka), ...answers);
    await browserSession.open();
    model.signOut();
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    expect(browserSession.state().kind).toBe('signed-in');
    expect(selectConnection(model.state())).toBe('signed-out');
  });

  it('[R1.5] When the same member signs in again in one tab, all tabs continue without a reload', async () => {
    const mine = sessionWith(json(ofTanaka), json(closed), json(ofTanaka));
    const other = sessionWith(json(ofTanaka), json(closed), json(ofTanaka));
    for (const { browserSession } of [mine, other]) await browserSession.open();
    for (const { model } of [mine, other]) model.signOut();
    for (const { browserSession } of [mine, other])
      await vi.waitFor(() => expect(browserSession.state().kind).toBe('signed-out'));
    await mine.browserSession.signIn('tanaka@example.com', 'ひみつのことば');
    await vi.waitFor(() => expect(other.browserSession.state().kind).toBe('signed-in'));
    for (const { startModel, leave } of [mine, other]) {
      expect(startModel).toHaveBeenCalledTimes(2);
      expect(leave).not.toHaveBeenCalled();
    }
  });

  it('[R1.5] When another member signs in, the browser session reloads the page, so that no data of the previous member stays on the screen', async () => {
    const { browserSession, model, leave, startModel } = sessionWith(json(ofTanaka), json(closed), json(ofSuzuki));
    await browserSession.open();
    model.signOut();
    await vi.waitFor(() => expect(browserSession.state().kind).toBe('signed-out'));
    await browserSession.signIn('suzuki@example.com', 'ひみつのことば');
    expect(leave).toHaveBeenCalledOnce();
    expect(startModel).toHaveBeenCalledOnce();
  });

  it('[R1.5] A signed-in member who opens an invitation link sees its page, and the browser session continues as the member whom the server returns', async () => {
    const { browserSession } = sessionOpenedBy(link, json(ofTanaka), json(ofSuzuki));
    await browserSession.open();
    expect(browserSession.state()).toEqual({ kind: 'signed-out', session: ofTanaka, link });
    browserSession.adopt(ofSuzuki);
    expect(browserSession.state()).toMatchObject({ kind: 'signed-in', member: ofSuzuki.member });
  });

  it('[R8.4] After a reload, the browser session says that the invitation link must be opened again, until a member signs in', async () => {
    const { browserSession, forgetLink } = sessionReloadedAfter(undefined, 'invitation', json(closed), json(ofTanaka));
    await browserSession.open();
    expect(browserSession.state()).toEqual({ kind: 'signed-out', session: closed, reloaded: 'invitation' });
    expect(forgetLink).not.toHaveBeenCalled();
    await browserSession.signIn('tanaka@example.com', 'ひみつのことば');
    expect(forgetLink).toHaveBeenCalledOnce();
  });

  it('[R8.4] The browser session removes the stored invitation link when the visitor leaves the invitation page', async () => {
    const { browserSession, forgetLink } = sessionOpenedBy(link, json(closed), json(closed));
    await browserSession.open();
    expect(forgetLink).not.toHaveBeenCalled();
    await browserSession.open();
    expect(forgetLink).toHaveBeenCalledOnce();
  });

  it('[R1.5] If the server fails while an invitation link is opened, the next attempt still uses the link, and later attempts do not', async () => {
    const { browserSession } = sessionOpenedBy(link, json({}, { status: 500 }), json(closed), json(ofTanaka));
    await browserSession.open();
    expect(browserSession.state().kind).toBe('failed');
    await browserSession.open();
    expect(browserSession.state()).toEqual({ kind: 'signed-out', session: closed, link });
    await browserSession.open();
    expect(browserSession.state().kind).toBe('signed-in');
  });
});
