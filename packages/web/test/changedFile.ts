/** A file as the browser has one that was saved again since it was chosen: it cannot be read any more. */
export function changedFile(name: string): File {
  const file = new File(['12345'], name);
  const unreadable = new Blob();
  unreadable.arrayBuffer = () => Promise.reject(new DOMException('the file has changed', 'NotReadableError'));
  file.slice = () => unreadable;
  return file;
}
