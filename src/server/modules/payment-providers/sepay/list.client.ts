import { vietnamClock } from '#server/platform/values/vietnam-time.rules.ts'
import {
  type BankList,
  type ListWindow,
  type PulledList,
  type PulledRow,
  type Pace,
  type UnreadableRow,
} from '../payment-vendor.rules.ts'
import { amountOf, idOf, ofAccount, readElement, readRows, type Vendor } from '../notice-fields.ts'
import { isRecord, type JsonValue, NumberText, readNotificationJson } from '../notification.rules.ts'
import { openProviderCall, ProviderFailure } from '../provider-call.ts'

const TIMEOUT_MS = 20_000
/** SePay gives up to 5,000, more than the bounded answer holds. */
const ROWS_PER_CALL = 500
const CALLS_MAX = 200

/** The same event as from SePay's notification of the movement; the list names its fields otherwise. */
const LISTED: Vendor = {
  provider: 'sepay',
  names: {
    account: ['account_number'],
    virtual: ['sub_account'],
    amounts: ['amount_in', 'amount_out'],
    reference: ['reference_number'],
    memo: ['transaction_content'],
    line: [],
    code: ['code'],
    time: ['transaction_date'],
    payer: [],
  },
  id: ({ id }) => idOf(id),
  movement({ amount_in, amount_out }) {
    const [arrived, left] = [listedAmount(amount_in), listedAmount(amount_out)]
    if (arrived === undefined || left === undefined || arrived > 0 === (left !== 0)) return {}
    return arrived > 0
      ? { direction: 'in', amountVnd: arrived }
      : { direction: 'out', amountVnd: Math.abs(left) }
  },
}

/** Here the other one of the two amounts is nothing, as a rule "0.00". */
function listedAmount(value: JsonValue | undefined): number | undefined {
  const written = value instanceof NumberText ? value.text : value
  if (written === undefined || written === null || /^\s*0*(\.0*)?\s*$/.test(String(written))) return 0
  return amountOf(value)
}

/**
 * SePay's list of transactions, its interface of version 1: version 2 names them by UUIDs, and only the numbers of
 * version 1 are those a notification carries.
 */
export function openSepayList({
  baseUrl,
  token,
  paceMs,
}: { baseUrl: string; token: string } & Pace): BankList {
  const call = openProviderCall({ baseUrl, timeoutMs: TIMEOUT_MS, paceMs })

  async function fetchRows(
    { accountNumber, from, to, sinceId }: ListWindow,
    isOfAll: boolean,
  ): Promise<JsonValue[]> {
    const query = new URLSearchParams({
      ...(isOfAll ? {} : { account_number: accountNumber }),
      transaction_date_min: vietnamClock(from),
      transaction_date_max: vietnamClock(to),
      limit: String(ROWS_PER_CALL),
      ...(sinceId === undefined ? {} : { since_id: sinceId }),
    })
    const answer = await call({
      method: 'GET',
      path: `/userapi/transactions/list?${query}`,
      headers: { authorization: `Bearer ${token}` },
    })
    const body = readNotificationJson(Buffer.from(answer))
    const isList = isRecord(body) && body.status instanceof NumberText && body.status.text === '200'
    if (!isList || !Array.isArray(body.transactions))
      throw new ProviderFailure('unreadable', 'SePay answered no list of transactions')
    return body.transactions
  }

  /** A full answer may have left rows out, at an unknown end: then each half of the time is fetched. */
  async function fetchAll(window: ListWindow, isOfAll: boolean): Promise<PulledList> {
    const found = new Map<string, PulledRow>()
    const unreadable = new Map<string, UnreadableRow>()
    const open: ListWindow[] = [window]
    for (let calls = 0; open.length > 0; calls += 1) {
      if (calls === CALLS_MAX) throw new ProviderFailure('unreadable', 'SePay’s list has no end')
      const next = open.shift() as ListWindow
      const rows = await fetchRows(next, isOfAll)
      if (rows.length >= ROWS_PER_CALL) {
        open.unshift(...halves(next))
        continue
      }
      const list = readRows(rows, (row, raw) => readElement(LISTED, row, { raw }))
      for (const one of list.unreadable) unreadable.set(one.event.providerEventId, one)
      for (const one of list.rows) found.set(one.event.providerEventId, one)
    }
    return ofAccount(window, { rows: [...found.values()], unreadable: [...unreadable.values()] })
  }

  return {
    provider: 'sepay',
    /** SePay finds an account by its main number alone; a virtual one is found among the rows of all accounts. */
    async pull(window) {
      const list = await fetchAll(window, false)
      return list.rows.length + list.unreadable.length > 0 ? list : fetchAll(window, true)
    },
  }
}

function halves(window: ListWindow): [ListWindow, ListWindow] {
  const from = Math.floor(window.from.getTime() / 1_000)
  const to = Math.floor(window.to.getTime() / 1_000)
  if (to <= from) throw new ProviderFailure('unreadable', 'SePay lists more in one second than it gives')
  const middle = Math.floor((from + to) / 2)
  return [
    { ...window, to: new Date(middle * 1_000) },
    { ...window, from: new Date((middle + 1) * 1_000) },
  ]
}
