/** Answers and addresses of uploads. */
import { z } from 'zod/mini';

/** Of POST /api/api/upload/file. `picture` is the size of a picture that the chat may show. */
export const uploadAnswer = z.object({
  name: z.string(),
  stored_name: z.string(),
  size: z.int(),
  picture: z.optional(z.object({ width: z.int(), height: z.int() })),
});
export type UploadAnswer = z.output<typeof uploadAnswer>;

/** The errors of a refused profile image. R5.2 of `requirements.md` fixes these texts, so they are not translated. */
export const imageRefusals = {
  type: 'Sorry you can only upload JPG|JPEG|PNG|GIF files.',
  size: 'Sorry File size exceeding from 5 Mb',
} as const;

/** Calls of the chat API that the product serves itself, because they need its stored files. */
export const chatPaths = {
  /** The path is followed by the name of the new emoji. */
  newEmoji: '/api/v1/realm/emoji/',
  userUploads: '/api/v1/user_uploads',
  attachments: '/api/v1/attachments',
} as const;
