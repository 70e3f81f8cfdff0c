import type { APIRequestContext } from '@playwright/test'
import type { Case } from '#contract/help/cases.ts'
import type { Transaction } from '#contract/transactions.ts'
import { expect } from './fixtures.ts'

/** The id of the case about the newest recharge of the player, which is reported unless it was. */
export async function reportedRecharge(request: APIRequestContext, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const read = await request.get('/api/user/transactions?filter_type=recharge', { headers })
  const { data } = (await read.json()) as { data: Transaction[] }
  const sent = await request.post('/api/cases', {
    headers,
    multipart: { about_kind: 'transaction', about_id: data[0]?.id ?? '', text: 'Tôi nạp nhiều hơn thế.' },
  })
  const answer = (await sent.json()) as Case | { present: { case_id: string } }
  expect([201, 409], JSON.stringify(answer)).toContain(sent.status())
  return 'id' in answer ? answer.id : answer.present.case_id
}
