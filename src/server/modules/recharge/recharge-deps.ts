import type { PlatformDeps } from '#server/platform/deps.ts'

/** What opens SePay's door: secrets of signatures and plain keys, each the one in use and, during a change, the one before. */
export type SepayKeys = { secrets: string[]; apiKeys: string[] }

export type RechargeDeps = PlatformDeps & {
  /** Where links in letters lead. */
  publicUrl: string
  /** Null: no notification is accepted. */
  sepay: SepayKeys | null
  /** Null: there is no sandbox. Else its notifications go through the public door at this address. */
  sandbox: { portalUrl: string } | null
}
