/** R8.3: recognises telephones and tablets by their user agent. */

const mobileNames = /android|iphone|ipad|ipod|mobile|tablet|silk|kindle|opera mini|windows phone/i;

export class NoUserAgentError extends Error {
  override readonly name = 'NoUserAgentError';

  constructor() {
    super('Failed to look for user agent information.');
  }
}

/**
 * Whether the user agent is a telephone or a tablet. An iPad that requests desktop pages claims to be a Mac, so layout and keys
 * use media queries instead.
 * @throws NoUserAgentError without a user agent.
 */
export function isMobileDevice(userAgent: string | undefined): boolean {
  if (userAgent === undefined || userAgent === '') throw new NoUserAgentError();
  return mobileNames.test(userAgent);
}
