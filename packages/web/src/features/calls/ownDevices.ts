/** Whether a member can speak and use their camera. */
import type { DeviceProblem, OwnCall } from '../../model/calls/ownCall.ts';

const silencing: readonly DeviceProblem[] = ['insecure', 'unsupported', 'refused', 'noMicrophone', 'microphoneInUse'];

/** Without a microphone a member can only listen. */
export const isSilenced = (problems: readonly DeviceProblem[]): boolean =>
  problems.some((problem) => silencing.includes(problem));

/** In a call. False also after the microphone was unplugged. */
export const canSpeak = ({ participants }: OwnCall): boolean =>
  participants.some(({ isSelf, listenOnly }) => isSelf && !listenOnly);

/** A camera that is on can be turned off, even if there are too many participants for cameras. */
export const canUseCamera = ({ camera, camerasAllowed, listensOnly }: OwnCall): boolean =>
  camera || (camerasAllowed && !listensOnly);
