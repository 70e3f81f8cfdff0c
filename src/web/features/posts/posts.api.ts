import { HOME_POST_COUNT } from '#contract/constants.ts'
import type { PageParams } from '#web/page.ts'
import { firstCalls } from '#web/first-calls.ts'
import { apiQuery } from '#web/query-client.ts'

const { listPosts, listCategories, getPost, getCategory } = firstCalls

const OTHER_POST_COUNT = 6

export const OLDER_POST_COUNT = 24

export const FOUND_POST_COUNT = 24

/** One more than the page shows, to know whether there are older ones. */
export const newPostsQuery = apiQuery(listPosts, { query: { limit: HOME_POST_COUNT + 1 } })

export const otherPostsQuery = apiQuery(listPosts, { query: { limit: OTHER_POST_COUNT } })

export const olderPostsQuery = ({ id: category, before }: PageParams) =>
  apiQuery(listPosts, { query: { limit: OLDER_POST_COUNT + 1, before, category } })

export const foundPostsQuery = (search: string) =>
  apiQuery(listPosts, { query: { limit: FOUND_POST_COUNT + 1, search } })

export const categoriesQuery = apiQuery(listCategories)

export const postQuery = (id = '') => apiQuery(getPost, { params: { id } })

export const categoryQuery = (id = '') => apiQuery(getCategory, { params: { id } })
