import { HOME_POST_COUNT } from '#contract/constants.ts'
import type { PageParams } from '#web/page.ts'
import type { getCategory, getPost, listCategories, listPosts } from '#contract/posts.ts'
import { openQuery } from '#web/query-client.ts'

const OTHER_POST_COUNT = 6

export const OLDER_POST_COUNT = 24

export const FOUND_POST_COUNT = 24

/** One more than the page shows, to know whether there are older ones. */
export const newPostsQuery = openQuery<typeof listPosts>('/posts', { query: { limit: HOME_POST_COUNT + 1 } })

export const otherPostsQuery = openQuery<typeof listPosts>('/posts', { query: { limit: OTHER_POST_COUNT } })

export const olderPostsQuery = ({ id: category, before }: PageParams) =>
  openQuery<typeof listPosts>('/posts', { query: { limit: OLDER_POST_COUNT + 1, before, category } })

export const foundPostsQuery = (search: string) =>
  openQuery<typeof listPosts>('/posts', { query: { limit: FOUND_POST_COUNT + 1, search } })

export const categoriesQuery = openQuery<typeof listCategories>('/categories')

export const postQuery = (id = '') => openQuery<typeof getPost>('/posts/{id}', { params: { id } })

export const categoryQuery = (id = '') =>
  openQuery<typeof getCategory>('/categories/{id}', { params: { id } })
