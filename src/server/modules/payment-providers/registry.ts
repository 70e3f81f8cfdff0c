import { casso } from './casso/vendor.ts'
import { momo } from './momo/vendor.ts'
import type {
  CheckoutClient,
  Pace,
  PaymentVendor,
  SandboxSender,
  BankList,
  NotificationReader,
} from './payment-vendor.rules.ts'
import { payos } from './payos/vendor.ts'
import { sepay } from './sepay/vendor.ts'

/** Every vendor the portal can work with. A new one is its folder and its line here. */
export const PAYMENT_VENDORS: readonly PaymentVendor[] = [sepay, casso, momo, payos]

/** A vendor with its environment variables. */
export type ConfiguredVendor = { vendor: PaymentVendor; env: Record<string, unknown> }

/** What the vendors offer as they are configured. */
export type Payments = {
  /** One webhook for each vendor; without its secrets it is closed, never open to all. */
  webhooks: { provider: string; reader: NotificationReader | null }[]
  lists: BankList[]
  checkouts: CheckoutClient[]
  /** Who can be played in a demo. */
  sandbox: SandboxSender | null
}

export function openPayments(configured: readonly ConfiguredVendor[], pace: Pace = {}): Payments {
  const open = <Opened>(ability: (one: ConfiguredVendor) => Opened | null | undefined): Opened[] =>
    configured.flatMap((one) => ability(one) ?? [])
  return {
    webhooks: configured.map(({ vendor, env }) => ({
      provider: vendor.name,
      reader: vendor.openNotices(env),
    })),
    lists: open(({ vendor, env }) => vendor.openList?.(env, pace)),
    checkouts: open(({ vendor, env }) => vendor.openCheckout?.(env)),
    sandbox: open(({ vendor, env }) => vendor.openSandbox?.(env))[0] ?? null,
  }
}
