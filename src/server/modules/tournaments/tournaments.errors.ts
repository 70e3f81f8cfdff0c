import { type OperatorMatch, type OperatorTournamentRow, TEAMS_MAX } from '#contract/operator/tournaments.ts'
import type { TournamentPhase } from '#contract/tournament-phase.ts'
import { formatMoment } from '#contract/format.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'

/** With the present state, for the console to show. */
export const changedMeanwhile = (present: OperatorTournamentRow) =>
  conflict('Giải đấu vừa được người khác thay đổi. Xem lại dữ liệu mới rồi thực hiện lại.', present)

export const matchChangedMeanwhile = (present: OperatorMatch) =>
  conflict(`Kết quả trận ${present.position} vừa được người khác ghi. Xem lại rồi ghi lại nếu cần.`, present)

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

const NOT_REGISTERING: Partial<Record<TournamentPhase, string>> = {
  drawing: 'Đăng ký của giải đã đóng.',
  running: 'Giải đã bốc thăm.',
  finished: 'Giải đã kết thúc.',
  cancelled: 'Giải đã bị hủy.',
}

/** The same in words for players. */
export const notRegistering = (phase: TournamentPhase, { registration_start_at }: Dates) =>
  conflict(NOT_REGISTERING[phase] ?? `Đăng ký mở lúc ${formatMoment(registration_start_at)}.`)

/** A player's team stays as it was drawn. */
export const memberStays = () =>
  conflict(
    'Danh sách đội đã chốt để bốc thăm nên thành viên không rời đội được. Đội trưởng có thể rút cả đội.',
  )

export const teamIsDrawn = () => conflict('Giải đã bốc thăm hoặc đã hủy nên đội không thay đổi được nữa.')

export const notDrawable = (phase: TournamentPhase) =>
  conflict(
    OVER[phase] ??
      (phase === 'announced' || phase === 'registering'
        ? 'Giải chưa đóng đăng ký. Hãy đóng đăng ký để chốt danh sách rồi bốc thăm.'
        : 'Giải đã bốc thăm. Mỗi giải chỉ bốc thăm một lần.'),
  )

export const tooFewTeams = (count: number) =>
  conflict(`Cần ít nhất 2 đội để bốc thăm, hiện có ${count}. Hãy đăng ký thêm đội hoặc hủy giải.`)

/** Closed by a version before with more places than a bracket has. */
export const tooManyPlaces = (count: number) =>
  conflict(
    `Danh sách đã chốt có ${count} chỗ, nhiều hơn nhánh đấu lớn nhất (${TEAMS_MAX}). Hãy hủy giải, lệ phí được trả lại, rồi tạo giải mới.`,
  )

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
  invalidField(field, `Tên đội “${name}” đã có trong giải này hoặc quá giống tên một đội khác`)

export const nameOfStaff = (field: string, name: string) =>
  invalidField(field, `Tên đội “${name}” dễ nhầm với ban quản trị, vui lòng chọn tên khác`)

export const memberTaken = (field: string, name: string) =>
  invalidField(field, `Nhân vật “${name}” đã thuộc một đội khác của giải này`)

export const tooManyMembers = (field: string, team: string, most: number) =>
  invalidField(field, `Đội “${team}” có quá nhiều thành viên: thể thức này nhận tối đa ${most}`)

export const tooLargeTeam = (team: string) =>
  invalidField('type', `Đội “${team}” có nhiều thành viên hơn thể thức này nhận`)

export const tooManyTeams = (count: number) =>
  invalidField('max_round', `Đã có ${count} đội đăng ký, nhiều hơn số đội của chừng ấy vòng`)

export const frozen = (field: string) => invalidField(field, 'Giải đã bốc thăm nên không đổi được mục này')

export const frozenByClose = (field: string) =>
  invalidField(field, 'Danh sách đội đã chốt nên không đổi được mục này')

export const datesReversed = () =>
  invalidField('competition_start_at', 'Ngày thi đấu phải sau ngày mở đăng ký')

export const unknownServer = () => invalidField('server_id', 'Không có máy chủ này')

export const levelsReversed = () =>
  invalidField('max_level', 'Cấp cao nhất không được thấp hơn cấp thấp nhất')

export const matchNotPlayable = (position: number | null) =>
  conflict(
    position === null
      ? 'Chỉ ghi được kết quả của vòng đang đấu. Tải lại để thấy vòng hiện tại.'
      : `Trận ${position} không có đủ hai đội nên không có kết quả để ghi.`,
  )

const FAULTS = {
  'too-many': (points: number) => `mỗi đội thắng tối đa ${points} ván ở vòng này`,
  'both-won': (points: number) => `chỉ một đội thắng đủ ${points} ván`,
  'absent-ahead': () => 'đội vắng mặt không thể thắng nhiều ván hơn',
}

export const wrongResult = (position: number, fault: keyof typeof FAULTS, points: number) =>
  invalidField('results', `Trận ${position}: ${FAULTS[fault](points)}`)

export const undecided = (positions: readonly number[]) =>
  conflict(
    `Chưa có đội thắng ở trận ${positions.slice(0, 10).join(', ')}. Ghi kết quả; trận hòa phải đấu lại hoặc có một đội vắng mặt.`,
  )

export const lastRound = () => conflict('Đây là trận chung kết. Ghi kết quả rồi kết thúc giải.')

export const notLastRound = () => conflict('Giải chưa tới chung kết. Hãy mở vòng tiếp theo trước.')

export const notAnnounced = (phase: TournamentPhase) =>
  conflict(OVER[phase] ?? 'Giải đã mở đăng ký từ trước.')

export const notClosable = (phase: TournamentPhase) =>
  conflict(
    OVER[phase] ?? (phase === 'announced' ? 'Giải chưa mở đăng ký.' : 'Giải đã đóng đăng ký từ trước.'),
  )

/** Before the close the draw is made from something else every day. */
export const listClosed = () =>
  conflict('Danh sách đội đã chốt để bốc thăm: tên đội, thành viên và hạt giống không đổi được nữa.')

export const notClosedYet = () => conflict('Danh sách đội chưa chốt. Hãy đóng đăng ký rồi bốc thăm.')

export const listBeingClosed = () =>
  conflict('Danh sách đội đang được chốt. Hãy bốc thăm khi danh sách đã chốt xong, thường sau vài giây.')

export const roundNotYet = (from: string) =>
  conflict(
    `Số ngẫu nhiên để bốc thăm có lúc ${formatMoment(from)}:${from.slice(17, 19)}. Hãy bốc thăm từ lúc đó.`,
  )

export const beaconSilent = (round: number) =>
  conflict(
    `Chưa lấy được số ngẫu nhiên của vòng ${round}. Thử lại sau ít phút, hoặc dán nội dung của vòng này lấy từ nơi khác.`,
  )

export const wrongBeacon = (round: number) =>
  invalidField('beacon', `Không phải nội dung đúng chữ ký của vòng ${round}`)

export const unknownSeed = () => invalidField('teams', 'Có đội không thuộc giải này')

export const publishedTooLate = () =>
  invalidField('publish_at', 'Bảng đấu được công bố chậm nhất 7 ngày sau khi bốc thăm')

export const notLive = () => conflict('Giải này công bố bảng đấu một lần nên không bốc thăm từng đội.')

export const notRevealable = (phase: TournamentPhase) =>
  conflict(
    OVER[phase] ??
      (phase === 'running' ? 'Mọi đội đã được công bố.' : 'Giải chưa bốc thăm. Hãy bốc thăm trước.'),
  )

export const notPlayedYet = (position: number) =>
  conflict(`Trận ${position} chưa có kết quả để sửa. Ghi kết quả khi vòng của trận đang đấu.`)

export const stillBeingPlayed = (position: number) =>
  conflict(`Vòng của trận ${position} đã xong nên kết quả sửa lại phải có đội thắng hoặc đội vắng mặt.`)

/** With the matches that would have to be played again now. */
export const otherMatchesAgain = (again: readonly string[]) =>
  conflict(
    again.length === 0
      ? 'Không còn trận nào phải đấu lại. Xem lại rồi sửa lần nữa.'
      : `Có ${again.length} trận phải đấu lại. Xem danh sách rồi xác nhận lần nữa.`,
    { again },
  )

export const correctedLater = (position: number, again: number) =>
  conflict(
    `Đổi kết quả trận ${position} thì ${again} trận của vòng sau phải đấu lại. Hãy dùng “Sửa kết quả” ở bàn trọng tài.`,
  )

export const nothingToUndo = () => conflict('Không còn thao tác nào hoàn tác được.')

export const paused = () => conflict('Giải đang tạm dừng. Hãy cho giải tiếp tục trước khi gọi trận.')

export const pausedAlready = () => conflict('Giải đang tạm dừng rồi.')

export const notPaused = () => conflict('Giải không tạm dừng.')

/** The game is asked before a player is registered. */
export const gameSilent = () =>
  new Refusal('UNAVAILABLE', {
    message: 'Game chưa trả lời nên chưa kiểm tra được nhân vật. Vui lòng thử lại sau giây lát.',
    retryAfterSeconds: 5,
  })

type Limits = { min_level: number; max_level: number }

export function characterNotAllowed(reason: 'server' | 'level' | 'class', { min_level, max_level }: Limits) {
  const texts = {
    server: 'Giải chỉ dành cho nhân vật của máy chủ khác',
    level: `Giải dành cho nhân vật từ cấp ${min_level} đến cấp ${max_level}`,
    class: 'Giải không dành cho trường của nhân vật này',
  }
  return invalidField('character_id', texts[reason])
}

export const characterTaken = (name: string) =>
  invalidField('character_id', `Nhân vật “${name}” đã thuộc một đội của giải này`)

export const alreadyInTeam = () => conflict('Bạn đã ở trong một đội của giải này.')

export const listFull = () => conflict('Danh sách chờ của giải đã đầy.')

export const tooManyInvited = (most: number) =>
  invalidField('invites', most === 0 ? 'Thể thức này không cần mời thêm người' : `Mời tối đa ${most} người`)

export const invitedCaptain = () => invalidField('invites', 'Đội trưởng không tự mời mình')

export const unknownInvited = (name: string) => invalidField('invites', `Không tìm thấy người chơi “${name}”`)

export const notInvited = () => conflict('Lời mời này không còn hiệu lực.')

export const notCaptain = () => conflict('Chỉ đội trưởng thay đổi được đội.')

export const teamFull = () => conflict('Đội đã đủ người.')

export const nothingToPay = () => conflict('Đội không có lệ phí nào đang chờ.')

export const checkInNotNeeded = () => conflict('Giải này không cần điểm danh.')

export const checkInLater = (opens: string) => conflict(`Điểm danh mở lúc ${opens}.`)

export const feeIsFixed = () =>
  invalidField('fee', 'Đã có đội do người chơi đăng ký nên không đổi được lệ phí và thể thức')

export const membersAreTheirs = () =>
  invalidField('members', 'Đội do người chơi đăng ký: đội trưởng thay đổi thành viên')
