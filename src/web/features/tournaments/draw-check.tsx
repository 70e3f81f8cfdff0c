import { useState } from 'react'
import { useQuery } from '#web/use-query.ts'
import type { Draw, DrawFault } from '#contract/draw-proof.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { formatMoment } from '#contract/format.ts'
import { shownText } from '#contract/name-texts.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { loadChunk } from '#web/load-chunk.tsx'
import { drawQuery } from '#web/features/tournaments/tournaments.api.ts'

/** The texts of the check of a draw: what is proven, and what is not. */
const copy = {
  lead: 'Khi đóng đăng ký, danh sách đội được chốt: tên, thành viên và hạt giống không đổi được nữa. Thứ tự bốc thăm tính từ danh sách ấy và một số ngẫu nhiên công khai chỉ có sau lúc chốt.',
  demo: 'Bản dùng thử: số ngẫu nhiên do chính máy này tạo ra thay cho nguồn công khai, nên không chứng minh điều gì.',
  bySecret:
    'Giải này bốc thăm theo cách cũ: thứ tự tính từ một số bí mật và danh sách đội. Kết quả tính lại cho biết số bí mật không bị đổi, không cho biết trước đó có ai đã xem số ấy hay không.',
  notClosed: 'Danh sách được chốt khi đóng đăng ký.',
  list: 'Mã của danh sách đã chốt (SHA-256)',
  closedAt: (moment: string) => `Chốt lúc ${moment}.`,
  source: 'Số ngẫu nhiên',
  round: (round: number, moment: string) =>
    `Vòng ${round} của nguồn drand (League of Entropy), có lúc ${moment}.`,
  demoRound: (round: number, moment: string) => `Vòng ${round} của bản dùng thử, có lúc ${moment}.`,
  later: 'Hiện ở đây khi bảng đấu đã công bố xong.',
  commitment: 'Mã cam kết của số bí mật (SHA-256)',
  secret: 'Số bí mật',
  order: 'Thứ tự bốc được',
  inPlaceOf: (team: string, left: string) => `${team} (vào chỗ của ${left})`,
  leftEmpty: (left: string) => `Để trống (${left} đã rút)`,
  erased: 'Tên đã xóa',
  proven: 'Chứng minh được điều gì',
  claims: [
    'Thứ tự trên là thứ tự duy nhất tính được từ danh sách đã chốt và số ngẫu nhiên của vòng này. Số ấy có chữ ký của drand: không ai ở đây tạo ra hay chọn được.',
    'Ai đã thấy mã của danh sách trước giờ của vòng thì biết chắc danh sách có trước số ngẫu nhiên. Tệp dữ liệu một mình không cho biết mã được đăng lúc nào.',
    'Đội rời giải sau khi chốt để trống chỗ của mình hoặc nhường cho đội chờ; chỗ của các đội khác không đổi.',
    'Không chứng minh: ai được nhận vào danh sách, thứ tự đăng ký, và hạt giống do ban tổ chức chọn trước khi chốt.',
  ],
  file: 'Tải dữ liệu để tự tính lại',
  repeat: 'Tính lại trên máy này',
  agrees: 'Khớp: danh sách, chữ ký của số ngẫu nhiên và thứ tự này ứng với nhau.',
  agreesBySecret: 'Khớp: số bí mật đúng với mã cam kết, và danh sách cho ra đúng thứ tự này.',
  cannot: 'Trình duyệt này không tính được. Vui lòng thử bằng trình duyệt khác.',
  notLoaded: 'Chưa tải được phần tính lại. Hãy kiểm tra mạng rồi bấm lại.',
  faults: {
    algorithm: 'Trang này không biết cách bốc thăm của giải.',
    pending: 'Bảng đấu chưa công bố xong.',
    commitment: 'Danh sách hoặc số bí mật không khớp với mã đã công bố.',
    team: 'Tên hoặc thành viên một đội khác với danh sách đã chốt.',
    beacon: 'Số ngẫu nhiên không phải của vòng này.',
    order: 'Thứ tự tính lại khác với thứ tự đã công bố.',
    lineup: 'Có đội không đứng ở chỗ mà thứ tự xếp cho.',
  } satisfies Record<DrawFault['of'], string>,
} as const

export function DrawCheckResult({ tournament }: { tournament: Tournament }) {
  const query = useQuery({ ...drawQuery(tournament.id), staleTime: 0 })
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-24 w-full" />}>
      {(draw) => (
        <div className="space-y-4">
          <p className="max-w-text">
            {draw.beacon === null && draw.commitment !== null ? copy.bySecret : copy.lead}
          </p>
          {draw.beacon?.chain.name === 'demo' && <Alert tone="note">{copy.demo}</Alert>}
          <Published draw={draw} />
        </div>
      )}
    </Loaded>
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

/** When a round comes: the first one a whole number of periods before it. */
const timeOf = ({ chain, round }: NonNullable<Draw['beacon']>): string =>
  new Date((chain.genesis_time + (round - 1) * chain.period) * 1_000).toISOString()

function Published({ draw }: { draw: Draw }) {
  const { commitment, closed_at, beacon, secret } = draw
  if (commitment === null) return <p className="text-soft">{copy.notClosed}</p>
  if (beacon === null) {
    return (
      <>
        <Code label={copy.commitment} value={commitment} />
        {secret === null ? (
          <p className="text-soft">{copy.later}</p>
        ) : (
          <Code label={copy.secret} value={secret} />
        )}
        {secret !== null && <Repeat draw={draw} />}
      </>
    )
  }
  const round = beacon.chain.name === 'demo' ? copy.demoRound : copy.round
  return (
    <>
      <div>
        <Code label={copy.list} value={commitment} />
        {closed_at !== null && <p className="text-sm text-soft">{copy.closedAt(withSeconds(closed_at))}</p>}
      </div>
      <div>
        <Code label={copy.source} value={beacon.randomness ?? copy.later} />
        <p className="text-sm text-soft">{round(beacon.round, withSeconds(timeOf(beacon)))}</p>
      </div>
      {beacon.signature !== null && <Repeat draw={draw} />}
      {beacon.chain.name !== 'demo' && (
        <div className="max-w-text">
          <p className="text-sm font-bold">{copy.proven}</p>
          <ul className="list-disc space-y-1 pl-6">
            {copy.claims.map((claim) => (
              <li key={claim}>{claim}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

const withSeconds = (moment: string): string => `${formatMoment(moment)}:${moment.slice(17, 19)}`

/** Who stands at a place of the order, as it is read. */
function placeText(draw: Draw, place: number): string {
  const nameOf = (id: string | undefined) =>
    shownText(draw.teams.find((team) => team.id === id)?.name ?? copy.erased)
  const [drawn, playing] = [draw.order[place], draw.lineup[place]]
  if (playing === drawn || playing === undefined) return nameOf(drawn)
  return playing === null ? copy.leftEmpty(nameOf(drawn)) : copy.inPlaceOf(nameOf(playing), nameOf(drawn))
}

type Repeated = DrawFault[] | 'cannot' | 'notLoaded'

function Repeat({ draw }: { draw: Draw }) {
  const [outcome, setOutcome] = useState<Repeated | null>(null)
  const [isBusy, setBusy] = useState(false)
  const repeat = async () => {
    setBusy(true)
    const proof = await loadChunk(() => import('#contract/draw-proof.ts')).catch(() => null)
    setBusy(false)
    if (!proof) return setOutcome('notLoaded')
    try {
      setOutcome(proof.verifyDraw(draw))
    } catch {
      setOutcome('cannot')
    }
  }
  return (
    <>
      <p className="text-sm font-bold">{copy.order}</p>
      <ol className="list-decimal gap-x-6 pl-8 sm:columns-2 lg:columns-3" aria-label={copy.order}>
        {draw.order.map((id, place) => (
          <li key={id} className="wrap-anywhere">
            {placeText(draw, place)}
          </li>
        ))}
      </ol>
      <p className="flex flex-wrap items-center gap-3">
        <Button kind="plain" isBusy={isBusy} onClick={() => void repeat()}>
          {copy.repeat}
        </Button>
        <a
          href={`/api/tournaments/${draw.tournament_id}/draw`}
          download={`boc-tham-${draw.tournament_id}.json`}
          className={buttonClass('plain')}
        >
          {copy.file}
        </a>
      </p>
      {outcome !== null && (
        <Outcome outcome={outcome} agrees={draw.secret === null ? copy.agrees : copy.agreesBySecret} />
      )}
    </>
  )
}

function Outcome({ outcome, agrees }: { outcome: Repeated; agrees: string }) {
  if (outcome === 'cannot' || outcome === 'notLoaded') return <Alert>{copy[outcome]}</Alert>
  if (outcome.length === 0) return <Alert tone="success">{agrees}</Alert>
  return (
    <Alert>
      {[...new Set(outcome.map((fault) => fault.of))].map((fault) => (
        <p key={fault}>{copy.faults[fault]}</p>
      ))}
    </Alert>
  )
}
