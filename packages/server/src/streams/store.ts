import type { Reader, Transaction } from '@engawa/chat-server/database';
import type { StoredImage } from '../pictures/sendImage.ts';
import { type Schema, statement } from '../schema.ts';

type StreamPictureRow = Schema['stream_picture'];

const selectPicture = statement<{ stream_id: number; version: string }>()((query, value) =>
  query.selectFrom('stream_picture').selectAll().where('stream_id', '=', value.stream_id).where('version', '=', value.version),
);
const selectPicturesOf = statement<{ stream_id: number }>()((query, value) =>
  query.selectFrom('stream_picture').selectAll().where('stream_id', '=', value.stream_id),
);
const selectVersion = statement<{ version: string }>()((query, value) =>
  query.selectFrom('stream_picture').select('version').where('version', '=', value.version),
);
const insertPicture = statement<StreamPictureRow>()((query, value) =>
  query
    .insertInto('stream_picture')
    .values({ stream_id: value.stream_id, version: value.version, type: value.type, size: value.size }),
);
const removePicture = statement<{ stream_id: number; version: string }>()((query, value) =>
  query.deleteFrom('stream_picture').where('stream_id', '=', value.stream_id).where('version', '=', value.version),
);

export const streamPictures = {
  find: (reader: Reader, streamId: number, version: string): StreamPictureRow | undefined =>
    reader.get(selectPicture, { stream_id: streamId, version }),
  ofOwner: (reader: Reader, streamId: number): StreamPictureRow[] => reader.all(selectPicturesOf, { stream_id: streamId }),
  isVersion: (reader: Reader, version: string): boolean => reader.get(selectVersion, { version }) !== undefined,
  insert: (tx: Transaction, streamId: number, image: StoredImage) => tx.run(insertPicture, { stream_id: streamId, ...image }),
  remove: (tx: Transaction, streamId: number, version: string) => tx.run(removePicture, { stream_id: streamId, version }),
};
