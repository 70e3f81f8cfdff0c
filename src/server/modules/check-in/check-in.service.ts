import type { AnswerOf } from '#contract/endpoint.ts'
import { vietnamDayOf } from '#contract/format.ts'
import type { operatorCheckIns } from '#contract/operator/promotions.ts'
import type { CheckIn } from '#contract/rewards/check-in.ts'
import { type PromiseKey, takeOfOpen } from '#server/modules/audit/index.ts'
import { type PurchaseDeps, takeReward } from '#server/modules/purchases/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import {
  checkInsOfPerson,
  selectCounts,
  selectSince,
  selectTaken,
  upsertCheckIn,
} from './check-in.queries.ts'

/** The goods of each day of a month while it is on, else null. */
const calendarOf = ({ isCheckInEnabled, checkInGoods }: SettingValues) =>
  isCheckInEnabled ? checkInGoods : null

/** The setting that opens the calendar. */
const OPENED_BY = 'check_in_enabled'

const dayOfMonth = (date: string) => Number(date.slice(8))

const goodsOf = (calendar: NonNullable<SettingValues['checkInGoods']>, date: string) =>
  calendar[dayOfMonth(date) - 1] ?? []

/** Every date of a month that is given as `2026-11`. */
function datesOf(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

/** This month in Vietnam, and what the player took of it. */
export async function readCheckIn(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  userId: string,
): Promise<CheckIn> {
  const calendar = calendarOf(await readSettings(db))
  const today = vietnamDayOf(clock.now().getTime())
  const month = today.slice(0, 7)
  const since = (await selectSince(db, userId, OPENED_BY)) ?? today
  if (calendar === null) return { is_open: false, month, today, since, days: [] }
  const dates = datesOf(month)
  const taken = await selectTaken(db, userId, { from: dates[0] as string, to: dates.at(-1) as string })
  const names = await readGameNames(db)
  const days = dates.map((date) => ({
    date,
    goods: names.withItemNames(goodsOf(calendar, date)),
    claimed: taken.has(date),
  }))
  return { is_open: true, month, today, since, days }
}

type Request = Omit<Parameters<typeof takeReward>[1], 'scope'>

/** Once a day in Vietnam; which day it is is read when it is the player's turn. */
export const takeToday = (deps: PurchaseDeps, request: Request) =>
  takeReward(deps, { ...request, scope: 'check-in' }, async (tx) => {
    const settings = await readSettings(tx)
    const calendar = calendarOf(settings)
    if (calendar === null) throw closed()
    const day = vietnamDayOf(deps.clock.now().getTime())
    const goods = goodsOf(calendar, day)
    return {
      goods,
      givenFor: `check_in:${day}`,
      taken: () => new Refusal('ALREADY_CHECKED_IN'),
      async count(amount) {
        const { checkInPlayers: players, goodsLimits: limits } = settings
        const open = { ...promiseOf(day, amount), amount, players, limits, endsAt: endOf(day) }
        const taken = await takeOfOpen(tx, open)
        if (taken === 'limited')
          deps.log.warn({ event: 'check-in.limited', day }, 'the check-in of today is above a limit of goods')
        if (taken !== 'given') throw noneLeft()
      },
      record: (deliveryId) => upsertCheckIn(tx, { userId: request.userId, day, deliveryId }),
    }
  })

/** Of other goods than before on the same day there is another promise. */
const promiseOf = (day: string, { luong, loads }: { luong: bigint; loads: bigint }): PromiseKey => ({
  kind: 'check-in',
  subject: `${day}: ${luong} ${loads}`,
})

/** When a day in Vietnam ends. */
const endOf = (day: string) => new Date(Date.parse(`${day}T00:00:00+07:00`) + 86_400_000)

const noneLeft = () =>
  new Refusal('GOODS_UNAVAILABLE', { message: 'Quà điểm danh hôm nay đã hết, mời bạn quay lại ngày mai' })

/** An operator's switch does not flip back within seconds. */
const RETRY_SECONDS = 3_600

const closed = () =>
  new Refusal('DISABLED', {
    message: 'Điểm danh đang tạm đóng, vui lòng quay lại sau',
    retryAfterSeconds: RETRY_SECONDS,
  })

const COUNTED_DAYS = 31

/** How many players took the goods of each of the last days. */
export async function countCheckIns({
  db,
  clock,
}: Pick<PlatformDeps, 'db' | 'clock'>): Promise<AnswerOf<typeof operatorCheckIns.days>> {
  return { days: await selectCounts(db, { today: vietnamDayOf(clock.now().getTime()), days: COUNTED_DAYS }) }
}

/** On which days somebody took goods stays with the deliveries. */
export const personalCheckIns: PersonalPart = {
  lists: { check_ins: checkInsOfPerson },
  erase: eraseNothing,
}
