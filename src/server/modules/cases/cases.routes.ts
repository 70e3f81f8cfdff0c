import type { FastifyReply } from 'fastify'
import {
  addCaseMessage,
  createCase as createCaseCall,
  getCase as getCaseCall,
  getCasePicture,
  listCases as listCasesCall,
  prepareCase as prepareCaseCall,
} from '#contract/help/cases.ts'
import { operatorAnswerTemplates, operatorCases } from '#contract/operator/help/cases.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import {
  addMessage,
  type CasesDeps,
  createCase,
  getCase,
  getPicture,
  listCases,
  prepareCase,
} from './cases.service.ts'
import {
  answerCase,
  assignCase,
  changeTemplate,
  closeCase,
  createTemplate,
  getOperatorCase,
  listOperatorCases,
  listTemplates,
  removeTemplate,
  reopenCase,
} from './operator-cases.service.ts'

type Call = Pick<UserCall<never>, 'identity' | 'request' | 'files' | 'key' | 'overLimit'>

const writingOf = ({ identity, request, files, key, overLimit }: Call) => ({
  userId: identity.userId,
  address: clientKey(request.ip),
  pictures: files,
  key,
  overLimit,
})

export function registerCases(api: Api, deps: CasesDeps): void {
  api.serve(prepareCaseCall, ({ identity, query }) => prepareCase(deps, identity.userId, query))
  api.serve(createCaseCall, (call) => createCase(deps, { ...writingOf(call), ...call.body }))
  api.serve(listCasesCall, ({ identity, query }) => listCases(deps, identity.userId, query))
  api.serve(getCaseCall, ({ identity, params }) => getCase(deps, identity.userId, params.id))
  api.serve(addCaseMessage, (call) => addMessage(deps, call.params.id, { ...writingOf(call), ...call.body }))
  api.serve(getCasePicture, async ({ identity, params: { id, picture }, reply }) => {
    await sendPicture(
      reply,
      await getPicture(deps, { caseId: id, picture, userId: identity.userId }),
      picture,
    )
    return undefined
  })
}

export function registerOperatorCases(api: Api, deps: CasesDeps): void {
  serveOperatorList(api, deps, operatorCases.list, {
    resource: 'cases',
    usualSort: ['id', 'ASC'],
    isGrowing: true,
    rows: (filter, page) => listOperatorCases(deps.db, filter, page),
  })
  api.serve(operatorCases.get, ({ params }) => getOperatorCase(deps.db, params.id))
  api.serve(operatorCases.picture, async ({ params: { id, picture }, reply }) => {
    await sendPicture(reply, await getPicture(deps, { caseId: id, picture, userId: null }), picture)
    return undefined
  })
  api.serve(operatorCases.answer, (call) => answerCase(deps, call))
  api.serve(operatorCases.assign, (call) => assignCase(deps, call))
  api.serve(operatorCases.close, (call) => closeCase(deps, call))
  api.serve(operatorCases.reopen, (call) => reopenCase(deps, call))
  serveOperatorList(api, deps, operatorAnswerTemplates.list, {
    resource: 'answer-templates',
    usualSort: ['title', 'ASC'],
    rows: (filter, page) => listTemplates(deps.db, filter, page),
  })
  api.serve(operatorAnswerTemplates.create, (call) => createTemplate(deps, call))
  api.serve(operatorAnswerTemplates.update, (call) => changeTemplate(deps, call))
  api.serve(operatorAnswerTemplates.remove, (call) => removeTemplate(deps, call))
}

/** For one reader, and never shown as a document of the portal. */
async function sendPicture(reply: FastifyReply, content: Buffer, id: string): Promise<void> {
  await reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="anh-${id}.jpg"`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .type('image/jpeg')
    .send(content)
}
