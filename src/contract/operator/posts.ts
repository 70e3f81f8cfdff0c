import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { atMost, byId, idText, moment, required } from '../fields.ts'
import { postSchema } from '../posts.ts'
import { COVER } from '../post-html.ts'
import {
  actOnRow,
  chosenMoment,
  idFilter,
  keyed,
  listQuery,
  newRow,
  oneRow,
  onRow,
  person,
  reason,
  reasonBody,
  storable,
  textBetween,
} from './fields.ts'
import { permitted } from './roles.ts'
import { givenTitle } from '../names.ts'
import { shownName } from '../shown-name.ts'

const title = givenTitle('tiêu đề', { max: 200 })

const cover = z.nullish(
  z.string().check(z.regex(COVER, 'Ảnh bìa phải là ảnh đã tải lên hoặc đường dẫn trong /images')),
)

const content = z.string(required).check(z.maxLength(200_000, 'Nội dung quá dài'))

/** A row's `updated_at` as the writer saw it: an older one is refused. Left out, nothing is compared. */
const updatedAt = z.optional(chosenMoment)

const bodyShape = {
  excerpt: z.nullish(z.string().check(atMost(400))),
  cover,
  new: z.nullish(z.boolean()),
  pinned: z.nullish(z.boolean()),
  category_ids: z.nullish(z.array(idText).check(z.maxLength(20))),
  /** When a published post is shown. Null: from now on, unless it is shown already. */
  publish_at: z.nullish(chosenMoment),
}

export const operatorPostBody = z.object({
  ...bodyShape,
  title,
  content,
  published: z.nullish(z.boolean()),
})

const operatorPostChange = z.extend(operatorPostBody, { updated_at: updatedAt, reason })

/** What may still be incomplete. */
export const operatorPostDraftBody = z.object({
  ...bodyShape,
  title: z.string().check(atMost(200)),
  content,
  /** The post's, as the writer saw it. */
  updated_at: chosenMoment,
})

const stateShape = {
  title: shownName,
  content: z.string(),
  excerpt: z.string(),
  cover: z.nullable(z.string()),
  new: z.boolean(),
  pinned: z.boolean(),
  category_ids: z.array(idText),
  publish_at: moment,
}

export const operatorPostSchema = z.object({
  id: idText,
  ...stateShape,
  published: z.boolean(),
  views: z.number(),
  created_at: moment,
  updated_at: moment,
})

export const operatorPostDraftSchema = z.object({
  ...stateShape,
  excerpt: z.nullable(z.string()),
  publish_at: z.nullable(moment),
  /** The post's `updated_at` when this was begun: the post has changed since when it is another. */
  based_on: moment,
  saved_at: moment,
})

export const operatorPostRevisionSchema = z.object({
  revision: z.number(),
  title: shownName,
  published: z.boolean(),
  publish_at: moment,
  /** Null: saved before there were revisions. */
  saved_by: z.nullable(person),
  saved_at: moment,
})

export const operatorCategoryBody = z.object({
  title,
  description: z.nullish(z.string().check(atMost(500))),
  position: z.nullish(z.int().check(z.gte(0), z.lte(10_000))),
})

const operatorCategoryChange = z.extend(operatorCategoryBody, { updated_at: updatedAt, reason })

export const operatorCategorySchema = z.object({
  id: idText,
  title: shownName,
  description: z.string(),
  position: z.number(),
  updated_at: moment,
})

export const operatorPosts = {
  list: endpoint('GET', '/operator/posts', permitted('posts.read'), {
    summary: 'All posts, drafts included.',
    query: listQuery(
      ['id', 'title', 'created_at', 'updated_at', 'publish_at', 'views', 'new', 'pinned', 'published'],
      {
        q: z.optional(z.string().check(z.maxLength(200))),
        category_id: z.optional(idFilter),
        published: z.optional(z.boolean()),
        /** Published, and not shown yet. */
        scheduled: z.optional(z.boolean()),
      },
    ),
    answer: z.array(operatorPostSchema),
  }),
  get: endpoint('GET', '/operator/posts/{id}', permitted('posts.read'), {
    summary: 'One post.',
    ...oneRow(operatorPostSchema),
  }),
  create: endpoint('POST', '/operator/posts', permitted('posts.write'), {
    summary: 'Writes a post; its HTML is sanitised.',
    body: z.extend(operatorPostBody, { reason }),
    ...newRow(operatorPostSchema),
  }),
  update: endpoint('PUT', '/operator/posts/{id}', permitted('posts.write'), {
    summary:
      'Replaces a post; its state is kept as a revision. Optional fields left out keep their value. CONFLICT when it changed after `updated_at`.',
    body: operatorPostChange,
    answer: operatorPostSchema,
    ...onRow('CONFLICT'),
  }),
  remove: endpoint('DELETE', '/operator/posts/{id}', permitted('posts.write'), {
    summary: 'Deletes a post and answers what it was.',
    ...actOnRow(operatorPostSchema),
  }),
  draft: endpoint('GET', '/operator/posts/{id}/draft', permitted('posts.write'), {
    summary: 'What the caller has written and not saved yet.',
    ...oneRow(z.object({ draft: z.nullable(operatorPostDraftSchema) })),
  }),
  saveDraft: endpoint('PUT', '/operator/posts/{id}/draft', permitted('posts.write'), {
    summary: 'Keeps what the caller is writing, apart from what is shown. Saving the post ends the draft.',
    params: byId,
    body: operatorPostDraftBody,
    answer: operatorPostDraftSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  dropDraft: endpoint('DELETE', '/operator/posts/{id}/draft', permitted('posts.write'), {
    summary: 'Forgets the caller’s draft, if there is one.',
    params: byId,
    errors: ['NOT_FOUND'],
  }),
  revisions: endpoint('GET', '/operator/posts/{id}/revisions', permitted('posts.read'), {
    summary: 'The last 100 states in which a post was saved, the newest first.',
    ...oneRow(z.array(operatorPostRevisionSchema)),
  }),
  restore: endpoint('POST', '/operator/posts/{id}/revisions/{revision}/restore', permitted('posts.write'), {
    summary:
      'Makes text, pictures and categories what they were in a revision, as a new revision. Whether and when the post is shown stays.',
    params: z.extend(byId, { revision: idText }),
    body: z.object({ reason, updated_at: updatedAt }),
    answer: operatorPostSchema,
    ...keyed('NOT_FOUND', 'CONFLICT'),
  }),
  preview: endpoint('GET', '/operator/posts/{id}/preview', permitted('posts.read'), {
    summary:
      'A post as a player would read it: of a revision if one is named, else the caller’s draft, else as it is saved.',
    query: z.object({ revision: z.optional(idText) }),
    ...oneRow(postSchema),
  }),
}

export const operatorCategories = {
  list: endpoint('GET', '/operator/categories', permitted('categories.read'), {
    summary: 'All categories.',
    query: listQuery(['position', 'id', 'title'], {
      q: z.optional(z.string().check(z.maxLength(200))),
    }),
    answer: z.array(operatorCategorySchema),
  }),
  get: endpoint('GET', '/operator/categories/{id}', permitted('categories.read'), {
    summary: 'One category.',
    ...oneRow(operatorCategorySchema),
  }),
  create: endpoint('POST', '/operator/categories', permitted('categories.write'), {
    summary: 'Makes a category.',
    body: z.extend(operatorCategoryBody, { reason }),
    ...newRow(operatorCategorySchema, 'CONFLICT'),
  }),
  update: endpoint('PUT', '/operator/categories/{id}', permitted('categories.write'), {
    summary: 'Changes a category. CONFLICT when it changed after `updated_at`.',
    body: operatorCategoryChange,
    answer: operatorCategorySchema,
    ...onRow('CONFLICT'),
  }),
  remove: endpoint('DELETE', '/operator/categories/{id}', permitted('categories.write'), {
    summary: 'Deletes a category; its posts stay.',
    ...actOnRow(operatorCategorySchema),
  }),
}

export type OperatorPost = z.output<typeof operatorPostSchema>
export type OperatorPostBody = z.output<typeof operatorPostBody>
export type OperatorPostDraft = z.output<typeof operatorPostDraftSchema>
export type OperatorPostDraftBody = z.output<typeof operatorPostDraftBody>
export type OperatorPostRevision = z.output<typeof operatorPostRevisionSchema>
export type OperatorCategory = z.output<typeof operatorCategorySchema>
export type OperatorCategoryBody = z.output<typeof operatorCategoryBody>

const PICTURE_BYTES_MAX = 8 * 1024 * 1024
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

export const operatorPictureBody = z.object({
  /** What those read who do not see it. */
  alt: textBetween('Vui lòng mô tả ảnh', [1, 'Vui lòng mô tả ảnh'], [300, 'Mô tả ảnh tối đa 300 ký tự']),
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
    ...newRow(operatorPictureSchema, 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'),
  }),
  remove: endpoint('DELETE', '/operator/pictures/{id}', permitted('posts.write'), {
    summary:
      'Deletes a picture that no post, draft or revision shows. Otherwise `present` names some of those posts.',
    body: reasonBody,
    ...onRow('CONFLICT'),
  }),
}

export type OperatorPicture = z.output<typeof operatorPictureSchema>
