import type { Payee } from '#contract/transfers.ts'
import { Badge } from '#ui/badge.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'

/** Who would receive the transfer: portrait, name, and whether they can trade. */
export function PayeeCard({ payee: { username, activated, character } }: { payee: Payee }) {
  return (
    <div className="flex items-center gap-3 rounded-xl bg-sunken p-3">
      <CharacterHead head={character?.head ?? 0} />
      <div className="min-w-0 flex-1">
        <strong className="block wrap-anywhere">{username}</strong>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-soft">
          <span>{character ? copy.characterOf(character.name) : copy.noCharacter}</span>
          <Badge tone={activated ? 'success' : 'note'}>
            {activated ? copy.activated : copy.notActivated}
          </Badge>
        </span>
      </div>
    </div>
  )
}
