import { useSearchParams } from 'react-router'
import { DialogButton } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { useMay } from '#admin/session/console-session.ts'
import { headPicture } from '#contract/characters.ts'
import {
  type GameName,
  GAME_NAME_KINDS,
  GAME_NAME_WORDS,
  type GameNameKind,
  operatorGameNames,
} from '#contract/operator/game/names.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { NameDrafts, NameInput, useDrafts } from './name-drafts.tsx'
import { namesCopy as copy } from './names.copy.ts'
import { PasteDialog } from './paste-dialog.tsx'

const FIRST: GameNameKind = 'class'

const filters: readonly Filter[] = [
  { name: 'kind', label: copy.filters.kind, options: optionsOf(GAME_NAME_WORDS), usual: () => FIRST },
  { name: 'unnamed', label: copy.filters.unnamed, options: copy.named, type: 'flag' },
  { name: 'q', label: copy.filters.q },
]

function sourceOf({ is_described, is_used }: GameName): string {
  const { game, portal, both, none } = copy.sources
  return is_described && is_used ? both : is_described ? game : is_used ? portal : none
}

const columnsOf = (kind: GameNameKind): readonly Column<GameName>[] => [
  column('code', copy.code, (row) => <Code row={row} />, { sort: 'code', isName: true }),
  column('name', copy.name, (row) => <NameInput row={row} part="name" />, { onPhone: 'line' }),
  ...(kind === 'class'
    ? [
        column<GameName>('short', copy.short, (row) => <NameInput row={row} part="short" />, {
          onPhone: 'line',
        }),
      ]
    : []),
  column('told', copy.nameInGame, (row) => <NameInGame row={row} />, {
    isBlank: ({ told_name }) => told_name === null,
    onPhone: 'line',
  }),
  column('source', copy.source, sourceOf),
  column('updated_at', copy.changedAt, ({ updated_at }) => momentText(updated_at), {
    isBlank: ({ updated_at }) => updated_at === null,
  }),
]

const Code = ({ row: { kind, code } }: { row: GameName }) => (
  <span className="inline-flex items-center gap-2">
    {kind === 'head' && (
      <img
        src={headPicture(Number(code))}
        alt=""
        width={40}
        height={40}
        className="size-10 rounded bg-sunken"
      />
    )}
    <code>{code}</code>
  </span>
)

/** A draft that takes the game's own name. */
const asInGame = (row: GameName) => ({ base: row, name: row.told_name ?? '', short: '' })

function NameInGame({ row }: { row: GameName }) {
  const { put } = useDrafts()
  const isMine = useMay()('settings.content')
  const { told_name: nameInGame } = row
  if (nameInGame === null) return null
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
      {nameInGame}
      {isMine && row.name === null && (
        <Button kind="text" aria-label={copy.takeOf(nameInGame)} onClick={() => put([asInGame(row)])}>
          {copy.take}
        </Button>
      )}
    </span>
  )
}

type BulkProps = { chosen: readonly GameName[]; onDone: () => void }

function TakeChosen({ chosen, onDone }: BulkProps) {
  const { put } = useDrafts()
  const named = chosen.filter(({ told_name }) => told_name !== null)
  return (
    <Button
      kind="plain"
      disabled={named.length === 0}
      onClick={() => {
        put(named.map(asInGame))
        onDone()
      }}
    >
      {copy.takeChosen}
    </Button>
  )
}

/** Every code of the game with its name, those without one first; what is typed is saved by one act. */
export function Component() {
  const isMine = useMay()('settings.content')
  const [params] = useSearchParams()
  const kind = GAME_NAME_KINDS.find((one) => one === params.get('kind')) ?? FIRST
  return (
    <NameDrafts>
      <ListPage
        acts={
          isMine && (
            <DialogButton
              label={copy.paste}
              kind="plain"
              renderDialog={(onClose) => <PasteDialog kind={kind} onClose={onClose} />}
            />
          )
        }
        lead={<Alert tone="note">{isMine ? copy.note : copy.readOnly}</Alert>}
        endpoint={operatorGameNames.list}
        columns={columnsOf(kind)}
        filters={filters}
        usualSort={['code', 'ASC']}
        empty={copy.empty}
        isFile
        bulk={{ permission: 'settings.content', Acts: TakeChosen }}
      />
    </NameDrafts>
  )
}
