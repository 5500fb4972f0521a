import { CallCounts, networkOf, type RateLimit } from '@engawa/chat-server/parts';
import { refused } from '../http/errors.ts';

const seconds = 60 * 60;
/** Letters about a forgotten password (decision 29). Requests from a known device count only for this device. */
const limits = {
  /** For one email from one network. */
  emailInNetwork: { calls: 3, seconds },
  /** For one email from all networks. The newest letter has a valid link, so the member can still sign in. */
  email: { calls: 6, seconds },
  /** For all emails from one network, so that nobody sends letters to the whole organisation. */
  network: { calls: 20, seconds },
  /** For one email on a device on which this member has signed in before. */
  device: { calls: 3, seconds },
} satisfies Readonly<Record<string, RateLimit>>;

interface LetterRequest {
  readonly email: string;
  readonly address: string;
  readonly device: string | undefined;
}

/** Decides whether a requested letter is sent, without looking for the member. @throws RefusedError after too many for a network. */
export function passwordLetters(now: () => number): (request: LetterRequest) => boolean {
  const counts = (limit: RateLimit) => new CallCounts({ now }, limit);
  const ofEmailInNetwork = counts(limits.emailInNetwork);
  const ofEmail = counts(limits.email);
  const ofNetwork = counts(limits.network);
  const ofDevice = counts(limits.device);

  return ({ email, address, device }) => {
    const name = email.toLowerCase();
    if (device !== undefined) return !ofDevice.spend(`${name} ${device}`).exceeded;
    const network = networkOf(address) ?? '';
    // Repeated requests for one member do not use up the letters of the network.
    if (ofEmailInNetwork.spend(`${name} ${network}`).exceeded) return false;
    const { exceeded, reset } = ofNetwork.spend(network);
    if (exceeded) throw refused.tooManyAttempts(reset - now() / 1000);
    return !ofEmail.spend(name).exceeded;
  };
}
