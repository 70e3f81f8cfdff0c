import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Tournament } from '#contract/tournaments.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { faultsOfDraw, type Draw, type DrawFault } from '#web/features/tournaments/repeat-draw.ts'
import { drawQuery } from '#web/features/tournaments/tournaments.api.ts'

/** The texts of the check of a draw. */
const copy = {
  lead: 'Thứ tự bốc thăm được tính từ một số bí mật và danh sách đội đã chốt, không ai chọn được. Mã cam kết của số bí mật có ngay từ khi giải được công bố; sau bốc thăm, số bí mật được công khai để ai cũng tính lại được.',
  commitment: 'Mã cam kết (SHA-256)',
  secret: 'Số bí mật',
  secretLater: 'Công khai khi bốc thăm xong.',
  order: 'Thứ tự bốc được',
  erased: 'Tên đã xóa',
  repeat: 'Tính lại trên máy này',
  agrees: 'Khớp: số bí mật đúng với mã cam kết, và danh sách cho ra đúng thứ tự này.',
  cannot: 'Trình duyệt này không tính được. Vui lòng thử bằng trình duyệt khác.',
  faults: {
    commitment: 'Số bí mật không khớp với mã cam kết.',
    team: 'Tên một đội khác với danh sách đã chốt.',
    order: 'Thứ tự tính lại khác với thứ tự đã công bố.',
  } satisfies Record<DrawFault, string>,
} as const

export function DrawCheckResult({ tournament }: { tournament: Tournament }) {
  const query = useQuery({ ...drawQuery(tournament.id), staleTime: 0 })
  return (
    <div className="space-y-4">
      <p className="max-w-text">{copy.lead}</p>
      <Code label={copy.commitment} value={tournament.draw_commitment} />
      <Loaded query={query} skeleton={<Skeleton className="h-24 w-full" />}>
        {(draw) => <Published draw={draw} />}
      </Loaded>
    </div>
  )
}

function Code({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <p className="text-sm font-bold">{label}</p>
      <code className="block text-sm wrap-anywhere">{value}</code>
    </div>
  )
}

function Published({ draw }: { draw: Draw }) {
  const [outcome, setOutcome] = useState<DrawFault[] | 'cannot' | null>(null)
  if (draw.secret === null) return <p className="text-soft">{copy.secretLater}</p>
  const names = new Map(draw.teams.map(({ id, name }) => [id, name ?? copy.erased]))
  const repeat = async () => setOutcome(await faultsOfDraw(draw).catch(() => 'cannot' as const))
  return (
    <>
      <Code label={copy.secret} value={draw.secret} />
      <p className="text-sm font-bold">{copy.order}</p>
      <ol className="list-decimal gap-x-6 pl-8 sm:columns-2 lg:columns-3" aria-label={copy.order}>
        {draw.order.map((id) => (
          <li key={id} className="wrap-anywhere">
            {names.get(id)}
          </li>
        ))}
      </ol>
      <Button kind="plain" onClick={() => void repeat()}>
        {copy.repeat}
      </Button>
      {outcome !== null && <Outcome outcome={outcome} />}
    </>
  )
}

function Outcome({ outcome }: { outcome: DrawFault[] | 'cannot' }) {
  if (outcome === 'cannot') return <Alert>{copy.cannot}</Alert>
  if (outcome.length === 0) return <Alert tone="success">{copy.agrees}</Alert>
  return (
    <Alert>
      {outcome.map((fault) => (
        <p key={fault}>{copy.faults[fault]}</p>
      ))}
    </Alert>
  )
}
