import type { TournamentPhase } from '#contract/tournament-rules.ts'
import type { BadgeTone } from '#ui/badge.tsx'

/** Of both pages. */
export const factsCopy = {
  luong: (luong: string) => `${luong} lượng`,
  free: 'Miễn phí',
  /** Where nothing else says what the amount is. */
  fee: (luong: string) => `Lệ phí ${luong}`,
  unknown: 'Chưa rõ',
  prize: 'Giải thưởng',
} as const

export const phaseLabels: Record<TournamentPhase, { label: string; tone: BadgeTone }> = {
  announced: { label: 'Sắp mở đăng ký', tone: 'note' },
  registering: { label: 'Đang mở đăng ký', tone: 'success' },
  drawing: { label: 'Chờ chia cặp', tone: 'waiting' },
  running: { label: 'Đang diễn ra', tone: 'danger' },
  finished: { label: 'Đã kết thúc', tone: 'note' },
  cancelled: { label: 'Đã hủy', tone: 'note' },
}
