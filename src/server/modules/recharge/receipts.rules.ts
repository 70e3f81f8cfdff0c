import type { RechargeOrder } from '#contract/recharge.ts'

type Paid = { amount: number; bankRef: string | null; arrivedAt: Date; creditedAt: Date | null }

const SHOWN_LETTERS = 4

/** Enough to find the transfer in the bank's app, and not enough to claim it as one's own from a picture. */
export function maskReference(reference: string): string {
  const shown = Math.min(SHOWN_LETTERS, Math.floor(reference.length / 2))
  return `${'•'.repeat(Math.min(reference.length - shown, SHOWN_LETTERS))}${reference.slice(reference.length - shown)}`
}

export function describePayment({
  amount,
  bankRef,
  arrivedAt,
  creditedAt,
}: Paid): NonNullable<RechargeOrder['payment']> {
  return {
    amount,
    bank_reference: bankRef === null ? null : maskReference(bankRef),
    arrived_at: arrivedAt.toISOString(),
    credited_at: creditedAt?.toISOString() ?? null,
  }
}
