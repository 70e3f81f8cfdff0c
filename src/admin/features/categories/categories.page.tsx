import { useState } from 'react'
import { Link } from 'react-router'
import { operatorCategories, type OperatorCategory } from '#contract/operator/posts.ts'
import { Button } from '#ui/button.tsx'
import { categoriesCopy as copy } from '#admin/features/categories/categories.copy.ts'
import { CategoryDialog } from '#admin/features/categories/category-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import { RemoveDialog } from '#admin/kit/remove-dialog.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

type Open = { what: 'edit' | 'remove'; category: OperatorCategory } | { what: 'add' }

const columnsOf = (mayWrite: boolean, onOpen: (open: Open) => void) => [
  { name: 'title', label: copy.name, sort: 'title', cell: ({ title }: OperatorCategory) => title },
  {
    name: 'description',
    label: copy.description,
    isText: true,
    cell: ({ description }: OperatorCategory) => description,
  },
  {
    name: 'position',
    label: copy.position,
    sort: 'position',
    isNumber: true,
    cell: ({ position }: OperatorCategory) => position,
  },
  {
    name: 'posts',
    label: copy.posts,
    cell: ({ id }: OperatorCategory) => <Link to={`/posts?category_id=${id}`}>{copy.seePosts}</Link>,
  },
  {
    name: 'acts',
    label: copy.acts,
    cell: (category: OperatorCategory) =>
      mayWrite && (
        <span className="flex gap-2">
          <Button kind="plain" onClick={() => onOpen({ what: 'edit', category })}>
            {copy.edit}
          </Button>
          <Button kind="quiet" onClick={() => onOpen({ what: 'remove', category })}>
            {copy.remove}
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
      title={copy.title}
      acts={may('categories.write') && <Button onClick={() => setOpen({ what: 'add' })}>{copy.add}</Button>}
    >
      <DataList
        endpoint={operatorCategories.list}
        label={copy.title}
        columns={columnsOf(may('categories.write'), setOpen)}
        filters={[{ name: 'q', label: copy.name }]}
        usualSort={['position', 'ASC']}
        empty={copy.empty}
      />
      {open?.what === 'add' && <CategoryDialog category={null} onClose={close} />}
      {open?.what === 'edit' && <CategoryDialog category={open.category} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog
          title={copy.removeTitle}
          confirmLabel={copy.remove}
          warning={copy.removeWarning}
          removed={{ id: open.category.id, name: open.category.title }}
          endpoint={operatorCategories.remove}
          onClose={close}
        />
      )}
    </ScreenFrame>
  )
}
