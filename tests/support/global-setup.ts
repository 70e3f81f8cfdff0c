import type { TestProject } from 'vitest/node'
import { buildIfNeeded } from '#scripts/build.ts'
import { createTemplate, dropDatabase } from './databases.ts'
import { openTestServer } from './test-server.ts'

/** One server for all database tests: TEST_DATABASE_URL, whose user must be allowed to make databases and roles, or our own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Some tests run the portal as a process, and it serves a built site.
  await buildIfNeeded()
  const given = process.env.TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await openTestServer()
  try {
    // `npm run mutation` removes a guard of the database this way, to see which test misses it.
    const template = await createTemplate(server.url, process.env.GUARD_REMOVAL)
    project.provide('postgres', { adminUrl: server.url, template })
    return async () => {
      await dropDatabase(server.url, template)
      await server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}
