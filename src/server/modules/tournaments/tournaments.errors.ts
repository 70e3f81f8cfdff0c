import type { OperatorMatch, OperatorTournamentRow } from '#contract/operator/tournaments.ts'
import type { TournamentPhase } from '#contract/tournament-rules.ts'
import { formatMoment } from '#contract/format.ts'
import { invalidField, Refusal } from '#server/platform/values/errors.ts'

const conflict = (message: string) => new Refusal('CONFLICT', { message })

/** With the present state, for the console to show. */
export const changedMeanwhile = (present: OperatorTournamentRow) =>
  new Refusal('CONFLICT', {
    message: 'Giải đấu vừa được người khác thay đổi. Xem lại dữ liệu mới rồi thực hiện lại.',
    present,
  })

export const matchChangedMeanwhile = (present: OperatorMatch) =>
  new Refusal('CONFLICT', {
    message: `Kết quả trận ${present.position} vừa được người khác ghi. Xem lại rồi ghi lại nếu cần.`,
    present,
  })

const OVER: Partial<Record<TournamentPhase, string>> = {
  finished: 'Giải đã kết thúc nên không thay đổi được nữa.',
  cancelled: 'Giải đã bị hủy nên không thay đổi được nữa. Hãy tạo giải mới.',
}

export const isOver = (phase: TournamentPhase) => conflict(OVER[phase] ?? '')

type Dates = { registration_start_at: string; competition_start_at: string }

/** Teams register between the two dates. */
export function registrationClosed(phase: TournamentPhase, dates: Dates): Refusal {
  const opens = formatMoment(dates.registration_start_at)
  const closed = formatMoment(dates.competition_start_at)
  if (phase === 'announced') {
    return conflict(`Đăng ký mở lúc ${opens}. Muốn nhận đội ngay, hãy sửa ngày mở đăng ký.`)
  }
  if (phase === 'drawing') {
    return conflict(`Đăng ký đã đóng lúc ${closed}. Muốn nhận thêm đội, hãy dời ngày thi đấu.`)
  }
  return conflict(OVER[phase] ?? 'Giải đã bốc thăm nên không nhận thêm đội.')
}

export const notDrawable = (phase: TournamentPhase) =>
  conflict(
    OVER[phase] ??
      (phase === 'announced'
        ? 'Giải chưa mở đăng ký nên chưa có gì để bốc thăm.'
        : 'Giải đã bốc thăm. Mỗi giải chỉ bốc thăm một lần.'),
  )

export const tooFewTeams = (count: number) =>
  conflict(`Cần ít nhất 2 đội để bốc thăm, hiện có ${count}. Hãy đăng ký thêm đội hoặc hủy giải.`)

export const notRunning = (phase: TournamentPhase) =>
  conflict(OVER[phase] ?? 'Giải chưa bốc thăm. Hãy bốc thăm trước.')

export const drawnAlready = () =>
  conflict('Giải đã bốc thăm nên đội không rút được. Hãy ghi đội vắng mặt ở trận của đội.')

export const noPlaceLeft = (left: number, most: number) =>
  invalidField(
    'teams',
    left === 0
      ? `Giải đã đủ ${most} đội. Tăng số vòng nếu muốn nhận thêm.`
      : `Giải chỉ còn ${left} chỗ trong ${most}. Bớt đội hoặc tăng số vòng.`,
  )

export const nameTaken = (field: string, name: string) =>
  invalidField(field, `Tên đội “${name}” đã có trong giải này`)

export const memberTaken = (field: string, name: string) =>
  invalidField(field, `Nhân vật “${name}” đã thuộc một đội khác của giải này`)

export const tooManyMembers = (field: string, team: string, most: number) =>
  invalidField(field, `Đội “${team}” có quá nhiều thành viên: thể thức này nhận tối đa ${most}`)

export const tooLargeTeam = (team: string) =>
  invalidField('type', `Đội “${team}” có nhiều thành viên hơn thể thức này nhận`)

export const tooManyTeams = (count: number) =>
  invalidField('max_round', `Đã có ${count} đội đăng ký, nhiều hơn số đội của chừng ấy vòng`)

export const frozen = (field: string) => invalidField(field, 'Giải đã bốc thăm nên không đổi được mục này')

export const datesReversed = () =>
  invalidField('competition_start_at', 'Ngày thi đấu phải sau ngày mở đăng ký')

export const levelsReversed = () =>
  invalidField('max_level', 'Cấp cao nhất không được thấp hơn cấp thấp nhất')

export const matchNotPlayable = (position: number | null) =>
  conflict(
    position === null
      ? 'Chỉ ghi được kết quả của vòng đang đấu. Tải lại để thấy vòng hiện tại.'
      : `Trận ${position} không có đủ hai đội nên không có kết quả để ghi.`,
  )

export const wrongResult = (position: number, fault: 'too-many' | 'absent-ahead', points: number) =>
  invalidField(
    'results',
    fault === 'too-many'
      ? `Trận ${position}: mỗi đội thắng tối đa ${points} ván ở vòng này`
      : `Trận ${position}: đội vắng mặt không thể thắng nhiều ván hơn`,
  )

export const undecided = (positions: readonly number[]) =>
  conflict(
    `Chưa có đội thắng ở trận ${positions.slice(0, 10).join(', ')}. Ghi kết quả; trận hòa phải đấu lại hoặc có một đội vắng mặt.`,
  )

export const lastRound = () => conflict('Đây là trận chung kết. Ghi kết quả rồi kết thúc giải.')

export const notLastRound = () => conflict('Giải chưa tới chung kết. Hãy mở vòng tiếp theo trước.')
