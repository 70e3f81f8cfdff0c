import pg from 'pg'
import { inject, vi } from 'vitest'
import { AsyncLocalStorage } from 'node:async_hooks'
import { type FreshDatabase, cloneTemplate, createEmptyDatabase } from './databases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where databases are made, and the one they are copied from. */
    postgres: { adminUrl: string; template: string }
  }
}

/** A database of one's own, migrated and empty. Usually one per test file: made in `beforeAll`, dropped in `afterAll`. */
export function freshDatabase(): Promise<FreshDatabase> {
  const { adminUrl, template } = inject('postgres')
  return cloneTemplate(adminUrl, template)
}

/** A database without anything, owned by an ordinary role. */
export const emptyDatabase = () => createEmptyDatabase(inject('postgres').adminUrl)

/** Every statement that `act` sends to the database; not those of whatever else goes on in this process meanwhile. */
export async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const acting = new AsyncLocalStorage<string[]>()
  const send: (this: pg.Client, ...given: unknown[]) => unknown = pg.Client.prototype.query
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [statement] = given
    const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
    // The first statements of a new connection are not the act's.
    if (!text.includes('pg_backend_pid()')) acting.getStore()?.push(text.replace(/\s+/g, ' ').trim())
    return send.apply(this, given)
  })
  const sent: string[] = []
  try {
    await acting.run(sent, act)
  } finally {
    query.mockRestore()
  }
  return sent
}
