import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment } from '../envelope.ts'
import { reason, storable } from './act-fields.ts'
import { idFilter, listQuery, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

const PICTURE_BYTES_MAX = 8 * 1024 * 1024
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

export const operatorPictureBody = z.object({
  /** What those read who do not see it. */
  alt: z
    .string('Vui lòng mô tả ảnh')
    .check(
      z.trim(),
      z.minLength(1, 'Vui lòng mô tả ảnh'),
      z.maxLength(300, 'Mô tả ảnh tối đa 300 kí tự'),
      storable,
    ),
  reason,
})

export const operatorPictureSchema = z.object({
  id: idText,
  alt: z.string(),
  /** Of the widest drawing. */
  width: z.number(),
  height: z.number(),
  /** By width. */
  urls: z.record(z.string(), z.string()),
  created_at: moment,
})

export const operatorPictures = {
  list: endpoint('GET', '/operator/pictures', permitted('posts.read'), {
    summary: 'Uploaded pictures. `q` is a part of their text.',
    query: listQuery(['id', 'created_at'], {
      id: z.optional(oneOrMany(idFilter)),
      q: z.optional(z.string().check(z.maxLength(200), storable)),
    }),
    answer: z.array(operatorPictureSchema),
  }),
  create: endpoint('POST', '/operator/pictures', permitted('posts.write'), {
    summary:
      'Draws a JPEG, PNG or WebP file anew in four widths. A form (multipart). The same picture again is the same row, with the new text.',
    body: operatorPictureBody,
    form: {
      file: 'picture',
      fileBytesMax: PICTURE_BYTES_MAX,
      fileTooLarge: 'Ảnh lớn hơn 8 MB, vui lòng chọn ảnh nhỏ hơn',
    },
    answer: operatorPictureSchema,
    status: 201,
    isIdempotent: true,
    errors: ['KEY_REUSED', 'IN_PROGRESS', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'],
  }),
  remove: endpoint('DELETE', '/operator/pictures/{id}', permitted('posts.write'), {
    summary:
      'Deletes a picture that no post, draft or revision shows. Otherwise `present` names some of those posts.',
    params: byId,
    body: z.object({ reason }),
    isIdempotent: true,
    errors: ['NOT_FOUND', 'CONFLICT', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
}

export type OperatorPicture = z.output<typeof operatorPictureSchema>
