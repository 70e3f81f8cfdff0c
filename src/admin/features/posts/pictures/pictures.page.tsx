import { useState } from 'react'
import { DialogButton, RemoveDialog } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { useMay } from '#admin/session/console-session.ts'
import { type OperatorPicture, operatorPictures } from '#contract/operator/posts.ts'
import { Button } from '#ui/button.tsx'
import { PictureDialog, picturesCopy as copy } from './picture-dialog.tsx'

const columnsOf = (mayWrite: boolean, onRemove: (picture: OperatorPicture) => void) => [
  column('picture', copy.picture, ({ urls, alt }: OperatorPicture) => (
    <a href={urls['1280']} target="_blank" rel="noreferrer">
      <img
        src={urls['320']}
        alt={alt}
        loading="lazy"
        className="h-16 w-28 rounded-lg bg-sunken object-cover"
      />
    </a>
  )),
  column('alt', copy.alt, ({ alt }: OperatorPicture) => alt, { onPhone: 'main' }),
  column('size', copy.size, ({ width, height }: OperatorPicture) => `${width} × ${height}`),
  column('created_at', copy.createdAt, ({ created_at }: OperatorPicture) => momentText(created_at), {
    sort: 'created_at',
    isMoment: true,
  }),
  column('acts', labels.acts, (picture: OperatorPicture) => (
    <Button kind="text" disabled={!mayWrite} onClick={() => onRemove(picture)}>
      {labels.remove}
    </Button>
  )),
]

export function Component() {
  const may = useMay()
  const [removed, setRemoved] = useState<OperatorPicture | null>(null)
  return (
    <ListPage
      acts={
        may('posts.write') && (
          <DialogButton
            label={copy.add}
            renderDialog={(onClose) => <PictureDialog title={copy.add} onClose={onClose} />}
          />
        )
      }
      endpoint={operatorPictures.list}
      columns={columnsOf(may('posts.write'), setRemoved)}
      filters={[{ name: 'q', label: copy.alt }]}
      usualSort={['created_at', 'DESC']}
      empty={copy.empty}
    >
      {removed && (
        <RemoveDialog
          title={copy.removeTitle}
          warning={copy.removeWarning}
          removed={{ id: removed.id, name: removed.alt }}
          endpoint={operatorPictures.remove}
          onClose={() => setRemoved(null)}
        />
      )}
    </ListPage>
  )
}
