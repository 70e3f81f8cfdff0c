import { useState } from 'react'
import { type OperatorPicture, operatorPictures } from '#contract/operator/posts.ts'
import { Button } from '#ui/button.tsx'
import { PictureDialog } from '#admin/features/posts/pictures/picture-dialog.tsx'
import { picturesCopy as copy } from '#admin/features/posts/pictures/pictures.copy.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import { momentText } from '#admin/kit/format.ts'
import { RemoveDialog } from '#admin/kit/remove-dialog.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

const columnsOf = (mayWrite: boolean, onRemove: (picture: OperatorPicture) => void) => [
  {
    name: 'picture',
    label: copy.picture,
    cell: ({ urls, alt }: OperatorPicture) => (
      <a href={urls['1280']} target="_blank" rel="noreferrer">
        <img
          src={urls['320']}
          alt={alt}
          loading="lazy"
          className="h-16 w-28 rounded-lg bg-sunken object-cover"
        />
      </a>
    ),
  },
  { name: 'alt', label: copy.alt, cell: ({ alt }: OperatorPicture) => alt },
  {
    name: 'size',
    label: copy.size,
    cell: ({ width, height }: OperatorPicture) => `${width} × ${height}`,
  },
  {
    name: 'created_at',
    label: copy.createdAt,
    sort: 'created_at',
    cell: ({ created_at }: OperatorPicture) => momentText(created_at),
  },
  {
    name: 'acts',
    label: copy.acts,
    cell: (picture: OperatorPicture) => (
      <Button kind="quiet" disabled={!mayWrite} onClick={() => onRemove(picture)}>
        {copy.remove}
      </Button>
    ),
  },
]

export function Component() {
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<OperatorPicture | null>(null)
  return (
    <ScreenFrame
      title={copy.title}
      acts={may('posts.write') && <Button onClick={() => setAdding(true)}>{copy.add}</Button>}
    >
      <DataList
        endpoint={operatorPictures.list}
        label={copy.title}
        columns={columnsOf(may('posts.write'), setRemoved)}
        filters={[{ name: 'q', label: copy.alt }]}
        usualSort={['created_at', 'DESC']}
        empty={copy.empty}
      />
      {isAdding && <PictureDialog title={copy.add} onClose={() => setAdding(false)} />}
      {removed && (
        <RemoveDialog
          title={copy.removeTitle}
          confirmLabel={copy.remove}
          warning={copy.removeWarning}
          removed={{ id: removed.id, name: removed.alt }}
          endpoint={operatorPictures.remove}
          onClose={() => setRemoved(null)}
        />
      )}
    </ScreenFrame>
  )
}
