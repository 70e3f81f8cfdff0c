import { ActButton, type ActForm, DialogButton, RemoveDialog } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { useMay } from '#admin/session/console-session.ts'
import { CASE_TEXT_MAX } from '#contract/help/case-forms.ts'
import { type AnswerTemplate, operatorAnswerTemplates } from '#contract/operator/help/cases.ts'
import { Field, TextArea } from '#ui/field.tsx'
import { casesCopy } from './case-parts.tsx'

const copy = casesCopy.templates

const columns: readonly Column<AnswerTemplate>[] = [
  column('title', copy.title, ({ title }) => title, { sort: 'title', isText: true }),
  column('text', copy.text, ({ text }) => <span className="whitespace-pre-line">{text}</span>, {
    isText: true,
  }),
  momentColumn('updated_at', copy.updatedAt),
  column('acts', labels.acts, (template) => <Acts template={template} />),
]

function Fields({ form }: { form: ActForm<{ title: string; text: string }> }) {
  return (
    <>
      <Field {...form.field('title')} label={copy.title} maxLength={80} />
      <TextArea {...form.field('text')} label={copy.text} maxLength={CASE_TEXT_MAX} rows={6} />
    </>
  )
}

function Acts({ template: { id, title, text, updated_at } }: { template: AnswerTemplate }) {
  if (!useMay()('cases.answer')) return null
  return (
    <span className="flex flex-wrap gap-2">
      <ActButton
        kind="plain"
        label={copy.edit}
        aria-label={copy.editOf(title)}
        submitLabel={labels.save}
        endpoint={operatorAnswerTemplates.update}
        params={{ id }}
        start={{ title, text }}
        toBody={(typed) => ({ ...typed, updated_at })}
      >
        {(form) => <Fields form={form} />}
      </ActButton>
      <DialogButton
        kind="text"
        label={copy.remove}
        aria-label={copy.removeOf(title)}
        renderDialog={(onClose) => (
          <RemoveDialog
            title={copy.removeOf(title)}
            warning={copy.removeText}
            removed={{ id, name: title }}
            endpoint={operatorAnswerTemplates.remove}
            onClose={onClose}
          />
        )}
      />
    </span>
  )
}

export function Component() {
  const mayWrite = useMay()('cases.answer')
  return (
    <ListPage
      acts={
        mayWrite && (
          <ActButton
            label={copy.add}
            submitLabel={labels.save}
            endpoint={operatorAnswerTemplates.create}
            start={{ title: '', text: '' }}
          >
            {(form) => <Fields form={form} />}
          </ActButton>
        )
      }
      endpoint={operatorAnswerTemplates.list}
      columns={columns}
      usualSort={['title', 'ASC']}
      empty={copy.empty}
    />
  )
}
