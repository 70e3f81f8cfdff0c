import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { DialogButton } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { kitCopy, labels } from '#admin/kit/kit.copy.ts'
import { useSendForm } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { Form } from '#client/forms/form.tsx'
import { operatorCategories, type OperatorPost, operatorPosts } from '#contract/operator/posts.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { stateOf } from './post-values.ts'
import { postsCopy as copy } from './posts.copy.ts'

const columns: readonly Column<OperatorPost>[] = [
  column('title', copy.name, ({ id, title }) => <Link to={`/posts/${id}`}>{title}</Link>, { sort: 'title' }),
  column('state', labels.state, (post) => copy.states[stateOf(post)]),
  column(
    'publish_at',
    copy.publishAt,
    ({ published, publish_at }) => momentText(published ? publish_at : null),
    { sort: 'publish_at' },
  ),
  numberColumn('views', copy.views, { sort: 'views' }),
  momentColumn('updated_at', copy.updatedAt, { sort: 'updated_at' }),
]

const YES_NO = [
  { value: 'true', label: copy.yes },
  { value: 'false', label: copy.no },
]

export function Component() {
  const may = useMay()
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
    <ListPage
      acts={
        may('posts.write') && (
          <DialogButton label={copy.add} renderDialog={(onClose) => <NewPost onClose={onClose} />} />
        )
      }
      endpoint={operatorPosts.list}
      columns={columns}
      filters={filters}
      usualSort={['updated_at', 'DESC']}
      empty={copy.empty}
      isFile
    />
  )
}

/** A new post has a title only and is not published. */
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
