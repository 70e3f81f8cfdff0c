import { momentText } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'

const copy = kitCopy.planned

/** When a planned price comes, and when it goes back. */
export const plannedTime = ({ starts_at, ends_at }: { starts_at: string; ends_at: string | null }): string =>
  ends_at === null
    ? copy.forGood(momentText(starts_at))
    : copy.between(momentText(starts_at), momentText(ends_at))
