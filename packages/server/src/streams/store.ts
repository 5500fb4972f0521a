import type { Columns, Value } from '@engawa/chat-server/database';
import type { StoredImage } from '../pictures/sendImage.ts';
import { queries } from '../database/schema.ts';

export const streamPictures = {
  find: queries.row((query, streamId: Value<number>, version: Value<string>) =>
    query.selectFrom('stream_picture').selectAll().where('stream_id', '=', streamId).where('version', '=', version),
  ),
  ofOwner: queries.rows((query, streamId: Value<number>) =>
    query.selectFrom('stream_picture').selectAll().where('stream_id', '=', streamId),
  ),
  byVersion: queries.row((query, version: Value<string>) =>
    query.selectFrom('stream_picture').selectAll().where('version', '=', version),
  ),
  insert: queries.run((query, stream_id: Value<number>, { version, type, size }: Columns<StoredImage>) =>
    query.insertInto('stream_picture').values({ stream_id, version, type, size }),
  ),
  remove: queries.run((query, streamId: Value<number>, version: Value<string>) =>
    query.deleteFrom('stream_picture').where('stream_id', '=', streamId).where('version', '=', version),
  ),
};
