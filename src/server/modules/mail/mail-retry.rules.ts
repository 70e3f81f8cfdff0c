const FIRST_DELAY_SECONDS = 60
const DELAY_SECONDS_MAX = 3_600
const AGE_SECONDS_MAX = 24 * 3_600

export type MailFault = {
  /** The mail server will never accept this mail. */
  isPermanent: boolean
  /** What happened, without personal data. */
  note: string
}

export type AfterFault = { outcome: 'retry'; delaySeconds: number } | { outcome: 'give-up' }

type Tried = { attempt: number; ageSeconds: number; usefulMinutes: number | null }

const ageMax = (usefulMinutes: number | null) =>
  usefulMinutes === null ? AGE_SECONDS_MAX : usefulMinutes * 60

/** Whether a mail's content is no longer valid. */
export const isTooLate = ({ ageSeconds, usefulMinutes }: Omit<Tried, 'attempt'>): boolean =>
  ageSeconds >= ageMax(usefulMinutes)

/**
 * When sending is tried again after a failure: after a minute, then twice as long each time, at most an hour; up to a
 * tenth longer by `chance` (0 to 1), so that many mails are not tried again all at once.
 */
export function afterFault(fault: MailFault, tried: Tried, chance: number): AfterFault {
  if (fault.isPermanent) return { outcome: 'give-up' }
  const delay = Math.min(FIRST_DELAY_SECONDS * 2 ** (tried.attempt - 1), DELAY_SECONDS_MAX)
  const delaySeconds = delay * (1 + chance / 10)
  if (tried.ageSeconds + delaySeconds >= ageMax(tried.usefulMinutes)) return { outcome: 'give-up' }
  return { outcome: 'retry', delaySeconds }
}
