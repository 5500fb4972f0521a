/** An address as browsers define it: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const address = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** Characters: 64 before and 255 after the @ (RFC 5321, 4.5.3.1). */
const mostCharacters = 320;

export function isEmailAddress(text: string): boolean {
  return text.length <= mostCharacters && address.test(text);
}
