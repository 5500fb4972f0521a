/** R1.5: the session of this browser, which all of its tabs share, and the calls that begin or change it. */
import type { Clock, Fetch } from '@engawa/client';
import { paths, session as sessionSchema, type Session } from '@engawa/protocol/product';
import { z } from 'zod/mini';
import { askingBy } from '../model/connection/signedOutCall.ts';
import type { Failure } from '../model/connection/failure.ts';
import type { Model } from '../model/model.ts';
import type { LastMember } from './lastMember.ts';
import type { LinkKind } from './link.ts';
import { selectConnection } from '../model/connection/state.ts';
import { createSignal } from '../model/signal.ts';

type State =
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | {
      readonly kind: 'signed-out';
      readonly session: Session;
      readonly link?: string;
      /** The email of the member whose session was ended on another device. */
      readonly ended?: string;
      /** Set if the page was reloaded after it opened a link of this kind: the member must open the link again. */
      readonly reloaded?: LinkKind;
    }
  | {
      readonly kind: 'signed-in';
      readonly session: Session;
      readonly member: NonNullable<Session['member']>;
      /** Whether the visitor was signed in as the default member, without a choice. */
      readonly isFirstVisit: boolean;
      readonly model: Model;
    };

export interface BrowserSessionOptions {
  readonly fetch: Fetch;
  readonly clock?: Clock;
  readonly channel: BroadcastChannel;
  readonly lastMember: LastMember;
  /** The invitation or password link that opened the page. The fake sign-in ignores it. */
  readonly link?: string | undefined;
  readonly reloaded?: LinkKind | undefined;
  /** Set if the visitor opened `/logout`: the fake sign-in lists the members and signs nobody in. */
  readonly staysOut?: boolean;
  readonly forgetLink: () => void;
  readonly startModel: (session: Session) => Model;
  readonly onSignedOut: (userId: number | undefined) => void;
  /** Called after a sign-out in another tab, which has cleared the shared storage already. A frozen tab gets this call late. */
  readonly onSignedOutElsewhere: (userId: number | undefined) => void;
  readonly leave: () => void;
}

/** The message between tabs: the member of the session, or null after a sign-out. */
const sessionChange = z.object({ member: z.nullable(z.int()) });

function connectTabs(channel: BroadcastChannel, onChange: (member: number | null) => void): (member: number | null) => void {
  channel.addEventListener('message', ({ data }) => {
    const change = sessionChange.safeParse(data).data;
    if (change) onChange(change.member);
  });
  const post = channel.postMessage.bind(channel);
  return (member) => post({ member } satisfies z.output<typeof sessionChange>);
}

export type BrowserSession = ReturnType<typeof createBrowserSession>;

export function createBrowserSession(options: BrowserSessionOptions) {
  const {
    channel,
    lastMember,
    reloaded,
    staysOut = false,
    forgetLink,
    startModel,
    onSignedOut,
    onSignedOutElsewhere,
    leave,
  } = options;
  const ask = askingBy(options);
  const changed = createSignal();
  let state: State = { kind: 'opening' };
  let { link } = options;
  let shownMember: number | undefined;
  /** Counts the calls of `open`, so that only the answer to the last call is used. */
  let attempts = 0;

  const setState = (next: State) => {
    state = next;
    changed.emit();
  };

  const notifyTabs = connectTabs(channel, (member) => {
    if (member === null) onSignedOutElsewhere(lastMember.get());
    // After a sign-in in another tab, this tab opens its session as well.
    if (member !== null && state.kind === 'signed-out' && !state.link) void open();
    if (state.kind !== 'signed-in' || state.member.user_id === member) return;
    state.model.signOut();
    if (member === null) leave();
  });

  const enter = (session: Session, isFirstVisit = false) => {
    const { member } = session;
    if (member || !reloaded) forgetLink();
    if (!member) return setState({ kind: 'signed-out', session, ...(reloaded && { reloaded }) });
    lastMember.remember(member.user_id);
    // The page is reloaded, because nothing of the previous member may remain on the screen.
    if (shownMember !== undefined && shownMember !== member.user_id) return leave();
    shownMember = member.user_id;
    const model = startModel(session);
    setState({ kind: 'signed-in', session, member, isFirstVisit, model });
    if (session.auth_mode === 'password') {
      model.watch(selectConnection, () => selectConnection(model.state()) === 'signed-out' && void showOut(model));
    }
  };

  const showOut = async (model: Model) => {
    const found = await ask(paths.session, sessionSchema);
    if ('failure' in found || found.said.member || found.said.signed_out) return;
    if (state.kind !== 'signed-in' || state.model !== model) return;
    setState({ kind: 'signed-out', session: found.said, ended: state.member.email });
    await model.stop();
  };

  const notifyOf = ({ member }: Session) => notifyTabs(member?.user_id ?? null);
  const adopt = (session: Session, isFirstVisit = false) => {
    notifyOf(session);
    enter(session, isFirstVisit);
  };

  const signIn = async (email: string, then: (session: Session) => void, password?: string) => {
    const answer = await ask(paths.session, sessionSchema, { email, password });
    if ('failure' in answer) return answer.failure;
    then(answer.said);
    return undefined;
  };

  /** With the fake sign-in, the first visit signs in as the default member. `again` keeps the screen until the server answers. */
  const open = async (again?: 'again'): Promise<void> => {
    const attempt = ++attempts;
    if (!again) setState({ kind: 'opening' });
    const found = await ask(paths.session, sessionSchema);
    if (attempt !== attempts) return;
    if ('failure' in found) return setState({ kind: 'failed', failure: found.failure });
    const { member, auth_mode, signed_out, default_member } = found.said;
    if (signed_out) {
      onSignedOut(lastMember.get());
      // All ways to sign out end with this call, so this is the place to notify the other tabs.
      notifyTabs(null);
    }
    if (link && auth_mode === 'password') {
      setState({ kind: 'signed-out', session: found.said, link });
      link = undefined;
      return;
    }
    const isFirstVisit = !signed_out && !staysOut && lastMember.get() === undefined;
    if (member || auth_mode !== 'fake' || !isFirstVisit || default_member === null) {
      enter(found.said);
      return;
    }
    const failure = await signIn(default_member, (said) => adopt(said, true));
    if (failure && attempt === attempts) setState({ kind: 'failed', failure });
  };

  return {
    subscribe: changed.subscribe,
    state: (): State => state,
    open,
    signIn: (email: string, password?: string): Promise<Failure | undefined> => signIn(email, adopt, password),
    ask,
    adopt,
    /** Signs in as another member without changing the screen. The caller reloads the page. */
    switchTo: (email: string): Promise<Failure | undefined> => signIn(email, notifyOf),
  };
}
