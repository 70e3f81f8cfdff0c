import { useState } from 'react'
import { Link } from 'react-router'
import { consoleCall } from '#admin/console-call.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { RemoveDialog } from '#admin/kit/remove-dialog.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useRefresh, useSendForm } from '#admin/kit/use-send.ts'
import { useMay } from '#admin/session/console-session.ts'
import { CallError } from '#client/call.ts'
import { Form } from '#client/forms/form.tsx'
import { operatorCategories, type OperatorCategory } from '#contract/operator/posts.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'

type Open = { what: 'edit' | 'remove'; category: OperatorCategory } | { what: 'add' }

const columnsOf = (mayWrite: boolean, onOpen: (open: Open) => void) => [
  { name: 'title', label: categoriesCopy.name, sort: 'title', cell: ({ title }: OperatorCategory) => title },
  {
    name: 'description',
    label: categoriesCopy.description,
    isText: true,
    cell: ({ description }: OperatorCategory) => description,
  },
  {
    name: 'position',
    label: categoriesCopy.position,
    sort: 'position',
    isNumber: true,
    cell: ({ position }: OperatorCategory) => position,
  },
  {
    name: 'posts',
    label: categoriesCopy.posts,
    cell: ({ id }: OperatorCategory) => (
      <Link to={`/posts?category_id=${id}`}>{categoriesCopy.seePosts}</Link>
    ),
  },
  {
    name: 'acts',
    label: categoriesCopy.acts,
    cell: (category: OperatorCategory) =>
      mayWrite && (
        <span className="flex gap-2">
          <Button kind="plain" onClick={() => onOpen({ what: 'edit', category })}>
            {categoriesCopy.edit}
          </Button>
          <Button kind="quiet" onClick={() => onOpen({ what: 'remove', category })}>
            {categoriesCopy.remove}
          </Button>
        </span>
      ),
  },
]

export function Component() {
  const may = useMay()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <ScreenFrame
      title={categoriesCopy.title}
      acts={
        may('categories.write') && (
          <Button onClick={() => setOpen({ what: 'add' })}>{categoriesCopy.add}</Button>
        )
      }
    >
      <DataList
        endpoint={operatorCategories.list}
        label={categoriesCopy.title}
        columns={columnsOf(may('categories.write'), setOpen)}
        filters={[{ name: 'q', label: categoriesCopy.name }]}
        usualSort={['position', 'ASC']}
        empty={categoriesCopy.empty}
      />
      {open?.what === 'add' && <CategoryDialog category={null} onClose={close} />}
      {open?.what === 'edit' && <CategoryDialog category={open.category} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog
          title={categoriesCopy.removeTitle}
          confirmLabel={categoriesCopy.remove}
          warning={categoriesCopy.removeWarning}
          removed={{ id: open.category.id, name: open.category.title }}
          endpoint={operatorCategories.remove}
          onClose={close}
        />
      )}
    </ScreenFrame>
  )
}

type Props = { category: OperatorCategory | null; onClose: () => void }

/** A new category, or the change of one. What somebody else made of it meanwhile is named before it is overwritten. */
function CategoryDialog({ category, onClose }: Props) {
  const refresh = useRefresh()
  const [seen, setSeen] = useState(category)
  const form = useSendForm(operatorCategories.create, {
    start: {
      title: category?.title ?? '',
      description: category?.description ?? '',
      position: category === null ? '' : String(category.position),
      reason: category === null ? categoriesCopy.add : categoriesCopy.change,
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
    <Dialog title={category === null ? categoriesCopy.add : categoriesCopy.change} onClose={onClose}>
      <Form form={form}>
        {isOvertaken && <Alert>{categoriesCopy.conflict(seen.title)}</Alert>}
        <Field {...form.field('title')} label={categoriesCopy.name} maxLength={200} />
        <TextArea {...form.field('description')} label={categoriesCopy.description} maxLength={500} />
        <Field
          {...form.field('position')}
          label={categoriesCopy.position}
          hint={categoriesCopy.positionHint}
          inputMode="numeric"
          isOptional
        />
        <Field {...form.field('reason')} label={kitCopy.reason} hint={kitCopy.reasonHint} maxLength={500} />
        <Button type="submit" isBusy={form.isSending}>
          {categoriesCopy.save}
        </Button>
      </Form>
    </Dialog>
  )
}

const categoriesCopy = {
  title: 'Chuyên mục',
  add: 'Thêm chuyên mục',
  change: 'Sửa chuyên mục',
  empty: 'Chưa có chuyên mục nào. Chuyên mục gom bài viết thành từng trang riêng.',
  name: 'Tên',
  description: 'Mô tả',
  position: 'Thứ tự',
  positionHint: 'Số nhỏ đứng trước.',
  posts: 'Bài viết',
  seePosts: 'Xem bài',
  acts: 'Thao tác',
  edit: 'Sửa',
  save: 'Lưu',
  remove: 'Xóa',
  removeTitle: 'Xóa chuyên mục',
  removeWarning: 'Bài viết trong chuyên mục vẫn còn, chỉ không thuộc chuyên mục này nữa.',
  conflict: (title: string) =>
    `Chuyên mục vừa được người khác sửa, nay là “${title}”. Bấm Lưu lần nữa để ghi đè, hoặc đóng để giữ bản của họ.`,
} as const
