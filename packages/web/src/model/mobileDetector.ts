/** R8.3: what a browser says of the device that it runs on. */

const mobileNames = /android|iphone|ipad|ipod|mobile|tablet|silk|kindle|opera mini|windows phone/i;

export class NoUserAgentError extends Error {
  override readonly name = 'NoUserAgentError';

  constructor() {
    super('Failed to look for user agent information.');
  }
}

/**
 * Whether it says to be a telephone or a tablet. An iPad that asks for desktop pages says to be a Mac, so layout and
 * keys go by media queries instead; this is for what those cannot tell.
 * @throws NoUserAgentError where it says nothing.
 */
export function isMobileDevice(userAgent: string | undefined): boolean {
  if (userAgent === undefined || userAgent === '') throw new NoUserAgentError();
  return mobileNames.test(userAgent);
}
