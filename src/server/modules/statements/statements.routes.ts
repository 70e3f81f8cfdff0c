import { operatorLedgerTransfers, type LedgerTransfer } from '#contract/operator/ledger-transfers.ts'
import { ACCOUNT_WORDS, LEDGER_WORDS, SOURCE_WORDS } from '#contract/operator/words.ts'
import { exportTransactions, listTransactions } from '#contract/transactions.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { getLedgerTransfer, listLedgerTransfers } from './ledger.service.ts'
import { exportStatement, listStatement } from './statements.service.ts'

export function registerStatements(api: Api, deps: PlatformDeps): void {
  api.serve(listTransactions, ({ identity, query }) => listStatement(deps, identity.userId, query))
  api.serve(exportTransactions, async ({ identity, query, reply }) => {
    const file = await exportStatement(deps, identity.userId, query)
    await reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .type('text/csv; charset=utf-8')
      .send(file.content)
  })
}

export function registerOperatorLedger(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorLedgerTransfers.list, {
    usualSort: ['created_at', 'DESC'],
    rows: listLedgerTransfers,
    file: {
      'Mã số': ({ id }) => id,
      Lúc: ({ created_at }) => csvMoment(created_at),
      Loại: ({ kind }) => LEDGER_WORDS[kind],
      'Số TCoin': ({ amount }) => amount,
      Từ: ({ debit }) => accountInWords(debit),
      Đến: ({ credit }) => accountInWords(credit),
      Nguồn: ({ source_type }) => SOURCE_WORDS[source_type] ?? source_type,
      'Mã nguồn': ({ source_id }) => source_id,
    },
  })
  api.serve(operatorLedgerTransfers.get, ({ params }) => getLedgerTransfer(deps.db, params.id))
}

const accountInWords = ({ kind, user }: LedgerTransfer['debit']): string =>
  [ACCOUNT_WORDS[kind] ?? kind, user?.username].filter(Boolean).join(' ')
