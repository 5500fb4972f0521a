/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export function fieldsOf(text: string): Fields {
  const value: unknown = JSON.parse(text);
  if (!isFields(value)) throw new TypeError('the JSON is no object');
  return value;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The named fields of those that exist. @param names separated by spaces. */
export function pick(fields: Fields, names: string): Fields {
  return Object.fromEntries(names.split(/\s+/).flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));
}
