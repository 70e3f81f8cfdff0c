import { anOperatorWithoutProof } from '#tests/support/operators.ts'
import { askDone, Client, portalThrough } from '../../harness/client.ts'
import type { Setup } from './setup.ts'

const PAGE_ROWS = 100

/** An operator who reads the inbox as the console would: by HTTP, page after page. */
export async function openInbox({ portal: { url }, db, owner }: Setup) {
  const client = new Client(url)
  const { token } = await anOperatorWithoutProof(portalThrough(client, db), 'owner')

  /** The ids of every row of a list, in the order of its pages. */
  async function listAll(resource: string, filter: Record<string, string>): Promise<string[]> {
    const ids: string[] = []
    for (let from = 0; ; from += PAGE_ROWS) {
      const query = new URLSearchParams({
        sort: '["id","ASC"]',
        range: JSON.stringify([from, from + PAGE_ROWS - 1]),
        filter: JSON.stringify(filter),
      })
      const page = await askDone(url, { path: `/api/operator/${resource}?${query}`, token })
      const rows = page.body as { id: string }[]
      ids.push(...rows.map(({ id }) => id))
      if (rows.length < PAGE_ROWS) return ids
    }
  }
  return {
    /** Notifications that contradict what the bank said are looked into and put aside. */
    async dismissContradictions(expected: number): Promise<void> {
      const ids = await listAll('payment-events', { status: 'review' })
      if (ids.length !== expected) throw new Error(`${ids.length} contradictions are listed, not ${expected}`)
      for (const id of ids) {
        const path = `/api/operator/payment-events/${id}/dismiss`
        const body = { reason: 'Ngân hàng xác nhận số tiền khác' }
        const answer = await client.untilDefinite({ path, token, body })
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      }
    },
    /** Every transfer in review is to be read in the inbox, once. */
    async readReview(): Promise<InboxSeen> {
      const listed = await listAll('bank-transfers', { state: 'review' })
      const { rows } = await owner.query<{ id: string }>(
        `SELECT id FROM bank_transaction WHERE state = 'review'`,
      )
      const seen = new Set(listed)
      return {
        listed: listed.length,
        missing: rows.map(({ id }) => id).filter((id) => !seen.has(id)),
        twice: listed.filter((id, at) => listed.indexOf(id) !== at),
      }
    },
  }
}

export type InboxSeen = { listed: number; missing: string[]; twice: string[] }
