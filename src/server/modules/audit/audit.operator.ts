import { auditActionName, auditSubjectName, operatorAudit } from '#contract/operator/audit.ts'
import { changeText, sentenceText } from '#contract/operator/audit-sentences/sentences.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { serveOperatorList } from './operator-list.service.ts'
import { checkTrail, listTrail } from './trail.service.ts'

export function registerOperatorAudit(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorAudit.list, {
    usualSort: ['id', 'DESC'],
    rows: listTrail,
    file: {
      Số: ({ id }) => id,
      Lúc: ({ at }) => csvMoment(at),
      'Người làm': ({ actor }) => actor?.username ?? 'Hệ thống',
      'Hành động': ({ action }) => auditActionName(action),
      'Việc đã làm': (row) => sentenceText(row),
      'Trước và sau': ({ changes }) => changes.map(changeText).join('; '),
      Loại: ({ subject }) => auditSubjectName(subject.type),
      Mã: ({ subject }) => subject.id,
      'Lý do': ({ reason }) => reason,
      'Chi tiết': ({ details }) => JSON.stringify(details),
      'Mã yêu cầu': ({ request_id }) => request_id,
    },
  })
  api.serve(operatorAudit.verify, ({ identity }) => checkTrail(deps, identity.userId))
}
