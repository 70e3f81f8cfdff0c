import { operatorLedgerTransfers } from '#contract/operator/ledger-transfers.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { getLedgerTransfer, listLedgerTransfers } from './ledger.service.ts'

export function registerOperatorLedger(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorLedgerTransfers.list, {
    resource: 'ledger-transfers',
    usualSort: ['created_at', 'DESC'],
    isGrowing: true,
    rows: (filter, page) => listLedgerTransfers(deps.db, filter, page),
    file: {
      'Mã số': ({ id }) => id,
      Lúc: ({ created_at }) => created_at,
      Loại: ({ kind }) => kind,
      'Số TCoin': ({ amount }) => amount,
      Từ: ({ debit }) => debit.user?.username ?? debit.kind,
      Đến: ({ credit }) => credit.user?.username ?? credit.kind,
      Nguồn: ({ source_type }) => source_type,
      'Mã nguồn': ({ source_id }) => source_id,
    },
  })
  api.serve(operatorLedgerTransfers.get, ({ params }) => getLedgerTransfer(deps.db, params.id))
}
