import { tournamentPhase, type TournamentPhase } from '#contract/tournament-phase.ts'
import { TOURNAMENT_FORMATS } from '#contract/tournament-rules.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { formatNumber } from '#contract/format.ts'
import type { Tournament } from '#contract/tournaments.ts'

/** The texts of both pages. */
export const factsCopy = {
  luong: (luong: string) => `${luong} lượng`,
  free: 'Miễn phí',
  /** Where nothing else names the amount. */
  fee: (luong: string) => `Lệ phí ${luong}`,
  unknown: 'Chưa rõ',
  prize: 'Giải thưởng',
} as const

const phaseLabels: Record<TournamentPhase, { label: string; tone: BadgeTone }> = {
  announced: { label: 'Sắp mở đăng ký', tone: 'note' },
  registering: { label: 'Đang mở đăng ký', tone: 'success' },
  drawing: { label: 'Chờ chia cặp', tone: 'waiting' },
  running: { label: 'Đang diễn ra', tone: 'danger' },
  finished: { label: 'Đã kết thúc', tone: 'note' },
  cancelled: { label: 'Đã hủy', tone: 'note' },
}

export function feeText({ fee }: Tournament): string {
  return fee === 0 ? factsCopy.free : factsCopy.luong(formatNumber(fee))
}

/** As a part of a line about the tournament. */
export function namedFeeText(tournament: Tournament): string {
  return tournament.fee === 0 ? factsCopy.free : factsCopy.fee(feeText(tournament))
}

export function formatText({ type }: Tournament): string {
  return nameOf(TOURNAMENT_FORMATS, type)
}

/** Codes come from the server; an unknown one is shown as unknown. */
export function nameOf(names: Readonly<Record<number, string>>, code: number): string {
  return names[code] ?? factsCopy.unknown
}

export function PhaseBadge({ tournament, now_ms }: { tournament: Tournament; now_ms: number }) {
  const { label, tone } = phaseLabels[tournamentPhase(tournament, new Date(now_ms))]
  return <Badge tone={tone}>{label}</Badge>
}

type ArtProps = { type: number; className?: string }

/** The drawing of a poster: crossed blades for duels, war banners for groups. */
export const artOf = (type: number) => `/images/tournaments/${type === 1 ? 'duel' : 'groups'}.svg`

export const PosterArt = ({ type, className = '' }: ArtProps) => (
  <img
    src={artOf(type)}
    width={400}
    height={160}
    alt=""
    fetchPriority="high"
    className={`bg-night object-cover ${className}`}
  />
)
