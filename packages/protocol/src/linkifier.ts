import { z } from 'zod';

/** A pattern (RE2) whose hits become links, and the address that they lead to (RFC 6570). */
const current = z.object({ id: z.int(), pattern: z.string(), url_template: z.string() });

/** The same before feature level 176, when the address was a format of Python's. */
const formatted = z
  .object({ id: z.int(), pattern: z.string(), url_format: z.string() })
  .transform(({ id, pattern, url_format }) => ({ id, pattern, url_template: urlTemplateOf(url_format) }));

export const linkifier = z.union([current, formatted]);
export type Linkifier = z.output<typeof linkifier>;

/** `https://example.com/%(id)s` in the words of RFC 6570: `https://example.com/{id}`. */
export function urlTemplateOf(format: string): string {
  return format.replaceAll(/%\((\w+)\)s|%%/g, (_, name?: string) => (name === undefined ? '%' : `{${name}}`));
}
