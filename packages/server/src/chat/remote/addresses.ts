/**
 * A JSON key with its text. It finds no part of a text, because quotation marks in there are escaped.
 * The bound is far above each of these addresses.
 */
const addressed = /"(email_address|avatar_url|avatar_url_medium)":(\s*)"((?:[^"\\]|\\.){0,4000})"/g;
const property = /"property":\s*"email_address"/;

/**
 * Removes from a reply what must not reach a browser: the secret addresses that post into a stream by mail, and pictures at other
 * servers, which the content security policy blocks. Pictures of Zulip itself are at the same path of the product.
 */
export function withoutAddresses(reply: Buffer): Buffer {
  // Latin 1 maps each byte to a character, so the reply is neither decoded nor validated.
  const text = reply.toString('latin1');
  const shown = text.replace(addressed, (_, key: string, space: string, address: string) =>
    key === 'email_address' ? `"${key}":${space}""` : `"${key}":${space}${pictureOf(address)}`,
  );
  const safe = shown === text ? reply : Buffer.from(shown, 'latin1');
  return property.test(shown) ? withoutAddressEvents(safe) : safe;
}

const ownPicture = /^(?:https?:\/\/[^/"\\]+)?(\/user_avatars\/[^"\\]*)$/;

function pictureOf(address: string): string {
  const path = ownPicture.exec(address)?.[1];
  return path === undefined ? 'null' : `"${path}"`;
}

/** Events of a changed address have it in `value`. */
function withoutAddressEvents(reply: Buffer): Buffer {
  const events: unknown = JSON.parse(reply.toString('utf8'), (_, value: unknown) =>
    isAddressEvent(value) ? { ...value, value: '' } : value,
  );
  return Buffer.from(JSON.stringify(events));
}

function isAddressEvent(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'property' in value && value.property === 'email_address';
}
