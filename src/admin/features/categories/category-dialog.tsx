import { useState } from 'react'
import { operatorCategories, type OperatorCategory } from '#contract/operator/posts.ts'
import { CallError } from '#client/call.ts'
import { Form } from '#client/forms/form.tsx'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { consoleCall } from '#admin/console-call.ts'
import { categoriesCopy as copy } from '#admin/features/categories/categories.copy.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { useRefresh } from '#admin/kit/use-send.ts'
import { useSendForm } from '#admin/kit/use-send-form.ts'

type Props = { category: OperatorCategory | null; onClose: () => void }

/** A new category, or the change of one. What somebody else made of it meanwhile is named before it is overwritten. */
export function CategoryDialog({ category, onClose }: Props) {
  const refresh = useRefresh()
  const [seen, setSeen] = useState(category)
  const form = useSendForm(operatorCategories.create, {
    start: {
      title: category?.title ?? '',
      description: category?.description ?? '',
      position: category === null ? '' : String(category.position),
      reason: category === null ? copy.add : copy.change,
    },
    toBody: ({ position, ...texts }) => ({ ...texts, position: position === '' ? null : Number(position) }),
    call: (endpoint, input) =>
      seen === null || !input.body
        ? consoleCall(endpoint, input)
        : consoleCall(operatorCategories.update, {
            ...input,
            params: { id: seen.id },
            body: { ...input.body, updated_at: seen.updated_at },
          }).catch((error: unknown) => {
            if (error instanceof CallError && error.body?.code === 'CONFLICT')
              setSeen(error.body.present as OperatorCategory)
            throw error
          }),
    onDone: () => {
      refresh()
      onClose()
    },
  })
  const isOvertaken = seen !== category && seen !== null
  return (
    <Dialog title={category === null ? copy.add : copy.change} onClose={onClose}>
      <Form form={form}>
        {isOvertaken && <Alert>{copy.conflict(seen.title)}</Alert>}
        <Field {...form.field('title')} label={copy.name} maxLength={200} />
        <TextArea {...form.field('description')} label={copy.description} maxLength={500} />
        <Field
          {...form.field('position')}
          label={copy.position}
          hint={copy.positionHint}
          inputMode="numeric"
          isOptional
        />
        <Field {...form.field('reason')} label={kitCopy.reason} hint={kitCopy.reasonHint} maxLength={500} />
        <Button type="submit" isBusy={form.isSending}>
          {copy.save}
        </Button>
      </Form>
    </Dialog>
  )
}
