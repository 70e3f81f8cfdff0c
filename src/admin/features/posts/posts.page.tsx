import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { operatorCategories, operatorPosts, type OperatorPost } from '#contract/operator/posts.ts'
import { formatNumber } from '#contract/format.ts'
import { Form } from '#client/forms/form.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { postsCopy as copy } from '#admin/features/posts/posts.copy.ts'
import { stateOf } from '#admin/features/posts/post-values.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useSendForm } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'

const columns: readonly Column<OperatorPost>[] = [
  {
    name: 'title',
    label: copy.name,
    sort: 'title',
    cell: ({ id, title }) => <Link to={`/posts/${id}`}>{title}</Link>,
  },
  { name: 'state', label: copy.state, cell: (post) => copy.states[stateOf(post)] },
  {
    name: 'publish_at',
    label: copy.publishAt,
    sort: 'publish_at',
    cell: ({ published, publish_at }) => momentText(published ? publish_at : null),
  },
  {
    name: 'views',
    label: copy.views,
    sort: 'views',
    isNumber: true,
    cell: ({ views }) => formatNumber(views),
  },
  {
    name: 'updated_at',
    label: copy.updatedAt,
    sort: 'updated_at',
    cell: ({ updated_at }) => momentText(updated_at),
  },
]

const YES_NO = [
  { value: 'true', label: copy.yes },
  { value: 'false', label: copy.no },
]

export function Component() {
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const { data: categories = [] } = useQuery(read(operatorCategories.list, { query: { range: '[0,99]' } }))
  const filters: readonly Filter[] = [
    { name: 'q', label: copy.name },
    {
      name: 'category_id',
      label: copy.category,
      options: categories.map(({ id, title }) => ({ value: id, label: title })),
    },
    { name: 'published', label: copy.published, type: 'flag', options: YES_NO },
    { name: 'scheduled', label: copy.scheduled, type: 'flag', options: YES_NO },
  ]
  return (
    <ScreenFrame
      title={copy.title}
      acts={may('posts.write') && <Button onClick={() => setAdding(true)}>{copy.add}</Button>}
    >
      <DataList
        endpoint={operatorPosts.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['updated_at', 'DESC']}
        empty={copy.empty}
        isFile
      />
      {isAdding && <NewPost onClose={() => setAdding(false)} />}
    </ScreenFrame>
  )
}

/** A post begins with its title and nothing else, seen by nobody. */
function NewPost({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useSendForm(operatorPosts.create, {
    start: { title: '', reason: copy.reasons.begin },
    toBody: (typed) => ({ ...typed, content: '<p></p>', published: false }),
    onDone: ({ id }) => void navigate(`/posts/${id}`),
  })
  return (
    <Dialog title={copy.addTitle} onClose={onClose}>
      <Form form={form}>
        <Field
          {...form.field('title')}
          label={copy.name}
          hint={copy.addHint}
          maxLength={200}
          data-autofocus
        />
        <Field {...form.field('reason')} label={kitCopy.reason} hint={copy.reasonHint} maxLength={500} />
        <Button type="submit" isBusy={form.isSending}>
          {copy.create}
        </Button>
      </Form>
    </Dialog>
  )
}
