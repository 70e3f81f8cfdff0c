import { useState } from 'react'
import { Link } from 'react-router'
import { consoleCall } from '#admin/console-call.ts'
import { RemoveDialog } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column } from '#admin/kit/data-table.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { PositionField } from '#admin/kit/fields.tsx'
import { kitCopy, labels } from '#admin/kit/kit.copy.ts'
import { isConflict, useRefresh, useSendForm } from '#admin/kit/use-send.ts'
import { useMay } from '#admin/session/console-session.ts'
import { Form } from '#client/forms/form.tsx'
import { operatorCategories, type OperatorCategory } from '#contract/operator/posts.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field, TextArea } from '#ui/field.tsx'

type Open = { what: 'edit' | 'remove'; category: OperatorCategory } | { what: 'add' }

const columnsOf = (mayWrite: boolean, onOpen: (open: Open) => void) => [
  column('title', copy.name, ({ title }: OperatorCategory) => title, { sort: 'title' }),
  column('description', copy.description, ({ description }: OperatorCategory) => description, {
    isText: true,
  }),
  column('position', labels.position, ({ position }: OperatorCategory) => position, {
    sort: 'position',
    isNumber: true,
  }),
  column(
    'posts',
    copy.posts,
    ({ id }: OperatorCategory) => <Link to={`/posts?category_id=${id}`}>{copy.seePosts}</Link>,
    { onPhone: 'main' },
  ),
  column(
    'acts',
    labels.acts,
    (category: OperatorCategory) =>
      mayWrite && (
        <span className="flex gap-2">
          <Button kind="plain" onClick={() => onOpen({ what: 'edit', category })}>
            {labels.edit}
          </Button>
          <Button kind="text" onClick={() => onOpen({ what: 'remove', category })}>
            {labels.remove}
          </Button>
        </span>
      ),
  ),
]

export function Component() {
  const may = useMay()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <ListPage
      acts={may('categories.write') && <Button onClick={() => setOpen({ what: 'add' })}>{copy.add}</Button>}
      endpoint={operatorCategories.list}
      columns={columnsOf(may('categories.write'), setOpen)}
      filters={[{ name: 'q', label: copy.name }]}
      usualSort={['position', 'ASC']}
      empty={copy.empty}
    >
      {open?.what === 'add' && <CategoryDialog category={null} onClose={close} />}
      {open?.what === 'edit' && <CategoryDialog category={open.category} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog
          title={copy.removeTitle}
          warning={copy.removeWarning}
          removed={{ id: open.category.id, name: open.category.title }}
          endpoint={operatorCategories.remove}
          onClose={close}
        />
      )}
    </ListPage>
  )
}

type Props = { category: OperatorCategory | null; onClose: () => void }

/** A new category, or the change of one. A change by somebody else is shown before it is overwritten. */
function CategoryDialog({ category, onClose }: Props) {
  const refresh = useRefresh()
  const [loaded, setLoaded] = useState(category)
  const form = useSendForm(operatorCategories.create, {
    start: {
      title: category?.title ?? '',
      description: category?.description ?? '',
      position: category === null ? '' : String(category.position),
      reason: category === null ? copy.add : copy.change,
    },
    toBody: ({ position, ...texts }) => ({ ...texts, position: position === '' ? null : Number(position) }),
    call: (endpoint, input) =>
      loaded === null || !input.body
        ? consoleCall(endpoint, input)
        : consoleCall(operatorCategories.update, {
            ...input,
            params: { id: loaded.id },
            body: { ...input.body, updated_at: loaded.updated_at },
          }).catch((error: unknown) => {
            if (isConflict(error)) setLoaded(error.body?.present as OperatorCategory)
            throw error
          }),
    onDone: () => {
      refresh()
      onClose()
    },
  })
  const isOvertaken = loaded !== category && loaded !== null
  return (
    <Dialog title={category === null ? copy.add : copy.change} onClose={onClose}>
      <Form form={form}>
        {isOvertaken && <Alert>{copy.conflict(loaded.title)}</Alert>}
        <Field {...form.field('title')} label={copy.name} maxLength={200} />
        <TextArea {...form.field('description')} label={copy.description} maxLength={500} />
        <PositionField {...form.field('position')} isOptional />
        <Field {...form.field('reason')} label={kitCopy.reason} hint={kitCopy.reasonHint} maxLength={500} />
        <Button type="submit" isBusy={form.isSending}>
          {labels.save}
        </Button>
      </Form>
    </Dialog>
  )
}

const copy = {
  add: 'Thêm chuyên mục',
  change: 'Sửa chuyên mục',
  empty: 'Chưa có chuyên mục nào. Chuyên mục gom bài viết thành từng trang riêng.',
  name: 'Tên',
  description: 'Mô tả',
  posts: 'Bài viết',
  seePosts: 'Xem bài',
  removeTitle: 'Xóa chuyên mục',
  removeWarning: 'Bài viết trong chuyên mục vẫn còn, chỉ không thuộc chuyên mục này nữa.',
  conflict: (title: string) =>
    `Chuyên mục vừa được người khác sửa, nay là “${title}”. Bấm Lưu lần nữa để ghi đè, hoặc đóng để giữ bản của họ.`,
} as const
