import type { AnswerOf } from '#contract/endpoint.ts'
import {
  type ColumnFields,
  operatorDailyCloses,
  STATEMENT_COLUMNS,
  type StatementColumns,
  type StatementFile,
} from '#contract/operator/daily-closes.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { readablePicture } from '#server/platform/pictures/reencode.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
import { conflict, invalidField, orNotFound } from '#server/platform/values/errors.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { type Day, dayOf } from '../daily-close.rules.ts'
import { findCloseById } from '../daily-close.queries.ts'
import { type DayClose, makeCloses, receivingAccounts, reportRed } from '../daily-close.service.ts'
import { saveStatementDay } from '../pull.queries.ts'
import type { ReconciliationDeps } from '../pull.service.ts'
import { findProof, insertGivenStatement, selectKnownDays } from './given-statements.queries.ts'
import { readSpreadsheet } from './spreadsheet.ts'
import {
  areEnough,
  type Cells,
  type DayOfFile,
  daysOf,
  FILE_DAYS_MAX,
  namesOtherAccount,
  readRows,
  recognise,
} from './statement-file.rules.ts'

/** Reading takes a thread and memory, also of what is then refused. */
const FILES_PER_OPERATOR = machineLimit('statement-files', 60, 3_600)

const noFile = () => invalidField('statement', 'Vui lòng chọn tệp sao kê')
const noProof = () =>
  invalidField('picture', 'Vui lòng gửi kèm ảnh chụp số liệu của ngày trong ứng dụng ngân hàng')

const ofOtherAccount = (account: string) =>
  invalidField('statement', `Tệp này là sao kê của tài khoản ${account}, không phải của tài khoản đang chốt`)

const unknownColumns = () =>
  invalidField('date', 'Chưa biết cột nào là ngày và cột nào là số tiền vào; vui lòng chọn cột')

const dayNotCovered = (day: Day) =>
  invalidField('statement', `Sao kê trong tệp không có ngày ${day.split('-').toReversed().join('/')}`)

const tooManyDays = () =>
  invalidField('statement', `Sao kê dài hơn ${FILE_DAYS_MAX} ngày, vui lòng tải sao kê của ít ngày hơn`)

const dayNotOver = () => conflict('Ngày này chưa qua, chưa thể đối chiếu')

const ROWS_NAMED_MAX = 20
const VALUES_SHOWN = 3

type FileCall = {
  params: { id: string }
  file: Buffer | null
  identity: { userId: string }
  body: ColumnFields
}

/** The columns that an operator set; without any, those of the headings. */
function columnsOf(body: ColumnFields, recognised: Partial<StatementColumns>): Partial<StatementColumns> {
  const given = STATEMENT_COLUMNS.flatMap((name) => (body[name] ? [[name, Number(body[name])] as const] : []))
  return given.length === 0 ? recognised : Object.fromEntries(given)
}

type OpenedFile = {
  accountNumber: string
  day: Day
  accountNumbers: string[]
  cells: Cells
  row: number
  columns: Partial<StatementColumns>
  days: DayOfFile[]
  unreadable: number[]
}

/** Reads a file for the account of a close. Its days are those that are over. */
async function openFile(
  deps: ReconciliationDeps,
  { params, file, identity, body }: FileCall,
): Promise<OpenedFile> {
  const close = orNotFound(await findCloseById(deps.db, params.id))
  if (file === null) throw noFile()
  await deps.limits.consume(FILES_PER_OPERATOR, identity.userId)
  const cells = await readSpreadsheet(deps.log, file)
  const { row, columns: recognised } = recognise(cells)
  const accountNumbers = await receivingAccounts(deps)
  const { account_number: accountNumber, day } = close
  const other = namesOtherAccount(cells, row, { own: accountNumber, others: accountNumbers })
  if (other !== undefined) throw ofOtherAccount(other)
  const columns = columnsOf(body, recognised)
  const read = areEnough(columns) ? readRows(cells, row, columns) : { rows: [], unreadable: [] }
  const days = daysOf(cells, row, read)
  if (days.length > FILE_DAYS_MAX) throw tooManyDays()
  const today = dayOf(deps.clock.now())
  const past = days.filter((one) => one.day < today)
  return { accountNumber, day, accountNumbers, cells, row, columns, days: past, unreadable: read.unreadable }
}

/** What a file would be taken for. Changes nothing. */
export async function readStatementFile(
  deps: ReconciliationDeps,
  call: UserCall<typeof operatorDailyCloses.readFile>,
): Promise<StatementFile> {
  const { accountNumber, cells, row, columns, days, unreadable } = await openFile(deps, call)
  const [first, last] = [days[0]?.day, days.at(-1)?.day]
  const known = first && last ? await selectKnownDays(deps.db, { accountNumber, first, last }) : []
  const below = cells.slice(row + 1).filter((one) => one.some((cell) => cell !== null && cell !== ''))
  return {
    headings: (cells[row] ?? []).map((heading, index) => ({
      heading: String(heading ?? '').trim(),
      values: below.slice(0, VALUES_SHOWN).map((one) => String(one[index] ?? '').trim()),
    })),
    columns,
    days: days.map(({ rows: _rows, ...day }) => {
      const ours = known.find(({ text }) => text === day.day)
      return {
        ...day,
        arrived_count: Number(ours?.arrived_count ?? 0),
        arrived_vnd: Number(ours?.arrived_vnd ?? 0),
        left_vnd: Number(ours?.left_vnd ?? 0),
      }
    }),
    unreadable: unreadable.length,
    unreadable_rows: unreadable.slice(0, ROWS_NAMED_MAX),
  }
}

/** Takes a file as the statement of its days, and closes them anew. */
export async function takeStatementFile(
  deps: ReconciliationDeps,
  call: UserCall<typeof operatorDailyCloses.takeFile>,
): Promise<AnswerOf<typeof operatorDailyCloses.takeFile>> {
  const sha256 = call.file && sha256Hex(call.file)
  const { answer, made } = await actAsOperator(deps, withFile(call, sha256), {
    action: 'daily-closes.take-file',
    async prepare() {
      const opened = await openFile(deps, call)
      if (!areEnough(opened.columns)) throw unknownColumns()
      if (!opened.days.some(({ day }) => day === opened.day)) throw dayNotCovered(opened.day)
      return opened
    },
    async work(tx, { accountNumber, accountNumbers, days, unreadable }) {
      const given = { accountNumber, givenBy: call.identity.userId, sha256: sha256 as string }
      const givenId = await insertGivenStatement(tx, given)
      const perDay: [Day, DayClose[]][] = []
      for (const { day, rows, ...sums } of days) {
        // Nobody knows of which day a row is that cannot be read: each of the days is doubtful.
        const figures = { ...sums, unreadable: unreadable.length }
        const listed = rows.map(({ row, direction, amount, reference }) => ({
          id: String(row),
          direction,
          amount,
          ref: reference,
        }))
        await saveStatementDay(tx, { provider: 'file', accountNumber, day, figures, listed, givenId })
        perDay.push([day, await makeCloses(tx, { day, accountNumbers })])
      }
      const after = await closeNow(tx, call.params.id)
      const first = days[0]?.day
      const last = days.at(-1)?.day
      return {
        answer: { answer: { ...after, days: days.length }, made: perDay },
        audit: {
          subject: { type: 'daily_close', id: call.params.id },
          details: {
            account_number: accountNumber,
            first,
            last,
            days: days.length,
            status: after.status,
            sha256,
          },
        },
      }
    },
  })
  for (const [day, closes] of made) reportRed(deps, { day, made: closes })
  return answer
}

/** Takes figures that an operator read in the bank's app as the statement of the day, and closes it anew. */
export async function giveFigures(
  deps: ReconciliationDeps,
  call: UserCall<typeof operatorDailyCloses.giveFigures>,
): Promise<AnswerOf<typeof operatorDailyCloses.giveFigures>> {
  const { file, body, identity } = call
  const { answer, day, made } = await actAsOperator(deps, withFile(call, file && sha256Hex(file)), {
    action: 'daily-closes.give-figures',
    async prepare() {
      const before = orNotFound(await findCloseById(deps.db, call.params.id))
      if (before.day >= dayOf(deps.clock.now())) throw dayNotOver()
      if (file === null) throw noProof()
      await deps.limits.consume(FILES_PER_OPERATOR, identity.userId)
      const picture = await readablePicture(deps.log, file)
      return { before, picture: picture.content, accountNumbers: await receivingAccounts(deps) }
    },
    async work(tx, { before, picture, accountNumbers }) {
      const { account_number: accountNumber, day } = before
      const givenId = await insertGivenStatement(tx, { accountNumber, givenBy: identity.userId, picture })
      const { in_count, in_vnd, out_count, out_vnd } = body
      const typed = { in_count, in_vnd, out_count, out_vnd }
      const figures = {
        in_count: Number(in_count),
        in_vnd: Number(in_vnd),
        out_count: Number(out_count),
        out_vnd: Number(out_vnd),
        unreadable: 0,
      }
      await saveStatementDay(tx, { provider: 'hand', accountNumber, day, figures, listed: null, givenId })
      const made = await makeCloses(tx, { day, accountNumbers })
      const after = await closeNow(tx, before.id)
      return {
        answer: { answer: after, day, made },
        audit: {
          subject: { type: 'daily_close', id: before.id },
          details: { account_number: accountNumber, day, ...typed, status: after.status },
        },
      }
    },
  })
  reportRed(deps, { day, made })
  return answer
}

/** The picture behind the figures of a close's day that were typed. Throws NOT_FOUND. */
export const readProof = async (db: Db, closeId: string): Promise<Buffer> =>
  orNotFound((await findProof(db, closeId)) ?? undefined)

/** The file is a part of the request: the same key with another one is refused. */
const withFile = <Call extends { body: object }>(call: Call, sha256: string | null): Call => ({
  ...call,
  body: { ...call.body, sha256 },
})

async function closeNow(tx: Tx, id: string) {
  const { latest_id } = orNotFound(await findCloseById(tx, id))
  const { status } = orNotFound(await findCloseById(tx, latest_id))
  return { id: latest_id, status }
}
