import type { Columns, Value } from '@engawa/chat-server/database';
import { queries } from '../database/schema.ts';
import type { StoredImage } from '../pictures/sendImage.ts';

export const emojiPictures = {
  byVersion: queries.row((query, version: Value<string>) =>
    query.selectFrom('emoji_picture').selectAll().where('version', '=', version),
  ),
  insert: queries.run((query, { version, type, size }: Columns<StoredImage>) =>
    query.insertInto('emoji_picture').values({ version, type, size }),
  ),
  remove: queries.run((query, version: Value<string>) => query.deleteFrom('emoji_picture').where('version', '=', version)),
};
