import { classPicture, NO_HEAD_PICTURE } from '#contract/characters.ts'
import type { RankingRow } from '#contract/ranking.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'

/** A character's head; where the portal does not know it, that of its class. */
export function Portrait({ row: { head, class_id }, className }: { row: RankingRow; className: string }) {
  const shape = `rounded-full ${className}`
  if (head !== null) return <CharacterHead head={head} className={shape} />
  return (
    <CharacterHead picture={class_id === null ? NO_HEAD_PICTURE : classPicture(class_id)} className={shape} />
  )
}
