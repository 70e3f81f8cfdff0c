import { useState } from 'react'
import type { AnswerOf } from '#contract/endpoint.ts'
import { MAINTENANCE_SECTIONS, type MaintenanceSection } from '#contract/maintenance.ts'
import { operatorMaintenance } from '#contract/operator/maintenance.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { maintenanceCopy as copy } from '#admin/features/maintenance/maintenance.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'

type Maintenance = AnswerOf<typeof operatorMaintenance.get>

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
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
  const [openedAt] = useState(() => Date.now())
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

/** As `<input type="datetime-local">` writes a moment in Vietnam. */
const VIETNAM = '+07:00'
const toMoment = (local: string) => (local === '' ? null : `${local}:00${VIETNAM}`)
const toLocal = (moment: string | null | undefined) =>
  moment ? new Date(Date.parse(moment) + 7 * 3_600_000).toISOString().slice(0, 16) : ''

function CloseDialog({ section, maintenance, onClose }: SectionProps & { onClose: () => void }) {
  const closure = maintenance.sections[section]
  return (
    <ActDialog
      title={copy.closeTitle(copy.sections[section].name)}
      submitLabel={copy.close}
      endpoint={operatorMaintenance.update}
      start={{ message: closure?.message ?? '', until: toLocal(closure?.until) }}
      toBody={({ message, until, reason }) => ({
        sections: { [section]: { message, until: toMoment(until) } },
        updated_at: maintenance.updated_at,
        reason,
      })}
      check={({ message }) => (message.trim().length < 3 ? { message: copy.messageShort } : {})}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextArea {...form.field('message')} label={copy.message} maxLength={300} />
          <Field {...form.field('until')} type="datetime-local" label={copy.end} hint={copy.endHint} />
        </>
      )}
    </ActDialog>
  )
}
