import type { Character } from '#contract/exchange.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Choice } from '#ui/choice.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { useSession } from '#web/session/session-store.ts'
import { formatMoment } from '#contract/format.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'
import type { OwnCharacters } from '#web/parts/purchase/own-characters.ts'

/** Null while the game has not answered yet; an empty list is an answer. */
export function knownCharacters({ data: own }: OwnCharacters): readonly Character[] | null {
  if (!own || (own.characters_at === null && own.characters.length === 0)) return null
  return own.characters
}

type Props = {
  legend: string
  /** Of its radio buttons, where a page has several. */
  name?: string
  /** Why a visitor should log in. */
  visitorText: string
  own: OwnCharacters
  chosenId: string | null
  onChoose: (id: string) => void
}

/** One below the other where letters are so large that names would break. */
const gridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(9.25rem,100%),1fr))] gap-2.5 sm:grid-cols-2 sm:gap-3'

export function CharacterChoice(props: Props) {
  const { status } = useSession()
  return (
    <fieldset>
      <legend className="mb-2 text-lg font-bold sm:mb-3 sm:text-xl">{props.legend}</legend>
      {status === 'unknown' && (
        <>
          <div className="while-anonymous">
            <VisitorNote text={props.visitorText} />
          </div>
          <div className="while-signed-in">
            <CharacterSkeleton />
          </div>
        </>
      )}
      {status === 'anonymous' && <VisitorNote text={props.visitorText} />}
      {status === 'checking' && <CharacterSkeleton />}
      {status === 'player' && <PlayersChoice {...props} />}
    </fieldset>
  )
}

function PlayersChoice({ name = 'character', own, chosenId, onChoose }: Props) {
  if (!own.data) return own.isError ? <LoadFailure onRetry={own.refetch} /> : <CharacterSkeleton />
  const { characters, characters_at } = own.data
  return (
    <>
      {characters.length === 0 && characters_at !== null && (
        <PageState title={copy.noCharacters} text={copy.noCharactersMore} />
      )}
      {characters.length === 0 && characters_at === null && <Alert tone="note">{copy.charactersLate}</Alert>}
      <div className={gridClass}>
        {characters.map((character) => (
          <Choice
            key={character.id}
            name={name}
            value={character.id}
            checked={character.id === chosenId}
            className="max-sm:gap-1.5! max-sm:p-2!"
            onChange={() => onChoose(character.id)}
          >
            <CharacterHead
              head={character.info.head}
              name={character.info.headName}
              className="rounded-lg size-10 sm:size-14"
            />
            <span className="min-w-0">
              <strong className="block leading-tight wrap-anywhere max-sm:text-[0.9375rem]">
                {character.name}
              </strong>
              <span className="block text-xs text-soft sm:text-sm">{describe(character)}</span>
            </span>
          </Choice>
        ))}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 text-sm text-soft">
        {characters_at !== null && <span>{copy.charactersAt(formatMoment(characters_at))}</span>}
        <Button
          kind="text"
          className="-ml-4 text-sm"
          isBusy={own.isFetching}
          onClick={() => void own.refetch()}
        >
          {copy.reload}
        </Button>
      </div>
    </>
  )
}

function describe({ info }: Character): string {
  return (info.className ?? copy.unknownClass) + copy.level(info.level)
}

function VisitorNote({ text }: { text: string }) {
  return (
    <Alert tone="note">
      <strong>{copy.visitorTitle}</strong>
      <p>{text}</p>
      <p className="mt-2 flex flex-wrap gap-3">
        <Button onClick={() => openModal('login')}>{copy.login}</Button>
        <Button kind="plain" onClick={() => openModal('register')}>
          {copy.register}
        </Button>
      </p>
    </Alert>
  )
}

const CharacterSkeleton = () => <Skeletons count={2} each="h-16 w-full sm:h-20" className={gridClass} />
