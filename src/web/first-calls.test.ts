import { expect, test } from 'vitest'
import * as auth from '#contract/auth.ts'
import * as posts from '#contract/posts.ts'
import * as settings from '#contract/settings.ts'
import { firstCalls } from '#web/first-calls.ts'

const contract: Record<keyof typeof firstCalls, { method: string; path: string; access: unknown }> = {
  getSettings: settings.getSettings,
  verify: auth.verify,
  logout: auth.logout,
  listPosts: posts.listPosts,
  getPost: posts.getPost,
  listCategories: posts.listCategories,
  getCategory: posts.getCategory,
}

test.each(Object.entries(firstCalls))('the bare call %s is the endpoint of the contract', (name, bare) => {
  const { method, path, access } = contract[name as keyof typeof firstCalls]
  expect({ method: bare.method, path: bare.path, access: bare.access }).toEqual({ method, path, access })
})
