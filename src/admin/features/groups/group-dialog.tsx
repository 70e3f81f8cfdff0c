import { useQuery } from '@tanstack/react-query'
import { GROUP_SOURCES, operatorGroups, type OperatorGroup } from '#contract/operator/groups.ts'
import { listServers } from '#contract/servers.ts'
import { Field, SelectField } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { groupsCopy as copy } from '#admin/features/groups/groups.copy.ts'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import { read } from '#admin/query.ts'

const NEW = {
  name: '',
  description: '',
  source: 'game' as OperatorGroup['source'],
  board: '' as string | null,
  value_name: '',
  server_id: '' as string | null,
  position: 0,
}

/** What is no number is refused by the schema, beside its field. */
const wholeNumber = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN)

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** A new ranking group, or an existing one to be changed. */
export function GroupDialog({ group, onClose }: { group: OperatorGroup | null; onClose: () => void }) {
  const { data: servers = [] } = useQuery(read(listServers))
  const { name, description, source, board, value_name, server_id, position } = group ?? NEW
  const shared = {
    submitLabel: copy.save,
    start: {
      name,
      description,
      source,
      board: board ?? '',
      value_name,
      server_id: server_id ?? '',
      position: String(position),
    },
    onClose,
  }
  type Typed = typeof shared.start & { reason: string }
  const bodyOf = (typed: Typed) => ({
    ...typed,
    board: orNull(typed.board),
    server_id: orNull(typed.server_id),
    position: wholeNumber(typed.position),
  })
  const fields = (form: ActForm<typeof shared.start>) => (
    <>
      <Field {...form.field('name')} label={copy.name} />
      <TextArea {...form.field('description')} label={copy.description} rows={2} />
      <SelectField {...form.field('source')} label={copy.source}>
        {GROUP_SOURCES.map((one) => (
          <option key={one} value={one}>
            {copy.sources[one]}
          </option>
        ))}
      </SelectField>
      <Field {...form.field('board')} label={copy.board} hint={copy.boardHint} />
      <Field {...form.field('value_name')} label={copy.valueName} hint={copy.valueHint} />
      <SelectField {...form.field('server_id')} label={copy.server}>
        <option value="">{copy.allServers}</option>
        {servers.map((server) => (
          <option key={server.id} value={server.id}>
            {server.name}
          </option>
        ))}
      </SelectField>
      <Field {...form.field('position')} label={copy.position} hint={copy.positionHint} inputMode="numeric" />
    </>
  )
  return group === null ? (
    <ActDialog {...shared} title={copy.add} endpoint={operatorGroups.create} toBody={bodyOf}>
      {fields}
    </ActDialog>
  ) : (
    <ActDialog
      {...shared}
      title={copy.editTitle(group.name)}
      endpoint={operatorGroups.update}
      params={{ id: group.id }}
      toBody={(typed) => ({ ...bodyOf(typed), updated_at: group.updated_at })}
    >
      {fields}
    </ActDialog>
  )
}
