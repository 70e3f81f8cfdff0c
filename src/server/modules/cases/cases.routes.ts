import {
  addCaseMessage,
  createCase as createCaseCall,
  getCase as getCaseCall,
  getCasePicture,
  listCases as listCasesCall,
  prepareCase as prepareCaseCall,
} from '#contract/help/cases.ts'
import * as visitorCases from '#contract/help/visitor-cases.ts'
import { operatorAnswerTemplates, operatorCases } from '#contract/operator/help/cases.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { sendPicture } from '#server/platform/http/send-picture.ts'
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

import {
  addVisitorMessage,
  createVisitorCase,
  listVisitorCases,
  readVisitorCase,
  sendVisitorCode,
} from './visitor-cases.service.ts'

type Call = Pick<UserCall<never>, 'identity' | 'request' | 'files' | 'key' | 'overLimit'>

const writingOf = ({ identity, request, files, key, overLimit }: Call) => ({
  userId: identity.userId,
  address: clientKey(request.ip),
  pictures: files,
  key,
  overLimit,
})

export function registerCases(api: Api, deps: CasesDeps): void {
  api.serve(visitorCases.sendVisitorCode, ({ body, request }) =>
    sendVisitorCode(deps, body.email, request.ip),
  )
  api.serve(visitorCases.createVisitorCase, ({ body, request }) => createVisitorCase(deps, body, request.ip))
  api.serve(visitorCases.listVisitorCases, ({ body, request }) => listVisitorCases(deps, body, request.ip))
  api.serve(visitorCases.readVisitorCase, ({ body }) => readVisitorCase(deps, body.token))
  api.serve(visitorCases.addVisitorMessage, ({ body }) => addVisitorMessage(deps, body))
  api.serve(prepareCaseCall, ({ identity, query }) => prepareCase(deps, identity.userId, query))
  api.serve(createCaseCall, (call) => createCase(deps, { ...writingOf(call), ...call.body }))
  api.serve(listCasesCall, ({ identity, query }) => listCases(deps, identity.userId, query))
  api.serve(getCaseCall, ({ identity, params }) => getCase(deps, identity.userId, params.id))
  api.serve(addCaseMessage, (call) => addMessage(deps, call.params.id, { ...writingOf(call), ...call.body }))
  api.serve(getCasePicture, async ({ identity, params: { id, picture }, reply }) => {
    const content = await getPicture(deps, { caseId: id, picture, userId: identity.userId })
    await sendPicture(reply, content, `anh-${picture}`)
  })
}

export function registerOperatorCases(api: Api, deps: CasesDeps): void {
  serveOperatorList(api, deps, operatorCases.list, { usualSort: ['id', 'ASC'], rows: listOperatorCases })
  api.serve(operatorCases.get, ({ params }) => getOperatorCase(deps.db, params.id))
  api.serve(operatorCases.picture, async ({ params: { id, picture }, reply }) => {
    const content = await getPicture(deps, { caseId: id, picture, userId: null })
    await sendPicture(reply, content, `anh-${picture}`)
  })
  api.serveAll(operatorCases, deps, {
    answer: answerCase,
    assign: assignCase,
    close: closeCase,
    reopen: reopenCase,
  })
  serveOperatorList(api, deps, operatorAnswerTemplates.list, {
    usualSort: ['title', 'ASC'],
    rows: listTemplates,
  })
  api.serveAll(operatorAnswerTemplates, deps, {
    create: createTemplate,
    update: changeTemplate,
    remove: removeTemplate,
  })
}
