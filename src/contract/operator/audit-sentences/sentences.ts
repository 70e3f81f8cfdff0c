import type { OperatorAct } from '../act-guards.ts'
import { type AuditedAct, type NameOf, readAct, type Sentence } from './audited-act.ts'
import { contentSentences, tournamentSentences } from './content.ts'
import { deliverySentences, paymentSentences, transferSentences, walletSentences } from './money.ts'
import { type Change, type DescribedAct, say, textOfParts } from './parts.ts'
import { deletionSentences, playerSentences, staffSentences } from './people.ts'
import { exportSentences, runningSentences } from './running.ts'

/** The sentence of each action of the audit trail, for the console and for files. */
const SENTENCES = {
  ...transferSentences,
  ...paymentSentences,
  ...deliverySentences,
  ...walletSentences,
  ...playerSentences,
  ...staffSentences,
  ...deletionSentences,
  ...contentSentences,
  ...tournamentSentences,
  ...runningSentences,
  ...exportSentences,
} satisfies Record<OperatorAct, Sentence>

/** What the audit trail calls an act: each has its sentence here and its name in `audit-names.ts`. */
export type AuditAction = keyof typeof SENTENCES

export const AUDIT_ACTIONS = Object.keys(SENTENCES) as AuditAction[]

export const isAuditAction = (action: string): action is AuditAction => Object.hasOwn(SENTENCES, action)

/** A row of the trail in words; one of an action that this program does not know by its code. */
export function describeAct(audited: AuditedAct, nameOf: NameOf): DescribedAct {
  const act = readAct(audited, nameOf)
  const { action } = audited
  if (!isAuditAction(action)) return { sentence: say`thực hiện “${action}” với ${act.itself()}`, changes: [] }
  const sentence: Sentence = SENTENCES[action]
  return { sentence: sentence.say(act), changes: sentence.changes?.(act) ?? [] }
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A sentence without who did it, as one text. */
export const sentenceText = ({ sentence }: DescribedAct): string => capitalised(textOfParts(sentence))

const NOTHING = '(trống)'

export const changeText = ({ label, before, after }: Change): string =>
  `${label === '' ? '' : `${label}: `}${before === null ? '' : `${before || NOTHING} → `}${after || NOTHING}`
