/** The way in (R1.5): who is signed in, and signing in. What comes from the server is parsed here. */
import type { Clock, Fetch } from '@engawa/client';
import { paths, session as sessionSchema, type Session } from '@engawa/protocol/product';
import { z } from 'zod';
import { askingBy, type Ask } from '../model/connection/signedOutCall.ts';
import type { Failure } from '../model/connection/failure.ts';
import type { Model } from '../model/createModel.ts';
import type { LastMember } from './lastMember.ts';
import type { LinkKind } from './link.ts';
import { selectConnection } from '../model/connection/state.ts';

type State =
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Nobody is signed in, or somebody has come by a link. */
  | {
      readonly kind: 'signed-out';
      readonly session: Session;
      /** As it stood in the address. */
      readonly link?: string;
      /** The email of whoever was inside until their session was ended elsewhere. */
      readonly ended?: string;
      /** The page was loaded anew, so that the link has to be opened again. */
      readonly reloaded?: LinkKind;
    }
  | {
      readonly kind: 'signed-in';
      readonly session: Session;
      readonly member: NonNullable<Session['member']>;
      readonly model: Model;
    };

export interface BrowserSession {
  subscribe(listener: () => void): () => void;
  state(): State;
  /**
   * Goes in as whoever is signed in. In the fake mode the first visitor of all goes in as the default member; whoever has
   * been here before, and whose session has ended, is asked who they are.
   * @param again what stands on the screen stays there until there is an answer.
   */
  open(again?: 'again'): Promise<void>;
  signIn(email: string, password?: string): Promise<Failure | undefined>;
  /** For the other ways in: by founding the organisation, by an invitation, by a link for a password. */
  readonly ask: Ask;
  /** Goes in with the session that such a way has ended in. */
  adopt(session: Session): void;
  /** Leaves the house as it is, for a reload to open it anew as another member. */
  switchTo(email: string): Promise<Failure | undefined>;
}

export interface BrowserSessionOptions {
  readonly fetch: Fetch;
  readonly clock?: Clock;
  /** The entrances of all tabs of this browser: they have one session together. */
  readonly channel: BroadcastChannel;
  readonly lastMember: LastMember;
  /** What the address held when the page was loaded. Whoever signs in by being picked has no use for it. */
  readonly link?: string | undefined;
  /** Of which kind the link was that stood in the address before the page was loaded anew. */
  readonly reloaded?: LinkKind | undefined;
  /** It has served, or was left on purpose. */
  readonly forgetLink: () => void;
  readonly startModel: (session: Session) => Model;
  /** The member has signed out on purpose. Undefined where nobody knows who it was. */
  readonly onSignedOut: (userId: number | undefined) => void;
  /** The same, in another tab, which has seen to what the tabs have together; old news of it may come to one that was frozen. */
  readonly onSignedOutElsewhere: (userId: number | undefined) => void;
  /** Opens the page anew, so that nothing stays on the screen of a member who has signed out. */
  readonly leave: () => void;
}

/** What tabs say to each other: whose the browser's session is now; nobody's when the member has signed out. */
const news = z.object({ member: z.int().nullable() });

export function createBrowserSession(options: BrowserSessionOptions): BrowserSession {
  const { channel, lastMember, reloaded, forgetLink, startModel, onSignedOut, onSignedOutElsewhere, leave } = options;
  const ask = askingBy(options);
  const listeners = new Set<() => void>();
  let state: State = { kind: 'opening' };
  let { link } = options;
  /** Whose house this page has shown. */
  let shownMember: number | undefined;
  /** How often the house was to be opened: the last time counts. */
  let attempts = 0;

  const setState = (next: State) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const post = channel.postMessage.bind(channel);
  const tell = (member: number | null) => post({ member } satisfies z.output<typeof news>);

  channel.addEventListener('message', ({ data }) => {
    const heard = news.safeParse(data).data;
    if (!heard) return;
    if (heard.member === null) onSignedOutElsewhere(lastMember.get());
    // Signed in again in another tab is signed in again here.
    if (heard.member !== null && state.kind === 'signed-out' && !state.link) void open();
    if (state.kind !== 'signed-in' || state.member.user_id === heard.member) return;
    state.model.signOut();
    if (heard.member === null) leave();
  });

  const enter = (session: Session) => {
    const { member } = session;
    if (member || !reloaded) forgetLink();
    if (!member) return setState({ kind: 'signed-out', session, ...(reloaded && { reloaded }) });
    lastMember.remember(member.user_id);
    // Nothing may stay on the screen of whoever was here before.
    if (shownMember !== undefined && shownMember !== member.user_id) return leave();
    shownMember = member.user_id;
    const model = startModel(session);
    setState({ kind: 'signed-in', session, member, model });
    if (session.auth_mode === 'password') {
      model.watch(selectConnection, () => selectConnection(model.state()) === 'signed-out' && void showOut(model));
    }
  };

  /** The session was ended elsewhere. What the member has written waits for them; where nobody can tell, the house says so. */
  const showOut = async (model: Model) => {
    const found = await ask(paths.session, sessionSchema);
    if ('failure' in found || found.said.member || found.said.signed_out) return;
    if (state.kind !== 'signed-in' || state.model !== model) return;
    setState({ kind: 'signed-out', session: found.said, ended: state.member.email });
    await model.stop();
  };

  const tellOf = ({ member }: Session) => tell(member?.user_id ?? null);
  const adopt = (session: Session) => {
    tellOf(session);
    enter(session);
  };

  const signIn = async (email: string, then: (session: Session) => void, password?: string) => {
    const answer = await ask(paths.session, sessionSchema, { email, password });
    if ('failure' in answer) return answer.failure;
    then(answer.said);
    return undefined;
  };

  const open = async (again?: 'again') => {
    const attempt = ++attempts;
    if (!again) setState({ kind: 'opening' });
    const found = await ask(paths.session, sessionSchema);
    if (attempt !== attempts) return;
    if ('failure' in found) {
      setState({ kind: 'failed', failure: found.failure });
      return;
    }
    const { member, auth_mode, signed_out, default_member } = found.said;
    if (signed_out) {
      onSignedOut(lastMember.get());
      // However the member has signed out, the way leads through here.
      tell(null);
    }
    if (link && auth_mode === 'password') {
      setState({ kind: 'signed-out', session: found.said, link });
      link = undefined;
      return;
    }
    const isFirstVisit = !signed_out && lastMember.get() === undefined;
    if (member || auth_mode !== 'fake' || !isFirstVisit || default_member === null) {
      enter(found.said);
      return;
    }
    const failure = await signIn(default_member, adopt);
    if (failure && attempt === attempts) setState({ kind: 'failed', failure });
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    open,
    signIn: (email, password) => signIn(email, adopt, password),
    ask,
    adopt,
    switchTo: (email) => signIn(email, tellOf),
  };
}
