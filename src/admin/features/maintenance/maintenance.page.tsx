import { serverNow } from '#client/server-clock.ts'
import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { MomentField, typedMoment } from '#admin/kit/fields.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { fieldOfMoment } from '#contract/format.ts'
import {
  MAINTENANCE_SECTIONS,
  type MaintenanceSection,
  operatorMaintenance,
} from '#contract/operator/maintenance.ts'
import { SECTION_WORDS } from '#contract/operator/words.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'

type Maintenance = AnswerOf<typeof operatorMaintenance.get>

export function Component() {
  return (
    <ScreenFrame>
      <p className="max-w-3xl">{copy.lead}</p>
      <Loaded query={read(operatorMaintenance.get)}>
        {(maintenance) => (
          <div className="grid gap-4 lg:max-w-3xl">
            {MAINTENANCE_SECTIONS.map((section) => (
              <Section key={section} section={section} maintenance={maintenance} />
            ))}
          </div>
        )}
      </Loaded>
    </ScreenFrame>
  )
}

type SectionProps = { section: MaintenanceSection; maintenance: Maintenance }

function Section({ section, maintenance }: SectionProps) {
  const [act, setAct] = useState<'close' | 'open' | null>(null)
  const { name, what } = copy.sections[section]
  const closure = maintenance.sections[section]
  const [openedAt] = useState(serverNow)
  const isOver = closure?.until ? Date.parse(closure.until) <= openedAt : false
  return (
    <Panel
      title={name}
      acts={
        <span className="flex flex-wrap gap-2">
          <Button
            kind="plain"
            aria-label={`${closure ? copy.change : copy.close}: ${name}`}
            onClick={() => setAct('close')}
          >
            {closure ? copy.change : copy.close}
          </Button>
          {closure && (
            <Button aria-label={copy.openTitle(name)} onClick={() => setAct('open')}>
              {copy.reopen}
            </Button>
          )}
        </span>
      }
    >
      <p className="text-sm text-soft">{what}</p>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        {closure && !isOver ? (
          <>
            <Badge tone="danger">{copy.closed}</Badge>
            {closure.until ? copy.until(momentText(closure.until)) : copy.untilOpened}
          </>
        ) : (
          <Badge tone="success">{closure ? copy.over : copy.open}</Badge>
        )}
      </p>
      {closure && <p className="mt-2">{closure.message}</p>}
      {act === 'close' && <CloseDialog {...{ section, maintenance }} onClose={() => setAct(null)} />}
      {act === 'open' && (
        <ActDialog
          title={copy.openTitle(name)}
          submitLabel={copy.reopen}
          endpoint={operatorMaintenance.update}
          toBody={({ reason }) => ({
            sections: { [section]: null },
            updated_at: maintenance.updated_at,
            reason,
          })}
          onClose={() => setAct(null)}
        />
      )}
    </Panel>
  )
}

function CloseDialog({ section, maintenance, onClose }: SectionProps & { onClose: () => void }) {
  const closure = maintenance.sections[section]
  return (
    <ActDialog
      title={copy.closeTitle(copy.sections[section].name)}
      submitLabel={copy.close}
      endpoint={operatorMaintenance.update}
      start={{ message: closure?.message ?? '', until: closure?.until ? fieldOfMoment(closure.until) : '' }}
      toBody={({ message, until, reason }) => ({
        sections: { [section]: { message, until: typedMoment(until) || null } },
        updated_at: maintenance.updated_at,
        reason,
      })}
      check={({ message }) => (message.trim().length < 3 ? { message: copy.messageShort } : {})}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextArea {...form.field('message')} label={copy.message} maxLength={300} />
          <MomentField {...form.field('until')} label={copy.end} hint={copy.endHint} />
        </>
      )}
    </ActDialog>
  )
}

const copy = {
  lead: 'Mục đang đóng: người chơi đọc thông báo trên mọi trang và thao tác của họ bị từ chối; người vận hành vẫn dùng được để thử. Tiền chuyển khoản và tin nhắn đến vẫn được nhận.',
  sections: {
    all: {
      name: SECTION_WORDS.all,
      what: 'Đăng nhập, đăng ký và mọi thao tác của người chơi; tin tức vẫn đọc được.',
    },
    recharge: { name: SECTION_WORDS.recharge, what: 'Tạo đơn nạp mới. Đơn đã tạo vẫn được cộng.' },
    exchange: { name: SECTION_WORDS.exchange, what: 'Đổi TCoin lấy lượng.' },
    gift: { name: SECTION_WORDS.gift, what: 'Mua gói quà.' },
    transfer: { name: SECTION_WORDS.transfer, what: 'Chuyển cho người chơi khác.' },
  },
  open: 'Đang mở',
  closed: 'Đang đóng',
  over: 'Đã hết hạn, đang mở',
  until: (moment: string) => `đến ${moment}`,
  untilOpened: 'đến khi mở lại',
  close: 'Đóng',
  change: 'Sửa thông báo',
  reopen: 'Mở lại',
  closeTitle: (name: string) => `Đóng ${name}`,
  openTitle: (name: string) => `Mở lại ${name}`,
  message: 'Thông báo cho người chơi',
  messageShort: 'Thông báo tối thiểu 3 ký tự',
  end: 'Tự mở lại lúc',
  endHint: 'Giờ Việt Nam. Bỏ trống: đóng đến khi có người mở lại.',
} as const
