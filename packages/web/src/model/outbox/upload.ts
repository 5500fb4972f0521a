import { NetworkError, readReply } from '@engawa/client';

export interface UploadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: File;
  /** The file's name as people see it, and as the server keeps it (R7.2). */
  readonly name: string;
  readonly storedName: string;
  /** @param fraction 0 to 1 */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Brings a file to the server.
 * @throws CallError, as a call of the chat API does; the signal's reason when it was given up.
 */
export type Upload = (request: UploadRequest) => Promise<void>;

/** fetch tells nobody how far it is; XMLHttpRequest does. */
export const uploadByXHR: Upload = ({ url, headers, file, name, storedName, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const call = 'POST upload';
    const request = new XMLHttpRequest();
    const giveUp = () => request.abort();

    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const { status, responseText: text } = request;
      const retryAfter = request.getResponseHeader('Retry-After');
      try {
        resolve(void readReply({ call, status, retryAfter, text }));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(new NetworkError(call, 'the upload broke off')));
    request.addEventListener('abort', () => reject(signal.reason));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', giveUp));
    signal.addEventListener('abort', giveUp);

    request.open('POST', url);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.send(uploadForm(file, name, storedName));
  });

/** The stored name goes first, so that a server that streams knows it when the bytes come. */
export function uploadForm(file: File, name: string, storedName: string): FormData {
  const form = new FormData();
  form.append('dstFileName', storedName);
  form.append('file', file, name);
  return form;
}
