import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { ContentKind } from './content-kinds.ts'
import { contentWatchOf, type ContentWatch } from './content-versions.ts'

/** Should a process neither hear of a change nor be able to poll. */
const AGE_MAX_MS = 5_000

type Kept<Value> = { at: number; value: Promise<Value> }
type Memory<Value> = { watch: ContentWatch; kept: Map<string, Kept<Value>> }

/** One answer, whoever asks. */
const ALONE = () => ''

/**
 * `read` from memory: content of a kind that is read far more often than it changes. A transaction always reads the
 * database, and so does a process that does not watch what is changed. What began to be read before a change is not kept.
 * Each `keyOf` is kept apart, so there may be only a few of them, whatever a visitor asks; null is not kept.
 */
export function keptContent<Value, Asked = void>(
  kind: ContentKind,
  read: (db: Db | Tx, asked: Asked) => Promise<Value>,
  keyOf: (asked: Asked) => string | null = ALONE,
): (db: Db | Tx, asked: Asked) => Promise<Value> {
  const memories = new WeakMap<Db, Memory<Value>>()

  function memoryOf(db: Db, watch: ContentWatch): Memory<Value> {
    const known = memories.get(db)
    if (known?.watch === watch) return known
    const memory: Memory<Value> = { watch, kept: new Map() }
    memories.set(db, memory)
    watch.on((kinds) => {
      if (kinds.includes(kind)) memory.kept.clear()
    })
    return memory
  }

  return (db, asked) => {
    const watch = db.isTransaction ? undefined : contentWatchOf(db)
    const key = keyOf(asked)
    if (watch === undefined || key === null) return read(db, asked)
    const { kept } = memoryOf(db, watch)
    const known = kept.get(key)
    if (known !== undefined && performance.now() - known.at <= AGE_MAX_MS) return known.value
    const fresh = { at: performance.now(), value: read(db, asked) }
    kept.set(key, fresh)
    fresh.value.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key)
    })
    return fresh.value
  }
}
