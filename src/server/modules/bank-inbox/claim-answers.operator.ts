import type { FastifyInstance } from 'fastify'
import { byId } from '#contract/envelope.ts'
import { CLAIM_PICTURE_PATH, CLAIM_READERS, operatorClaims } from '#contract/operator/recharge-claims.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { validate } from '#server/platform/http/validate.ts'
import { answerClaim, getOperatorClaim, getPicture, listOperatorClaims } from './claim-answers.service.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'

export function registerOperatorClaims(app: FastifyInstance, api: Api, deps: BankInboxDeps): void {
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
      'Chuyển lúc': ({ paid_at }) => paid_at,
      'Mã ngân hàng': ({ bank_reference }) => bank_reference,
      'Trạng thái': ({ status }) => status,
      'Gửi lúc': ({ created_at }) => created_at,
      'Trả lời lúc': ({ answered_at }) => answered_at,
      'Trả lời': ({ message }) => message,
    },
  })
  api.serve(operatorClaims.get, ({ params }) => getOperatorClaim(db, params.id))
  api.serve(operatorClaims.answer, (call) => answerClaim(deps, call))
  app.route({
    method: 'GET',
    url: `/api${CLAIM_PICTURE_PATH.replace('{id}', ':id')}`,
    // A HEAD would read the picture for nothing.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      await api.require(request, CLAIM_READERS)
      const { id } = validate(byId, request.params)
      const content = await getPicture(db, id)
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="yeu-cau-${id}.jpg"`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cross-origin-resource-policy', 'same-origin')
        .type('image/jpeg')
        .send(content)
    },
  })
}
