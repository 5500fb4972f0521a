import type { Session } from '@engawa/protocol/product';
import type { Ask } from '../../model/connection/signedOutCall.ts';
import type { Failure } from '../../model/connection/failure.ts';

/** What every way in is given. */
export interface SignedOutProps {
  readonly session: Session;
  /** What somebody came by, as it stood in the address; they may be signed in already. */
  readonly link?: string | undefined;
  /** The email of whoever was inside until their session was ended elsewhere. */
  readonly ended?: string | undefined;
  /** The page was loaded anew, so that the link of this kind has to be opened again. */
  readonly reloaded?: 'invitation' | 'password' | undefined;
  readonly browserSession: {
    /** Answers why it could not be done. */
    readonly signIn: (email: string, password?: string) => Promise<Failure | undefined>;
    readonly ask: Ask;
    /** With the session of whoever has come in by another way. */
    readonly adopt: (session: Session) => void;
    /** As whoever comes without a link. */
    readonly open: () => Promise<void>;
  };
}
