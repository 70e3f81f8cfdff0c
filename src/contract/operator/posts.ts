import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment } from '../envelope.ts'
import { atMost, filledText, required } from '../fields.ts'
import { idFilter, listQuery, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

const title = filledText(atMost(200))

/** Covers are our own pictures: a path below `/images/`, without the size suffix. */
const cover = z.nullish(
  z.string().check(z.regex(/^\/images\/[a-z0-9/_-]{1,120}$/, 'Ảnh bìa phải là đường dẫn trong /images')),
)

export const operatorPostBody = z.object({
  title,
  content: z.string(required).check(z.maxLength(200_000, 'Nội dung quá dài')),
  excerpt: z.nullish(z.string().check(atMost(400))),
  cover,
  new: z.nullish(z.boolean()),
  pinned: z.nullish(z.boolean()),
  published: z.nullish(z.boolean()),
  category_ids: z.nullish(z.array(idText).check(z.maxLength(20))),
})

export const operatorPostSchema = z.object({
  id: idText,
  title: z.string(),
  content: z.string(),
  excerpt: z.string(),
  cover: z.nullable(z.string()),
  new: z.boolean(),
  pinned: z.boolean(),
  published: z.boolean(),
  category_ids: z.array(idText),
  views: z.number(),
  created_at: moment,
  updated_at: moment,
})

export const operatorCategoryBody = z.object({
  title,
  description: z.nullish(z.string().check(atMost(500))),
  position: z.nullish(z.int().check(z.gte(0), z.lte(10_000))),
})

export const operatorCategorySchema = z.object({
  id: idText,
  title: z.string(),
  description: z.string(),
  position: z.number(),
})

export const operatorPosts = {
  list: endpoint('GET', '/operator/posts', permitted('posts.read'), {
    summary: 'All posts, drafts included.',
    query: listQuery(['id', 'title', 'created_at', 'updated_at', 'views', 'new', 'pinned', 'published'], {
      id: z.optional(oneOrMany(idFilter)),
      q: z.optional(z.string().check(z.maxLength(200))),
      category_id: z.optional(idFilter),
      published: z.optional(z.boolean()),
    }),
    answer: z.array(operatorPostSchema),
  }),
  get: endpoint('GET', '/operator/posts/{id}', permitted('posts.read'), {
    summary: 'One post.',
    params: byId,
    answer: operatorPostSchema,
    errors: ['NOT_FOUND'],
  }),
  create: endpoint('POST', '/operator/posts', permitted('posts.write'), {
    summary: 'Writes a post; its HTML is sanitised.',
    body: operatorPostBody,
    answer: operatorPostSchema,
    status: 201,
  }),
  update: endpoint('PUT', '/operator/posts/{id}', permitted('posts.write'), {
    summary: 'Replaces a post. Optional fields left out keep their value.',
    params: byId,
    body: operatorPostBody,
    answer: operatorPostSchema,
    errors: ['NOT_FOUND'],
  }),
  remove: endpoint('DELETE', '/operator/posts/{id}', permitted('posts.write'), {
    summary: 'Deletes a post and answers what it was.',
    params: byId,
    answer: operatorPostSchema,
    errors: ['NOT_FOUND'],
  }),
}

export const operatorCategories = {
  list: endpoint('GET', '/operator/categories', permitted('categories.read'), {
    summary: 'All categories.',
    query: listQuery(['position', 'id', 'title'], {
      id: z.optional(oneOrMany(idFilter)),
      q: z.optional(z.string().check(z.maxLength(200))),
    }),
    answer: z.array(operatorCategorySchema),
  }),
  get: endpoint('GET', '/operator/categories/{id}', permitted('categories.read'), {
    summary: 'One category.',
    params: byId,
    answer: operatorCategorySchema,
    errors: ['NOT_FOUND'],
  }),
  create: endpoint('POST', '/operator/categories', permitted('categories.write'), {
    summary: 'Makes a category.',
    body: operatorCategoryBody,
    answer: operatorCategorySchema,
    status: 201,
  }),
  update: endpoint('PUT', '/operator/categories/{id}', permitted('categories.write'), {
    summary: 'Changes a category.',
    params: byId,
    body: operatorCategoryBody,
    answer: operatorCategorySchema,
    errors: ['NOT_FOUND'],
  }),
  remove: endpoint('DELETE', '/operator/categories/{id}', permitted('categories.write'), {
    summary: 'Deletes a category; its posts stay.',
    params: byId,
    answer: operatorCategorySchema,
    errors: ['NOT_FOUND'],
  }),
}

export type OperatorPost = z.output<typeof operatorPostSchema>
export type OperatorPostBody = z.output<typeof operatorPostBody>
export type OperatorCategory = z.output<typeof operatorCategorySchema>
export type OperatorCategoryBody = z.output<typeof operatorCategoryBody>
