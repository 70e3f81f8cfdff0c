import type { AnswerOf } from '#contract/endpoint.ts'
import { parseJson } from '#contract/operator/list.ts'
import type { operatorSettings } from '#contract/operator/setting-calls.ts'
import { bankAccount, bankAccountSchema } from '#contract/operator/setting-kinds.ts'
import { invalidField } from '#server/platform/http/refusal.ts'
import * as z from 'zod/mini'
import { drawTestQr } from './order.rules.ts'

/** The QR of a receiving account as it was typed, before anybody pays by it. */
export async function previewQr(text: string): Promise<AnswerOf<typeof operatorSettings.previewQr>> {
  const account = z.safeParse(bankAccountSchema, parseJson(text))
  if (account.success) return drawTestQr(account.data)
  const judged = z.safeParse(bankAccount.schema, text)
  throw invalidField('value', judged.error?.issues[0]?.message ?? 'Chưa có tài khoản nhận')
}
