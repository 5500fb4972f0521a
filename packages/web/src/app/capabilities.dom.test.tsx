/** Presses each control of the screens on a server that has no capability. */
import { act, fireEvent, type RenderResult } from '@testing-library/react';
import type { Session } from '@engawa/protocol/product';
import { Fragment, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { chatServer } from '../../test/chatServer.ts';
import type { Example } from '../../test/example.ts';
import { ai, design, ken } from '../../test/organisation.ts';
import { screenOf } from '../../test/screen.tsx';
import { Administration, AdministrationSections } from '../features/administration/Administration.tsx';
import { ChatHeader } from '../features/chat/ChatHeader.tsx';
import { StreamDialog } from '../features/chat/stream/StreamDialogs.tsx';
import { MemberCard } from '../features/members/MemberCard.tsx';
import { Search } from '../features/search/Search.tsx';
import { PasswordSignIn } from '../features/session/PasswordSignIn.tsx';
import { ProfileDialog } from '../features/settings/ProfileDialog.tsx';
import { Settings } from '../features/settings/Settings.tsx';
import { StatusDialog } from '../features/settings/StatusDialog.tsx';
import { Directs } from '../features/streams/Directs.tsx';
import { Streams } from '../features/streams/Streams.tsx';
import { MemberCardProvider } from '../hooks/memberCard.ts';
import { ModelProvider, useCommands, useModel } from '../hooks/model.ts';
import { ja } from '../i18n/ja.ts';
import { ja as notifications } from '../i18n/notifications.ja.ts';
import { ja as settings } from '../i18n/settings.ja.ts';
import { selectConversation, selectStream } from '../model/conversations/selectors.ts';
import { createSignal } from '../model/signal.ts';
import { selectMe } from '../model/people/selectors.ts';
import { directOf, type ConversationKey } from '../model/streams/conversation.ts';

const direct = directOf([ai.user_id, ken.user_id]);

/** A callback of the screens that leave it to the app. */
const called = vi.fn<() => void>();
const address = String;
const search = { open: called, preload: () => undefined };
const memberCard = { open: called, preload: () => undefined };

interface Screen {
  readonly name: string;
  readonly show: (session: Session) => ReactNode;
  /** Opens the part of the screen that has the controls. */
  readonly open?: (screen: RenderResult) => Promise<void>;
}

const screens: readonly Screen[] = [
  { name: 'the settings', show: settingsOf, open: openSecurity },
  { name: 'the profile form', show: () => <OwnProfile /> },
  { name: 'the dialog of the status', show: () => <StatusDialog status={undefined} onClose={called} /> },
  { name: 'the administration', show: administrationOf },
  { name: 'the header of a stream', show: () => <Header conversation={design.stream_id} /> },
  { name: 'the menu of a stream', show: () => <Header conversation={design.stream_id} />, open: openMenu },
  { name: 'the header of a direct conversation', show: () => <Header conversation={direct} /> },
  { name: 'the menu of a direct conversation', show: () => <Header conversation={direct} />, open: openMenu },
  { name: 'the profile of a stream', show: () => <Profile /> },
  { name: 'the list of streams', show: () => <Streams {...lists} directsAddress="#" mentionsAddress="#" /> },
  { name: 'the list of direct conversations', show: () => <Directs {...lists} streamsAddress="#" /> },
  { name: 'the card of the member', show: () => card(ai.user_id) },
  { name: 'the card of another member', show: () => card(ken.user_id) },
  { name: 'the search', show: () => <Search open addressOf={address} onGo={called} onClose={called} /> },
  { name: 'the sign-in', show: () => signIn },
];

const lists = { addressOf: address, plainText: address, onOpen: called };

const signIn = (
  <PasswordSignIn
    organisation="株式会社 縁側"
    note={undefined}
    email=""
    managesAccounts={false}
    onSignIn={() => Promise.resolve(undefined)}
    onForgotten={called}
  />
);

function settingsOf(session: Session): ReactNode {
  return (
    <Settings
      session={session}
      theme="system"
      onTheme={called}
      addressOfHelp={address}
      administrationAddress="#"
      onSwitchMember={undefined}
      logoutAddress="/logout"
      asksToSignOut={undefined}
      onStay={called}
    />
  );
}

async function openSecurity({ findByRole, findByText }: RenderResult): Promise<void> {
  fireEvent.click(await findByRole('button', { name: settings.page.security }));
  await findByText(settings.sessions.endOthers);
}

async function openMenu({ findByRole }: RenderResult): Promise<void> {
  fireEvent.click(await findByRole('button', { name: ja.streamTools.more }));
  await findByRole('menu');
}

function administrationOf(session: Session): ReactNode {
  const shared = { session, section: undefined, addressOf: address };
  return (
    <>
      <AdministrationSections {...shared} isBesideSection backAddress="#" onRefused={undefined} />
      <Administration {...shared} chatAddress="#" backAddress={undefined} onRefused={called} />
    </>
  );
}

function card(userId: number): ReactNode {
  const callbacks = { addressOfStream: address, addressOfDirect: address, onEditProfile: called, onClose: called };
  return <MemberCard userId={userId} beside={undefined} {...callbacks} />;
}

function Header({ conversation }: { readonly conversation: ConversationKey }) {
  const view = useModel(selectConversation, conversation);
  return view && <ChatHeader view={view} search={search} onBack={called} />;
}

function Profile() {
  const stream = useModel(selectStream, design.stream_id);
  return stream && <StreamDialog tool="profile" stream={stream} onClose={called} />;
}

function OwnProfile() {
  const me = useModel(selectMe);
  const model = useCommands();
  useEffect(() => model.loadProfile(), [model]);
  return me && <ProfileDialog me={me} onClose={called} />;
}

const controls = 'a, button, input:is([type="radio"], [type="checkbox"], [type="file"]), select';

/** The controls that claim to do something, by their place among all. */
function enabledControls(): readonly HTMLElement[] {
  return [...document.body.querySelectorAll<HTMLElement>(controls)].filter(
    (control) => control.getAttribute('aria-disabled') !== 'true' && !control.matches(':disabled, [hidden] *, [hidden]'),
  );
}

/** Calls to the server that only a server with a capability answers. */
const absentCalls = /\/api\/(?:administration|account|accounts|api-keys|password|setup)\b|\/read_receipts$/;

/** The words of a failed call. */
const refusal = /サーバー(?:が受け付け|で問題が|の返事)/;

/** Controls that play a sound, ask the browser for a file, or change the language that this test reads. */
function isLeftOut(control: HTMLElement): boolean {
  if (control.matches('[type="file"]')) return true;
  return [notifications.listen, settings.page.english].includes(nameOf(control));
}

function nameOf(control: HTMLElement): string {
  return control.getAttribute('aria-label') ?? control.closest('label')?.textContent ?? control.textContent;
}

function press(control: HTMLElement): void {
  if (control instanceof HTMLSelectElement) {
    const other = [...control.options].find(({ selected }) => !selected);
    if (other) fireEvent.change(control, { target: { value: other.value } });
  } else {
    fireEvent.click(control);
  }
}

/** The number of calls, without those that the model makes by itself. */
function callsOf({ calls }: Example['server']): number {
  return calls.filter(({ name }) => name !== 'GET /events' && name !== 'POST /users/me/presence').length;
}

/** Whether something happens after the press: a change of the page, a call, or a callback. An item of a menu closes the menu as well. */
async function does(control: HTMLElement, server: Example['server']): Promise<boolean> {
  if (control instanceof HTMLAnchorElement && control.getAttribute('href') !== null) return true;
  if (control instanceof HTMLInputElement && control.checked) return true;
  const isMenuItem = control.matches('[role="menuitem"]');
  const calls = callsOf(server);
  let isChanged = false;
  const observer = new MutationObserver(() => {
    isChanged = !isMenuItem || document.body.querySelector('dialog') !== null;
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  called.mockClear();
  const isDone = () => isChanged || callsOf(server) > calls || called.mock.calls.length > 0;
  await act(async () => press(control));
  for (let tries = 0; tries < 50 && !isDone(); tries += 1) {
    await act(async () => new Promise((resolve) => setTimeout(resolve, 10)));
  }
  observer.disconnect();
  return isDone();
}

type Mounts = ReturnType<typeof createMounts>;

function createMounts() {
  const changed = createSignal();
  let count = 0;
  const next = () => {
    count += 1;
    changed.emit();
  };
  return { subscribe: changed.subscribe, count: () => count, next };
}

/** Shows its children as at first after each `next`. */
function Remounted({ mounts, children }: { readonly mounts: Mounts; readonly children: ReactNode }) {
  return <Fragment key={useSyncExternalStore(mounts.subscribe, mounts.count)}>{children}</Fragment>;
}

async function shown({ show }: Screen) {
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: () => Promise.resolve('denied') });
  Object.defineProperty(navigator, 'permissions', {
    value: { query: () => Promise.resolve(new EventTarget()) },
    configurable: true,
  });
  const ends = { address: '', browser: 'Firefox', system: null, signed_in: 0, last_used: 0 };
  const sessions = ['1', '2'].map((id) => ({ ...ends, id, current: id === '1' }));
  const server = await chatServer();
  server.respond('GET /api/sessions', () => Response.json({ sessions }));
  server.respond('DELETE /api/sessions/2', () => Response.json({}));
  await server.send(ken, direct, 'おつかれさまです');
  const mounts = createMounts();
  const screen = await screenOf(
    ({ model }) => {
      // Calls do not depend on the chat server, and are tested elsewhere.
      const session = { ...model.session, auth_mode: 'password' as const, calls: false };
      return (
        <ModelProvider value={{ ...model, session }}>
          <MemberCardProvider value={memberCard}>
            <Remounted mounts={mounts}>{show(session)}</Remounted>
          </MemberCardProvider>
        </ModelProvider>
      );
    },
    { server, capabilities: [] },
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return { ...screen, again: () => act(mounts.next) };
}

describe('A server without capabilities', () => {
  it.each(screens)('[R7.8] Each enabled control of $name does something, and nothing waits forever', async (each) => {
    const screen = await shown(each);
    const open = async () => {
      await each.open?.(screen);
      await vi.waitFor(() => expect(document.body.querySelector(`output[aria-label="${ja.loading}"]`)).toBeNull());
    };
    await open();
    const dead: string[] = [];
    const count = enabledControls().length;
    expect(count).toBeGreaterThan(0);
    for (let index = 0; index < count; index += 1) {
      const control = enabledControls()[index];
      if (!control) continue;
      const name = nameOf(control);
      if (!isLeftOut(control) && !(await does(control, screen.server))) dead.push(name);
      const alerts = [...document.body.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent).join('');
      if (refusal.test(alerts)) dead.push(`${name}: ${alerts}`);
      screen.again();
      await open();
    }
    expect(dead).toEqual([]);
    expect(screen.server.calls.map((call) => call.name).filter((name) => absentCalls.test(name))).toEqual([]);
  });
});
