import { inject } from 'vitest'
import { cloneTemplate, createEmptyDatabase } from './databases.ts'
import type { FreshDatabase } from './databases.ts'

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
