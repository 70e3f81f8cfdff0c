import { teamSize } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'

type Share = { userId: string; luong: number }

/** Who pays how much of a team's fee: the captain all of it, or each player a share and the captain the rest. */
export function sharesOf(
  { fee, fee_payer, type }: Pick<Tournament, 'fee' | 'fee_payer' | 'type'>,
  { captainId, players }: { captainId: string | null; players: readonly string[] },
): Share[] {
  if (fee === 0 || captainId === null) return []
  const share = fee_payer === 'captain' ? 0 : Math.floor(fee / teamSize(type))
  const others = players.filter((userId) => userId !== captainId)
  if (share === 0) return [{ userId: captainId, luong: fee }]
  return [
    { userId: captainId, luong: fee - share * others.length },
    ...others.map((userId) => ({ userId, luong: share })),
  ]
}

type Limits = Pick<Tournament, 'min_level' | 'max_level' | 'allowed_classes' | 'server_id'>

/** Why a character may not play. */
export function reasonAgainst(
  { min_level, max_level, allowed_classes, server_id }: Limits,
  { level, classId, hasLevels }: { level: number; classId: number; hasLevels: boolean },
  serverId: string,
): 'server' | 'level' | 'class' | null {
  if (server_id !== null && server_id !== serverId) return 'server'
  if (hasLevels && (level < min_level || level > max_level)) return 'level'
  return allowed_classes.includes(classId) ? null : 'class'
}
