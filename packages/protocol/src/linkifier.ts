import { z } from 'zod/mini';

/** A pattern (RE2) whose matches become links, and their URL template (RFC 6570). */
const current = z.object({ id: z.int(), pattern: z.string(), url_template: z.string() });

/** The form before feature level 176, where the address is a Python format. */
const formatted = z.pipe(
  z.object({ id: z.int(), pattern: z.string(), url_format: z.string() }),
  z.transform(({ id, pattern, url_format }) => ({ id, pattern, url_template: urlTemplateOf(url_format) })),
);

export const linkifier = z.union([current, formatted]);
export type Linkifier = z.output<typeof linkifier>;

/** Converts a Python format to RFC 6570: `https://example.com/%(id)s` to `https://example.com/{id}`. */
export function urlTemplateOf(format: string): string {
  return format.replaceAll(/%\((\w+)\)s|%%/g, (_, name?: string) => (name === undefined ? '%' : `{${name}}`));
}
