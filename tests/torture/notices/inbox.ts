import { setTimeout as sleep } from 'node:timers/promises'
import { grantRole } from '#server/modules/accounts/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { openConsole } from '#tests/support/operators.ts'
import { turnOnSecondFactor } from '#tests/support/second-factor.ts'
import type { Setup } from './setup.ts'

const PAGE_ROWS = 100

type Called = { status: number; body: any; headers: Headers }

/** An operator who reads the inbox as the console would: by HTTP, page after page. */
export async function openInbox(setup: Setup) {
  const { url } = setup.portal
  const call = async (
    method: string,
    path: string,
    { token, body }: { token?: string; body?: unknown } = {},
  ) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: text === '' ? null : JSON.parse(text),
      headers: answer.headers,
    } as Called
  }
  const token = await anOperator(setup, call)

  /** An operator waits as long as the answer asks. */
  async function patiently(path: string, body: unknown): Promise<Called> {
    for (;;) {
      const answer = await call('POST', path, { token, body })
      if (answer.status !== 429) return answer
      await sleep(Number(answer.headers.get('retry-after')) * 1_000)
    }
  }

  /** The ids of every row of a list, in the order of its pages. */
  async function listAll(resource: string, filter: Record<string, string>): Promise<string[]> {
    const ids: string[] = []
    for (let from = 0; ; from += PAGE_ROWS) {
      const query = new URLSearchParams({
        sort: '["id","ASC"]',
        range: JSON.stringify([from, from + PAGE_ROWS - 1]),
        filter: JSON.stringify(filter),
      })
      const page = await call('GET', `/api/operator/${resource}?${query}`, { token })
      if (page.status !== 200) throw new Error(`${resource}: ${page.status} ${JSON.stringify(page.body)}`)
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
        const answer = await patiently(path, { reason: 'Ngân hàng xác nhận số tiền khác' })
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
    },
    /** Every transfer in review is to be read in the inbox, once. */
    async readReview({ owner }: Setup): Promise<InboxSeen> {
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

type Call = (method: string, path: string, how?: { token?: string; body?: unknown }) => Promise<Called>

async function anOperator(setup: Setup, call: Call): Promise<string> {
  const [username, password] = ['nguoitruccong', 'mat-khau-dai-12']
  const registered = await call('POST', '/api/auth/register', {
    body: { username, password, phone: '0912345678', name: 'Trực cổng', server_id: '1' },
  })
  if (registered.status !== 201) throw new Error(`an operator registers: ${JSON.stringify(registered.body)}`)
  const db = openDatabase({ url: setup.ownerUrl, log: openLog('error'), connectionsMax: 1 })
  await grantRole(db, { username, role: 'owner' })
  await db.destroy()
  const portal = {
    call: async (method: string, path: string, how: { token?: string; body?: unknown } = {}) => ({
      ...(await call(method, path, how)),
      headers: {},
    }),
  }
  const { access_token: token } = registered.body as { access_token: string }
  const { recoveryCodes } = await turnOnSecondFactor(portal, token)
  return openConsole(portal, { username, password, address: '127.0.0.1' }, recoveryCodes[0])
}
