import type { JournalRow } from './journal.ts'
import { isGameId, ok, readNotice, wrong, type Answer } from './reading.ts'
import type { Notice } from './world.ts'

export type Notices = {
  /** What the journal has of a notice. */
  restore(id: string, notice: Notice): void
  answer(id: string, call: { method: string; body: Buffer }): Promise<Answer>
}

/** As many as easily fit into memory. */
const NOTICES_MAX = 1_000_000

/** What the portal wants players to be shown; on disk before it is answered. */
export function openNotices(append: (row: JournalRow) => Promise<void>): Notices {
  const stored = new Map<string, { text: string; written: Promise<void> }>()
  const textOf = ({ account, text, expires_at }: Notice) =>
    JSON.stringify([account.toLowerCase(), text, new Date(expires_at).getTime()])

  return {
    restore: (id, notice) => void stored.set(id, { text: textOf(notice), written: Promise.resolve() }),
    async answer(id, { method, body }) {
      if (!isGameId(id)) return wrong(400, 'bad-request', 'id')
      if (method !== 'PUT') return wrong(405, 'no-such-method')
      const read = readNotice(body)
      if (!('value' in read)) return wrong(400, 'bad-request', read.field)
      const notice = read.value
      const earlier = stored.get(id)
      if (earlier !== undefined && earlier.text !== textOf(notice)) return wrong(409, 'another-body')
      if (earlier === undefined && stored.size >= NOTICES_MAX) return wrong(503, 'journal-full')
      const kept = earlier ?? { text: textOf(notice), written: append({ id, status: 'notice', notice }) }
      stored.set(id, kept)
      await kept.written
      return ok({ status: 'stored' })
    },
  }
}
