import { useQuery, useQueryClient } from '@tanstack/react-query'
import { formatNumber } from '#contract/format-number.ts'
import { operatorAlarms } from '#contract/operator/alarms.ts'
import { operatorAudit } from '#contract/operator/audit.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { auditCopy as copy } from '#admin/features/audit/audit.copy.ts'
import { alarmCopy } from '#admin/kit/alarm.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { messagesOf } from '#admin/kit/outcome.ts'
import { read } from '#admin/query.ts'

/** Whether somebody changed the trail behind the portal's back; asked for by a press, since much is read. */
export function ChainCheck() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    ...read(operatorAudit.verify),
    enabled: false,
    retry: false,
  })
  async function check() {
    await refetch()
    // The alarm begins or ends with what was found.
    await client.invalidateQueries({ queryKey: [operatorAlarms.list.path] })
  }
  return (
    <div className="space-y-3">
      <Button kind="plain" isBusy={isFetching} onClick={() => void check()}>
        {copy.check}
      </Button>
      <div aria-live="polite">
        {isFetching && copy.checking}
        {!isFetching && error && <Alert>{messagesOf(error).join(' ')}</Alert>}
        {!isFetching && !error && data && data.faults.length === 0 && (
          <Alert tone="success">
            {data.whole_at === null
              ? copy.whole(formatNumber(data.rows), momentText(data.checked_at))
              : copy.wholeSince(
                  formatNumber(data.rows),
                  momentText(data.checked_at),
                  momentText(data.whole_at),
                )}
          </Alert>
        )}
        {!isFetching && !error && data && data.faults.length > 0 && (
          <Alert>
            <p>{copy.broken}</p>
            <ul>
              {data.faults.map(({ id, fault }) => (
                <li key={`${id}-${fault}`}>
                  {fault === 'seal' ? alarmCopy.faultAtSeal(id) : alarmCopy.faultAt(id)}
                  {alarmCopy.faults[fault]}
                </li>
              ))}
            </ul>
          </Alert>
        )}
      </div>
    </div>
  )
}
