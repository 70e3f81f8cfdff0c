import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { ContentKind } from './content-kinds.ts'
import { contentWatchOf, type ContentWatch } from './content-versions.ts'

/** Should a process neither hear of a change nor be able to poll. */
const AGE_MAX_MS = 5_000

type Kept<Value> = { watch: ContentWatch; at: number; value: Promise<Value> | null }

/**
 * `read` from memory: content of a kind that is read far more often than it changes. A transaction always reads the
 * database, and so does a process that does not watch what is changed. What began to be read before a change is not kept.
 */
export function keptContent<Value>(
  kind: ContentKind,
  read: (db: Db | Tx) => Promise<Value>,
): (db: Db | Tx) => Promise<Value> {
  const memories = new WeakMap<Db, Kept<Value>>()

  function memoryOf(db: Db, watch: ContentWatch): Kept<Value> {
    const known = memories.get(db)
    if (known?.watch === watch) return known
    const memory: Kept<Value> = { watch, at: 0, value: null }
    memories.set(db, memory)
    watch.on((kinds) => {
      if (kinds.includes(kind)) memory.value = null
    })
    return memory
  }

  return (db) => {
    const watch = db.isTransaction ? undefined : contentWatchOf(db)
    if (watch === undefined) return read(db)
    const memory = memoryOf(db, watch)
    if (memory.value !== null && performance.now() - memory.at <= AGE_MAX_MS) return memory.value
    const value = read(db)
    memory.at = performance.now()
    memory.value = value
    value.catch(() => {
      if (memory.value === value) memory.value = null
    })
    return value
  }
}
