/**
 * The Content-Disposition that saves a file under its name (RFC 6266): `filename*` for everyone, and an ASCII likeness
 * for what does not know it. No character of the name reaches the header unescaped.
 */
export function attachment(name: string): string {
  const likeness = name.replace(/[^\w.() -]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, inPerCent);
  return `attachment; filename="${likeness}"; filename*=UTF-8''${encoded}`;
}

function inPerCent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
