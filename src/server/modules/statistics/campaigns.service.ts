import type { AnswerOf } from '#contract/endpoint.ts'
import { type Good, goodsInWords } from '#contract/deliveries.ts'
import {
  type CampaignKind,
  type CampaignReport,
  operatorCampaignReports,
} from '#contract/operator/campaign-reports.ts'
import { formatDay } from '#contract/format.ts'
import { vndWorth } from '#contract/operator/rewards/goods-worth.ts'
import { STATISTICS_ROWS_MAX, type StatisticsPeriod } from '#contract/operator/statistics.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { sendExport } from '#server/modules/audit/index.ts'
import { goodsPrices, readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { Api } from '#server/platform/http/api.ts'
import { csvFile } from '#server/platform/http/csv-file.ts'
import { validate } from '#server/platform/http/validate.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { type Cell, csvMoment } from '#server/platform/values/csv.rules.ts'
import { invariant, orNotFound } from '#server/platform/values/errors.ts'
import { storeReport } from './campaign-counts.queries.ts'
import {
  allowLongReports,
  type Campaign,
  type CampaignKey,
  findCampaign,
  findReport,
  listDueReports,
  listReportDays,
  sumHours,
  sumReversed,
  takeCampaign,
} from './campaigns.queries.ts'
import { findLastHour, readFiguresOf } from './hours.queries.ts'
import { DAY_MS, nextPeriod, periodsBetween, periodStart, type Span } from './periods.rules.ts'
import { findFirstHour } from './statistics.queries.ts'
import { numbersOf } from './statistics.service.ts'

const JOB = 'campaign reports'
const REPORTS_AT_ONCE = 20

/** Until when the hours have their figures: a report ends there too. */
async function countedUntil(db: Db): Promise<Date | undefined> {
  const last = await findLastHour(db)
  if (last === undefined) return undefined
  const end = nextPeriod('hour', last.hour)
  return last.computed_at < end ? last.computed_at : end
}

/** Counts the campaigns that are due anew; true when there may be more. */
export async function countCampaigns(deps: Pick<PlatformDeps, 'db' | 'log'>): Promise<boolean> {
  const until = await countedUntil(deps.db)
  if (until === undefined) return false
  return workOff(deps, {
    job: JOB,
    limit: REPORTS_AT_ONCE,
    list: (db, isResting, limit) => listDueReports(db, isResting, { until, limit }),
    work: (id) => countCampaign(deps.db, keyOf(id), until),
  })
}

function keyOf(text: string): CampaignKey {
  const [kind = '', id = ''] = text.split(':')
  return { kind: kind as CampaignKind, id }
}

async function countCampaign(db: Db, key: CampaignKey, until: Date): Promise<boolean> {
  const campaign = await findCampaign(db, key)
  invariant(campaign, 'what was listed is there')
  const span = spanOf(campaign, until)
  const before = { from: new Date(2 * span.from.getTime() - span.to.getTime()), to: span.from }
  const firstHour = await findFirstHour(db)
  const isThere = firstHour !== undefined && firstHour <= before.from
  const all = {
    recharged: await sumRecharged(db, span, until),
    before: isThere ? await sumRecharged(db, before, until) : null,
  }
  return inTransaction(db, async (tx) => {
    if (!(await takeCampaign(tx, key))) return false
    await allowLongReports(tx)
    await storeReport(tx, key, { span, until, all })
    return true
  })
}

const spanOf = ({ starts_at, ends_at }: Campaign, until: Date): Span => ({
  from: starts_at,
  to: ends_at !== null && ends_at < until ? ends_at : until,
})

/** VND credited to all players in a time, without what was reversed until a moment; of whole hours as they are stored. */
async function sumRecharged(db: Db, span: Span, until: Date): Promise<string> {
  const lastHour = periodStart('hour', span.to)
  const begun = periodStart('hour', span.from)
  const firstHour = begun < span.from ? nextPeriod('hour', begun) : begun
  const parts =
    firstHour > lastHour
      ? [span]
      : [
          { from: span.from, to: firstHour },
          { from: lastHour, to: span.to },
        ]
  let sum = firstHour < lastHour ? BigInt(await sumHours(db, { from: firstHour, to: lastHour })) : 0n
  for (const part of parts.filter(({ from, to }) => from < to)) {
    const { momo_vnd, vietcombank_vnd, acb_vnd, other_vnd } = await readFiguresOf(db, part)
    sum += BigInt(momo_vnd) + BigInt(vietcombank_vnd) + BigInt(acb_vnd) + BigInt(other_vnd)
  }
  return String(sum - BigInt(await sumReversed(db, span, until)))
}

/** A chart of more bars is read by the week, and of more than a year by the month. */
const DAYS_BY_DAY = 92
const DAYS_BY_WEEK = 400

function barsOf({ from, to }: Span): StatisticsPeriod {
  const days = (to.getTime() - from.getTime()) / DAY_MS
  if (days <= DAYS_BY_DAY) return 'day'
  return days <= DAYS_BY_WEEK ? 'week' : 'month'
}

type Answer = AnswerOf<typeof operatorCampaignReports.read>

async function readCampaignReport({ db }: Pick<PlatformDeps, 'db'>, key: CampaignKey): Promise<Answer> {
  const { title, starts_at, ends_at } = orNotFound(await findCampaign(db, key))
  return {
    ...key,
    title,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    report: await readReport(db, key),
  }
}

async function readReport(db: Db, key: CampaignKey): Promise<CampaignReport | null> {
  const stored = await findReport(db, key)
  if (stored === undefined) return null
  const names = await readGameNames(db)
  const prices = goodsPrices(await readSettings(db))
  const { counted_until, starts_at, ends_at, goods, goods_waiting, all_recharged_before, ...sums } = stored
  const by = barsOf({ from: starts_at, to: ends_at })
  const figures = numbersOf(sums)
  const rows = await listReportDays(db, key, by)
  return {
    ...figures,
    counted_until: counted_until.toISOString(),
    starts_at: starts_at.toISOString(),
    ends_at: ends_at.toISOString(),
    goods: names.withItemNames(goods),
    goods_waiting: names.withItemNames(goods_waiting),
    cost_vnd: vndWorth({ coins: figures.given - figures.taken_back, luong: luongOf(goods) }, prices),
    all_recharged_before: all_recharged_before === null ? null : parseCoins(all_recharged_before),
    by,
    rows: withQuietPeriods(rows, { from: starts_at, to: ends_at }, by),
  }
}

type Rows = Awaited<ReturnType<typeof listReportDays>>

/** Every day, week or month from the first to the last in which it ran or something happened. */
function withQuietPeriods(rows: Rows, { from, to }: Span, by: StatisticsPeriod): CampaignReport['rows'] {
  const [first = from, last = from] = [rows[0]?.start, rows.at(-1)?.start]
  const whole = { from: first < from ? first : from, to: last < to ? to : nextPeriod(by, last) }
  return periodsBetween(by, whole, STATISTICS_ROWS_MAX).map((start) => {
    const {
      players = '0',
      brought = '0',
      given = '0',
    } = rows.find((row) => row.start.getTime() === start.getTime()) ?? {}
    return { start: start.toISOString(), ...numbersOf({ players, brought, given }) }
  })
}

const luongOf = (goods: readonly Good[]): number =>
  goods.reduce((sum, { kind, quantity }) => (kind === 'luong' ? sum + quantity : sum), 0)

/** The lines of the file: each figure, and what it was in the time before where that is known. */
const FILE: Record<string, (report: CampaignReport) => readonly [Cell, Cell?]> = {
  'Tính đến': ({ counted_until }) => [csvMoment(counted_until)],
  'Bắt đầu': ({ starts_at }) => [csvMoment(starts_at)],
  'Kết thúc': ({ ends_at }) => [csvMoment(ends_at)],
  'TCoin đã tặng': ({ given }) => [given],
  'TCoin đã thu hồi': ({ taken_back }) => [taken_back],
  'TCoin đang giữ': ({ held }) => [held],
  'Quà game đã nhận': ({ goods }) => [goodsInWords(goods)],
  'Quà đang giao': ({ goods_waiting }) => [goodsInWords(goods_waiting)],
  'Lệ phí thu trong game (lượng)': ({ fees }) => [fees],
  'Lệ phí đã hoàn (lượng)': ({ fees_back }) => [fees_back],
  'Chi phí theo giá hôm nay (VND)': ({ cost_vnd }) => [cost_vnd],
  'Tiền nạp mang lại (VND)': ({ brought }) => [brought],
  'Trong đó bị hủy cộng (VND)': ({ brought_back }) => [brought_back],
  'Người tham gia nạp (VND)': ({ recharged, recharged_before }) => [recharged, recharged_before],
  'Mọi người chơi nạp (VND)': ({ all_recharged, all_recharged_before }) => [
    all_recharged,
    all_recharged_before,
  ],
  'Người tham gia': ({ players }) => [players],
  'Người chơi mới': ({ new_players }) => [new_players],
  'Nạp lần đầu': ({ first_payers }) => [first_payers],
  'Quay lại': ({ returned }) => [returned],
  'Người nạp': ({ payers, payers_before }) => [payers, payers_before],
  'Nạp trong 30 ngày sau đó': ({ payers_after }) => [payers_after],
}

type Line = { name: string; now: Cell; before: Cell }

function linesOf(report: CampaignReport | null): Line[] {
  if (report === null) return []
  const figures = Object.entries(FILE).map(([name, read]) => {
    const [now, before = null] = read(report)
    return { name, now, before }
  })
  const course = report.rows.map(({ start, brought }) => ({
    name: `Tiền nạp mang lại từ ${formatDay(start)} (VND)`,
    now: brought,
    before: null,
  }))
  return [...figures, ...course]
}

export function registerCampaignReports(api: Api, deps: PlatformDeps): void {
  const { read } = operatorCampaignReports
  api.serve(read, ({ params }) => readCampaignReport(deps, params))
  api.serveFile(read, async ({ identity, request, reply }) => {
    const key = validate(read.params as never, request.params) as CampaignKey
    const lines = linesOf((await readCampaignReport(deps, key)).report)
    await sendExport(deps, { identity, request, reply }, { exported: 'campaign-reports', filter: key })
    return csvFile<Line>({
      headings: ['Số liệu', 'Chiến dịch', 'Kỳ trước'],
      cells: ({ name, now, before }) => [name, now, before],
      read: async (_limit, last) => (last === undefined ? lines : []),
    })
  })
}

const MINUTE_MS = 60_000

/** Campaigns are looked at each minute: one that has just begun has its first report soon. */
export function startCampaignJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [{ name: JOB, pauseMs: MINUTE_MS, round: () => countCampaigns(deps) }])
}
