import type { PlatformDeps } from '#server/domain/deps.ts'

/** The secrets that sign providers' messages: the one in use and, during a change, the one before. */
export type SmsKeys = { secrets: string[] }

export type OtpDeps = PlatformDeps & {
  /** Null: no message is accepted. */
  sms: SmsKeys | null
  /** Null: there is no sandbox. Else its messages go to the public endpoint at this address. */
  sandbox: { portalUrl: string } | null
}
