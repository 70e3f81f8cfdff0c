import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MomentField } from '#admin/kit/fields.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { read } from '#admin/query.ts'
import { operatorCategories } from '#contract/operator/posts.ts'
import { uploadBase, uploadHash } from '#contract/post-html.ts'
import { Button } from '#ui/button.tsx'
import { Cover } from '#ui/cover.tsx'
import { Field, SelectField, TextArea } from '#ui/field.tsx'
import { PictureDialog } from './pictures/picture-dialog.tsx'
import { type Show, stateOf } from './post-values.ts'
import { postsCopy as copy } from './posts.copy.ts'
import type { Editing } from './use-post-editing.ts'

type Props = { editing: Editing }

/** Everything about a post that is not its text. */
export function PostFields({ editing }: Props) {
  const { values, change, why } = editing
  return (
    <div className="space-y-4">
      <Field
        label={copy.name}
        maxLength={200}
        value={values.title}
        onChange={({ target }) => change({ title: target.value })}
      />
      <ShowFields editing={editing} />
      <CoverField editing={editing} />
      <TextArea
        label={copy.excerpt}
        hint={copy.excerptHint}
        maxLength={400}
        value={values.excerpt}
        onChange={({ target }) => change({ excerpt: target.value })}
      />
      <CategoryFields editing={editing} />
      <Check label={copy.isNew} isOn={values.isNew} onTurn={(isNew) => change({ isNew })} />
      <Check label={copy.isPinned} isOn={values.isPinned} onTurn={(isPinned) => change({ isPinned })} />
      <Field
        label={kitCopy.reason}
        hint={copy.reasonHint}
        maxLength={500}
        value={why.reason}
        onChange={({ target }) => why.give(target.value)}
      />
    </div>
  )
}

function Check({ label, isOn, onTurn }: { label: string; isOn: boolean; onTurn: (isOn: boolean) => void }) {
  return (
    <label className="flex min-h-11 items-center gap-2">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onTurn(target.checked)} />
      {label}
    </label>
  )
}

function ShowFields({ editing: { base, values, change } }: Props) {
  const { show, showAt } = values
  const now = stateOf(base) === 'shown' ? copy.showChoices.shown : copy.showChoices.now
  return (
    <>
      <SelectField
        label={copy.show}
        value={show}
        onChange={({ target }) => change({ show: target.value as Show })}
      >
        <option value="hidden">{copy.showChoices.hidden}</option>
        <option value="now">{now}</option>
        <option value="scheduled">{copy.showChoices.scheduled}</option>
      </SelectField>
      {show === 'scheduled' && (
        <MomentField
          label={copy.showAt}
          value={showAt}
          onChange={({ target }) => change({ showAt: target.value })}
        />
      )}
    </>
  )
}

function CoverField({ editing: { values, change } }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div role="group" aria-label={copy.cover}>
      <p className="mb-1 text-sm font-bold">{copy.cover}</p>
      {values.cover ? (
        <Cover cover={values.cover} sizes="20rem" className="rounded-lg" />
      ) : (
        <p className="text-sm text-soft">{copy.noCover}</p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button kind="plain" onClick={() => setChoosing(true)}>
          {copy.chooseCover}
        </Button>
        {values.cover && (
          <Button kind="text" onClick={() => change({ cover: null })}>
            {copy.dropCover}
          </Button>
        )}
      </div>
      {isChoosing && (
        <PictureDialog
          title={copy.chooseCover}
          onChosen={([picture]) => {
            const hash = uploadHash(picture?.urls['640'] ?? '')
            if (hash !== null) change({ cover: uploadBase(hash) })
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

function CategoryFields({ editing: { values, change } }: Props) {
  const { data: categories = [] } = useQuery(read(operatorCategories.list, { query: { range: '[0,99]' } }))
  if (categories.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-bold">{copy.categories}</legend>
      {categories.map(({ id, title }) => (
        <Check
          key={id}
          label={title}
          isOn={values.categoryIds.includes(id)}
          onTurn={(isOn) =>
            change({
              categoryIds: isOn
                ? [...values.categoryIds, id]
                : values.categoryIds.filter((other) => other !== id),
            })
          }
        />
      ))}
    </fieldset>
  )
}
