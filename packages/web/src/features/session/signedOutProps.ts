import type { Session } from '@engawa/protocol/product';
import type { Ask } from '../../model/connection/signedOutCall.ts';
import type { Failure } from '../../model/connection/failure.ts';

export interface SignedOutProps {
  readonly session: Session;
  /** The hash of the link that opened the page. A member may be signed in already. */
  readonly link?: string | undefined;
  readonly ended?: string | undefined;
  /** The page was reloaded, so the member must open the link of this kind again. */
  readonly reloaded?: 'invitation' | 'password' | undefined;
  /** Called after the setup has created the organisation. */
  readonly onFounded: () => void;
  readonly browserSession: {
    readonly signIn: (email: string, password?: string) => Promise<Failure | undefined>;
    readonly ask: Ask;
    /** Uses the session that setup, an invitation or a password link returned. */
    readonly adopt: (session: Session) => void;
    readonly open: () => Promise<void>;
  };
}
