/** A file that was changed after it was chosen, which browsers cannot read. */
export function changedFile(name: string): File {
  const file = new File(['12345'], name);
  return Object.assign(file, { ...unreadable, slice: () => Object.assign(new Blob(), unreadable) });
}

const refuse = () => Promise.reject(new DOMException('the file has changed', 'NotReadableError'));
const unreadable = { arrayBuffer: refuse, text: refuse };
