/** RFC 6266: `filename*`, and an ASCII fallback for old clients. No character of the name reaches the header unescaped. */
export function attachment(name: string): string {
  const likeness = name.replace(/[^\w.() -]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, inPerCent);
  return `attachment; filename="${likeness}"; filename*=UTF-8''${encoded}`;
}

function inPerCent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
