import type { logout, verify } from '#contract/auth.ts'
import type { Access, Endpoint } from '#contract/endpoint.ts'
import type { getCategory, getPost, listCategories, listPosts } from '#contract/posts.ts'
import type { getSettings } from '#contract/settings.ts'

/**
 * The calls of a first visit, as bare addresses. A browser validates no answers, so it does not need their
 * schemas there, and the schema library stays out of the first load; the types are the contract's own. A test
 * compares each of these with its endpoint.
 */
export const firstCalls = {
  getSettings: bare<typeof getSettings>('GET', '/settings'),
  verify: bare<typeof verify>('POST', '/auth/verify'),
  logout: bare<typeof logout>('POST', '/auth/logout', 'user'),
  listPosts: bare<typeof listPosts>('GET', '/posts'),
  getPost: bare<typeof getPost>('GET', '/posts/{id}'),
  listCategories: bare<typeof listCategories>('GET', '/categories'),
  getCategory: bare<typeof getCategory>('GET', '/categories/{id}'),
}

/** A call by its address alone: its answers are not validated, and no schemas come with it. */
export function bare<E extends Endpoint>(method: E['method'], path: string, access: Access = 'open'): E {
  return { method, path, access, summary: '' } as E
}
