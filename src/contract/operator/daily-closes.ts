import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { dayText, byId, idText, moment } from '../fields.ts'
import { keyed, listQuery, oneRow, onRow, person, reason, reasonBody } from './fields.ts'
import { permitted } from './roles.ts'

/** The bank's figures of a day, what arrived, what became of it, and what the ledger credited for it. */
export const closeFiguresSchema = z.object({
  /** The provider's list of the account; all three null where there is no statement. */
  bank_in_count: z.nullable(z.number()),
  bank_in_vnd: z.nullable(z.number()),
  bank_out_vnd: z.nullable(z.number()),
  arrived_count: z.number(),
  arrived_vnd: z.number(),
  told_vnd: z.number(),
  left_vnd: z.number(),
  credited_vnd: z.number(),
  review_vnd: z.number(),
  refunded_vnd: z.number(),
  ignored_vnd: z.number(),
  due_coins: z.number(),
  ledger_coins: z.number(),
  order_coins: z.number(),
  direct_coins: z.number(),
  open_events: z.number(),
})

/**
 * `green`: bank, notifications, orders and ledger agree. `red`: something differs. `not-compared`: nothing differs among
 * ours, and there is no statement to compare with. `empty`: neither a statement nor any money.
 */
export const CLOSE_STATUSES = ['green', 'red', 'not-compared', 'empty'] as const

export type CloseStatus = (typeof CLOSE_STATUSES)[number]

/** One receiving account on one day in Vietnam. Amounts of VND and TCoin are whole numbers. */
export const operatorDailyCloseSchema = z.object({
  id: idText,
  account_number: z.string(),
  /** `2026-11-20`. */
  day: z.string(),
  /** Incremented when the result of an existing close changes. */
  revision: z.number(),
  status: z.enum(CLOSE_STATUSES),
  /** Names of what does not agree; empty unless red. */
  differences: z.array(z.string()),
  ...closeFiguresSchema.shape,
  made_at: moment,
})

/** Of each difference at most so many rows are shown. */
export const CLOSE_ROWS_MAX = 20

/** What one row of a close may be about; but for the first three the names of differences. */
export const CLOSE_ROW_KINDS = [
  'not-ours',
  'not-listed',
  'other-amount',
  'untold',
  'without-reason',
  'coins',
  'orders',
  'open-events',
] as const

export type CloseRowKind = (typeof CLOSE_ROW_KINDS)[number]

const closeRowSchema = z.object({
  /** Our bank transfer and payment event, where there are; the bank's own id where it lists the row. */
  bank_transfer_id: z.nullable(idText),
  payment_event_id: z.nullable(idText),
  listed_id: z.nullable(z.string()),
  order_code: z.nullable(z.string()),
  direction: z.enum(['in', 'out']),
  /** VND. */
  our_vnd: z.nullable(z.number()),
  bank_vnd: z.nullable(z.number()),
  /** TCoin that it should have brought, and that the ledger gave; both null where it was not credited. */
  due_coins: z.nullable(z.number()),
  ledger_coins: z.nullable(z.number()),
})

export const dailyCloseDetailSchema = z.object({
  ...operatorDailyCloseSchema.shape,
  /** The close that stands for the account and the day; this one, unless it was made again since. */
  latest_id: idText,
  /** The statements of the account and the day, the one compared with first. */
  statements: z.array(
    z.object({
      /** A payment provider; `file` or `hand` where an operator gave it. */
      provider: z.string(),
      /** Who gave it; null for a provider's list. */
      given_by: z.nullable(person),
      /** Whether a picture that shows its figures is kept. */
      has_picture: z.boolean(),
      read_at: moment,
      in_count: z.number(),
      in_vnd: z.number(),
      out_count: z.number(),
      out_vnd: z.number(),
      unreadable: z.number(),
      /** Whether its rows were stored, so that they can be compared one by one. */
      has_rows: z.boolean(),
    }),
  ),
  /** The rows that do not agree now: of each kind how many, and the first of them. */
  rows: z.array(
    z.object({ kind: z.enum(CLOSE_ROW_KINDS), found: z.number(), first: z.array(closeRowSchema) }),
  ),
  /** The closes of the day's other accounts. */
  others: z.array(z.object({ id: idText, account_number: z.string(), status: z.enum(CLOSE_STATUSES) })),
})

export type DailyCloseDetail = z.output<typeof dailyCloseDetailSchema>
export type CloseRow = z.output<typeof closeRowSchema>

/** What a column of a statement file can be; a file has the two of the amounts, or one signed column. */
export const STATEMENT_COLUMNS = ['credit', 'debit', 'amount', 'date', 'reference', 'memo'] as const

export type StatementColumn = (typeof STATEMENT_COLUMNS)[number]

/** Where the columns stand, counted from zero. */
export type StatementColumns = { date: number } & { [Name in Exclude<StatementColumn, 'date'>]?: number }

const STATEMENT_BYTES_MAX = 4 * 1024 * 1024
export const STATEMENT_TYPES = '.xlsx,.xls,.csv,.txt,.html'
const PROOF_BYTES_MAX = 8 * 1024 * 1024

const STATEMENT_FORM = {
  file: 'statement',
  fileBytesMax: STATEMENT_BYTES_MAX,
  fileTooLarge: 'Tệp lớn hơn 4 MB, vui lòng tải sao kê của ít ngày hơn',
}

/** Forms carry texts. */
const position = z.optional(z.string().check(z.regex(/^(?:[1-9]?\d)?$/, 'Cột không hợp lệ')))

/** The columns as an operator set them, counted from zero; all left out: as the headings say. */
const columnFields = {
  date: position,
  credit: position,
  debit: position,
  amount: position,
  reference: position,
  memo: position,
}

export type ColumnFields = { [Name in StatementColumn]?: string | undefined }

const digits = (missing: string) =>
  z.string(missing).check(z.minLength(1, missing), z.regex(/^\d{1,15}$/, 'Vui lòng chỉ nhập chữ số'))

const nextClose = z.object({
  /** The close that stands now. */
  id: idText,
  status: z.enum(CLOSE_STATUSES),
})

const statementFileSchema = z.object({
  /** The headings of the table, in their order, and the first values below each. */
  headings: z.array(z.object({ heading: z.string(), values: z.array(z.string()) })),
  /** What each column was taken for. */
  columns: z.partialRecord(z.enum(STATEMENT_COLUMNS), z.number()),
  /** The days that it covers and that are over. */
  days: z.array(
    z.object({
      day: z.string(),
      in_count: z.number(),
      in_vnd: z.number(),
      out_count: z.number(),
      out_vnd: z.number(),
      /** What we know of the day. */
      arrived_count: z.number(),
      arrived_vnd: z.number(),
      left_vnd: z.number(),
    }),
  ),
  /** Rows that could not be read, as the spreadsheet counts them: how many, and the first of them. */
  unreadable: z.number(),
  unreadable_rows: z.array(z.number()),
})

export type StatementFile = z.output<typeof statementFileSchema>

export const CLOSE_PICTURE_PATH = '/operator/daily-closes/{id}/picture'

export const operatorDailyCloses = {
  list: endpoint('GET', '/operator/daily-closes', permitted('bank-transfers.read'), {
    summary: 'The daily closes that stand, the newest day first.',
    query: listQuery(['day'], {
      account_number: z.optional(z.string().check(z.maxLength(64))),
      status: z.optional(z.enum(CLOSE_STATUSES)),
      day: z.optional(dayText),
      from: z.optional(dayText),
      to: z.optional(dayText),
    }),
    answer: z.array(operatorDailyCloseSchema),
  }),
  get: endpoint('GET', '/operator/daily-closes/{id}', permitted('bank-transfers.read'), {
    summary: 'One close: the bank’s lists against our transfers, and the rows that do not agree.',
    ...oneRow(dailyCloseDetailSchema),
  }),
  readAnew: endpoint('POST', '/operator/daily-closes/{id}/read-anew', permitted('bank-transfers.match'), {
    summary:
      'Reads the providers’ lists of the day again, takes in what was missing, and closes the day anew. Refused when the providers are slow: the day is then closed anew by the worker.',
    body: reasonBody,
    answer: z.object({
      /** The close that stands now. */
      id: idText,
      status: z.enum(CLOSE_STATUSES),
      /** Incoming transfers that were not known. */
      found: z.int(),
      /** Lists that could not be read: the earlier figures of the bank stay, and the day is closed again later. */
      failed: z.int(),
    }),
    ...onRow('CONFLICT'),
  }),
  readFile: endpoint(
    'POST',
    '/operator/daily-closes/{id}/statement-file/read',
    permitted('bank-transfers.match'),
    {
      summary:
        'Reads a statement file of the account (XLSX, XLS, CSV, a page saved as XLS) and answers what it would be taken for: its columns and its days beside ours. A form (multipart). Changes nothing.',
      params: byId,
      body: z.object(columnFields),
      form: STATEMENT_FORM,
      answer: statementFileSchema,
      errors: ['NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'],
    },
  ),
  takeFile: endpoint(
    'POST',
    '/operator/daily-closes/{id}/statement-file',
    permitted('bank-transfers.match'),
    {
      summary:
        'Takes a statement file as the statement of each of its days that is over, and closes them anew. A form (multipart). The file itself is not kept.',
      body: z.object({ ...columnFields, reason }),
      form: STATEMENT_FORM,
      answer: z.object({ ...nextClose.shape, days: z.number() }),
      ...onRow('STEP_UP_REQUIRED', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'),
    },
  ),
  giveFigures: endpoint('POST', '/operator/daily-closes/{id}/figures', permitted('bank-transfers.match'), {
    summary:
      'Takes the figures that an operator read in the app of the bank or the wallet, with a picture that shows them, as the statement of the day, and closes it anew. A form (multipart).',
    body: z.object({
      in_count: digits('Vui lòng nhập số khoản vào'),
      in_vnd: digits('Vui lòng nhập tổng tiền vào'),
      out_count: digits('Vui lòng nhập số khoản ra'),
      out_vnd: digits('Vui lòng nhập tổng tiền ra'),
      reason,
    }),
    form: {
      file: 'picture',
      fileBytesMax: PROOF_BYTES_MAX,
      fileTooLarge: 'Ảnh lớn hơn 8 MB, vui lòng chọn ảnh nhỏ hơn',
    },
    answer: nextClose,
    ...onRow('STEP_UP_REQUIRED', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'),
  }),
  picture: endpoint('GET', CLOSE_PICTURE_PATH, permitted('bank-transfers.read'), {
    summary: 'The picture behind the figures of a day that an operator gave.',
    params: byId,
    file: 'image/jpeg',
    errors: ['NOT_FOUND'],
  }),
}

export type OperatorDailyClose = z.output<typeof operatorDailyCloseSchema>
export type CloseFigures = z.output<typeof closeFiguresSchema>

/** What must hold between tables that different code writes. */
export const RECONCILIATION_RULES = [
  'R1',
  'R2',
  'R3',
  'R4',
  'R5',
  'R6',
  'R7',
  'R8',
  'R9',
  'R10',
  'R11',
  'R12',
  'R13',
  'R14',
  'R15',
  'R16',
] as const

export type ReconciliationRule = (typeof RECONCILIATION_RULES)[number]

/** Of each rule at most so many rows are named. */
export const RECONCILIATION_EXAMPLES_MAX = 20

const exampleSchema = z.object({
  /** Null where a rule is about all accounts together. */
  kind: z.nullable(
    z.enum([
      'user',
      'ledger-account',
      'ledger-transfer',
      'bank-transfer',
      'payment-event',
      'account-day',
      'recharge-order',
      'delivery',
      'idempotency-key',
      'team',
      'promotion',
      'gift-codes',
    ]),
  ),
  /** Its id, of an order its code. */
  id: z.nullable(z.string()),
})

export type ReconciliationExample = z.output<typeof exampleSchema>

const runSchema = z.object({
  id: idText,
  /** Started by an operator, by the clock once a day, or by `portal reconcile`. */
  origin: z.enum(['daily', 'console', 'command']),
  by: z.nullable(person),
  finished_at: moment,
  took_ms: z.int(),
  /** Rows that break a rule, of all rules together. */
  found: z.int(),
  rules: z.array(
    z.object({
      rule: z.enum(RECONCILIATION_RULES),
      found: z.int(),
      /** The first of them. */
      examples: z.array(exampleSchema),
    }),
  ),
})

export type ReconciliationRun = z.output<typeof runSchema>

const reconciliationSchema = z.object({
  /** The run that was requested and is not finished. */
  running: z.nullable(z.object({ id: idText, by: z.nullable(person), asked_at: moment })),
  /** The last one that was finished; null before the first. */
  last: z.nullable(runSchema),
  /** When the newest run came to no end. */
  failed_at: z.nullable(moment),
})

export type Reconciliation = z.output<typeof reconciliationSchema>

export const operatorReconciliation = {
  get: endpoint('GET', '/operator/reconciliation', permitted('ledger.read'), {
    summary:
      'The last run of the checks R1–R16 of ledger, orders, deliveries, payment events, tournament fees and bonuses: what each found.',
    answer: reconciliationSchema,
  }),
  start: endpoint('POST', '/operator/reconciliation', permitted('bank-transfers.match'), {
    summary: 'Asks for a run, which a worker makes; one at a time. Answers at once.',
    body: reasonBody,
    answer: reconciliationSchema,
    ...keyed('CONFLICT'),
  }),
}
