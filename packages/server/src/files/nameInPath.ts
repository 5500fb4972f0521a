const mostStemCharacters = 60;

/**
 * The name of a file in the path of an upload: only letters and digits of any script and `_.-`, which need no escape in an address in a
 * message. It ends like the original name, because browsers offer the end as the name of a download.
 */
export function nameInPath(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^\p{L}\p{N}_.-]/gu, '');
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,20})?$/su.exec(plain) ?? [];
  const shortened = [...stem].slice(0, mostStemCharacters).join('');
  return `${/^\.*$/.test(shortened) ? 'file' : shortened}${extension}`;
}
