import { operatorClaims } from '#contract/operator/recharge.ts'
import { CLAIM_WORDS } from '#contract/operator/words.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Api } from '#server/platform/http/api.ts'
import { answerClaim, getOperatorClaim, getPicture, listOperatorClaims } from './claim-answers.service.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'

export function registerOperatorClaims(api: Api, deps: BankInboxDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorClaims.list, {
    resource: 'recharge-claims',
    usualSort: ['id', 'ASC'],
    isGrowing: true,
    rows: (filter, page) => listOperatorClaims(db, filter, page),
    file: {
      'Mã số': ({ id }) => id,
      'Người chơi': ({ username }) => username,
      'Số tiền (VND)': ({ amount }) => amount,
      'Chuyển lúc': ({ paid_at }) => csvMoment(paid_at),
      'Mã ngân hàng': ({ bank_reference }) => bank_reference,
      'Trạng thái': ({ status }) => CLAIM_WORDS[status],
      'Gửi lúc': ({ created_at }) => csvMoment(created_at),
      'Trả lời lúc': ({ answered_at }) => csvMoment(answered_at),
      'Trả lời cho người chơi': ({ message }) => message,
    },
  })
  api.serve(operatorClaims.get, ({ params }) => getOperatorClaim(db, params.id))
  api.serve(operatorClaims.answer, (call) => answerClaim(deps, call))
  api.serve(operatorClaims.picture, async ({ params: { id }, reply }) => {
    const content = await getPicture(db, id)
    await reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="yeu-cau-${id}.jpg"`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'same-origin')
      .type('image/jpeg')
      .send(content)
    return undefined
  })
}
