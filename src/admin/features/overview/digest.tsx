import { useState } from 'react'
import { Link } from 'react-router'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { type OperatorDigest, operatorDigestCall } from '#contract/operator/audit.ts'
import { Button } from '#ui/button.tsx'

const digestCopy = {
  title: 'Việc của ban vận hành',
  days: ['Hôm nay', 'Hôm qua'],
  nothing: 'Không ai cộng, điều chỉnh, hoàn tiền, đổi giá, tài khoản nhận, hạn mức hay vai trò.',
  system: 'Hệ thống',
} as const

const DAY_MS = 86_400_000
const VIETNAM_MS = 7 * 3_600_000

/** Days before today, in Vietnam. */
const dayBefore = (days: number) =>
  new Date(Date.now() + VIETNAM_MS - days * DAY_MS).toISOString().slice(0, 10)

/** What operators did with money, prices, accounts and roles, for owners: what they are mailed of yesterday, and today's so far. */
export function Digest() {
  const isShown = useMay()('audit.read')
  const [days, setDays] = useState(0)
  if (!isShown) return null
  return (
    <Panel title={digestCopy.title}>
      <div className="mb-3 flex flex-wrap gap-2">
        {digestCopy.days.map((label, before) => (
          <Button
            key={label}
            kind="plain"
            className="aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:text-vermilion"
            aria-pressed={before === days}
            onClick={() => setDays(before)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Loaded key={days} query={read(operatorDigestCall, { query: { day: dayBefore(days) } })}>
        {(digest) => <Operators digest={digest} />}
      </Loaded>
    </Panel>
  )
}

function Operators({ digest: { operators } }: { digest: OperatorDigest }) {
  if (operators.length === 0) return <p className="text-soft">{digestCopy.nothing}</p>
  return (
    <dl className="space-y-3">
      {operators.map(({ operator, lines }) => (
        <div key={operator?.id ?? ''}>
          <dt className="font-bold">
            {operator === null ? (
              digestCopy.system
            ) : (
              <Link to={`/audit?actor=${operator.username}`}>{operator.username}</Link>
            )}
          </dt>
          {lines.map((line) => (
            <dd key={line} className="wrap-anywhere">
              {line}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
