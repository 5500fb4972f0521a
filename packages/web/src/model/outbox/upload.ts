import { NetworkError, readReply } from '@engawa/client';

export interface UploadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: File;
  /** The file's name as people see it, and its stored name on the server (R7.2). */
  readonly name: string;
  readonly storedName: string;
  /** @param fraction 0 to 1 */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file to the server.
 * @throws CallError as calls of the chat API do; the signal's reason if it is aborted.
 */
export type Upload = (request: UploadRequest) => Promise<void>;

/** `fetch` reports no upload progress; XMLHttpRequest does. */
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

/** The stored name goes first, so that a streaming server knows it before the bytes. */
export function uploadForm(file: File, name: string, storedName: string): FormData {
  const form = new FormData();
  form.append('dstFileName', storedName);
  form.append('file', file, name);
  return form;
}
