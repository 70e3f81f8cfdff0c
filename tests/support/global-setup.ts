import type { TestProject } from 'vitest/node'
import { buildIfNeeded } from '#scripts/build.ts'
import { createTemplate, dropDatabase, openTestServer } from './databases.ts'

/**
 * One server for all database tests: TEST_DATABASE_URL, whose user must be allowed to make databases and roles, or our
 * own. `npm run mutation`, which runs many times, gives the template too, or the guard of the database to remove in it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Some tests run the portal as a process, and it serves a built site.
  await buildIfNeeded()
  const { TEST_DATABASE_URL: url, TEST_TEMPLATE: given, GUARD_REMOVAL: removal } = process.env
  const server = url ? { url, stop: async () => {} } : await openTestServer()
  try {
    const isMade = given === undefined || removal !== undefined
    const template = isMade ? await createTemplate(server.url, removal) : given
    project.provide('postgres', { adminUrl: server.url, template })
    return async () => {
      if (isMade) await dropDatabase(server.url, template)
      await server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}
