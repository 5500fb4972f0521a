import { NetworkError, readReply } from '@engawa/client';
import type { PictureSize } from '@engawa/protocol';
import { uploadAnswer } from '@engawa/protocol/uploads';
import type { Upload } from './upload.ts';

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. */
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
        resolve(pictureIn(readReply({ call, status, retryAfter, text })));
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

/** The file is stored, so an answer in another form is no failure: the size only reserves space. */
export function pictureIn(answer: unknown): PictureSize | undefined {
  return uploadAnswer.safeParse(answer).data?.picture;
}

/** The stored name goes first, so that a streaming server knows it before the bytes. */
export function uploadForm(file: File, name: string, storedName: string): FormData {
  const form = new FormData();
  form.append('dstFileName', storedName);
  form.append('file', file, name);
  return form;
}
