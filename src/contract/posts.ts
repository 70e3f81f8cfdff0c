import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idText, moment } from './fields.ts'
import { POST_SEARCH_MAX } from './pages.ts'
import { shownName } from './shown-name.ts'

export const postSummarySchema = z.object({
  id: idText,
  title: shownName,
  new: z.boolean(),
  views: z.number(),
  created_at: moment,
  excerpt: z.string(),
  /** Base address of the cover: `{cover}-320.webp`, `{cover}-640.webp` and `{cover}-og.jpg` exist; in `/images/covers` also AVIF. */
  cover: z.optional(z.string()),
  category_ids: z.array(idText),
})

export const postSchema = z.extend(postSummarySchema, {
  content: z.string(),
  author: z.literal('Admin'),
  updated_at: moment,
})

export const categorySchema = z.object({ id: idText, title: shownName, description: z.string() })

export const listPosts = endpoint('GET', '/posts', 'open', {
  summary:
    'Published posts, the newest first, pinned ones above on the first page; or those that a search finds.',
  query: z.object({
    category: z.optional(idText),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(50))),
    before: z.optional(idText),
    /** Of all categories, those that hold every word, with its marks or without; the last may be a part of one. */
    search: z.optional(z.string().check(z.maxLength(POST_SEARCH_MAX))),
  }),
  answer: z.array(postSummarySchema),
})

export const getPost = endpoint('GET', '/posts/{id}', 'open', {
  summary: 'One published post with its safe HTML.',
  params: z.object({ id: z.string() }),
  answer: postSchema,
  errors: ['NOT_FOUND'],
})

export const listCategories = endpoint('GET', '/categories', 'open', {
  summary: 'All categories in their order, at most 100.',
  answer: z.array(categorySchema),
})

export const getCategory = endpoint('GET', '/categories/{id}', 'open', {
  summary: 'One category with its newest 50 posts.',
  params: z.object({ id: z.string() }),
  answer: z.extend(categorySchema, { posts: z.array(postSummarySchema) }),
  errors: ['NOT_FOUND'],
})

export type PostSummary = z.output<typeof postSummarySchema>
export type Post = z.output<typeof postSchema>
export type Category = z.output<typeof categorySchema>
