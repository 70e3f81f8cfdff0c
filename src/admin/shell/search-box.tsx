import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { drawings } from '#admin/kit/drawings.tsx'
import { read } from '#admin/query.ts'
import type { Screen } from '#admin/screens.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { type Hit, SEARCH_CHARACTERS_MIN, searchCall } from '#contract/operator/users.ts'
import { Drawing } from '#ui/icon.tsx'
import type { AskedAct } from './asked-act.ts'
import { consoleCopy } from './console.copy.ts'
import { matchPlaces, type Place, placesOf } from './places.ts'

const copy = consoleCopy.search

/** How long nothing may be typed before it is searched for. */
const PAUSE_MS = 200

/** What is found: a place of the console or a row of its data. */
type Found = { place: Place } | { hit: Hit }

/** One box for everything. Arrows choose, Enter opens, Escape closes. */
export function SearchBox({ screens }: { screens: readonly Screen[] }) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const places = usePlaces(screens, typed, isOpen)
  const { hits, isFailed, hasSearched } = useHits(typed)
  const all: readonly Found[] = [...places.map((place) => ({ place })), ...hits.map((hit) => ({ hit }))]
  const isShown = isOpen && (hasSearched || all.length > 0)
  const hasAny = isShown && all.length > 0
  const open = useOpen(() => {
    setOpen(false)
    setTyped('')
  })
  const { chosen, setChosen, onKeyDown } = useChoice({ all, isShown, open, close: () => setOpen(false) })

  return (
    <div className="console-search" role="search">
      <Drawing path={drawings.search} />
      <input
        data-search
        type="text"
        role="combobox"
        aria-label={copy.label}
        aria-expanded={hasAny}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={hasAny && chosen >= 0 ? `${listId}-${chosen}` : undefined}
        placeholder={copy.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setChosen(target.value.trim() === '' ? NONE : 0)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div hidden={!isShown} className="console-hits" onPointerDown={(event) => event.preventDefault()}>
        <p role="status" className={hasAny ? 'sr-only' : 'px-3 py-2'}>
          {isShown && (isFailed ? copy.failed : hasAny ? copy.found(all.length) : copy.none)}
        </p>
        <div id={listId} role="listbox" aria-label={copy.results}>
          {all.map((found, index) => (
            <Option
              key={keyOf(found)}
              id={`${listId}-${index}`}
              found={found}
              isChosen={index === chosen}
              onOpen={() => open(found)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

const keyOf = (found: Found): string =>
  'place' in found
    ? `${found.place.to} ${found.place.title}`
    : `${found.hit.kind} ${found.hit.ref} ${found.hit.title}`

/** Before anything is typed the screens, then whatever is called so. */
function usePlaces(screens: readonly Screen[], typed: string, isOpen: boolean): readonly Place[] {
  const may = useMay()
  const { data: settings = [] } = useQuery({
    queryKey: ['setting-places'],
    queryFn: async () => (await import('./setting-places.ts')).settingPlaces,
    enabled: isOpen,
    staleTime: Infinity,
  })
  if (!isOpen) return []
  const places = placesOf(screens, may)
  if (typed.trim() === '') return places.filter(({ kind }) => kind === 'screen')
  const isOffered = ({ to }: Place) => screens.some(({ path }) => path === `/${to.split(/[/#]/)[1]}`)
  return matchPlaces([...places, ...settings.filter(isOffered)], typed)
}

/** What is found by a text, once typing has paused. */
function useHits(typed: string) {
  const q = useSettled(typed.trim())
  const isEnough = q.length >= SEARCH_CHARACTERS_MIN
  const { data, error } = useQuery({ ...read(searchCall, { query: { q } }), enabled: isEnough })
  const isFailed = error !== null && data === undefined
  return { hits: data ?? NO_HITS, isFailed, hasSearched: isEnough && (data !== undefined || isFailed) }
}

const NO_HITS: readonly Hit[] = []

function useOpen(leave: () => void): (found: Found) => void {
  const navigate = useNavigate()
  return (found) => {
    leave()
    if ('hit' in found) return void navigate(`${SCREENS[found.hit.kind]}/${found.hit.ref}`)
    const { to, button } = found.place
    const state: AskedAct = button === undefined ? {} : { act: button }
    void navigate(to, { state })
  }
}

/** Nothing is chosen: Enter opens nothing before something was typed. */
const NONE = -1

type Choice = {
  all: readonly Found[]
  isShown: boolean
  open: (found: Found) => void
  close: () => void
}

/** What Enter opens. */
function useChoice({ all, isShown, open, close }: Choice) {
  const [chosen, setChosen] = useState(NONE)
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || !isShown) return
    const found = all[chosen]
    if (event.key === 'ArrowDown' && all.length > 0) setChosen((chosen + 1) % all.length)
    else if (event.key === 'ArrowUp' && all.length > 0)
      setChosen((Math.max(chosen, 0) - 1 + all.length) % all.length)
    else if (event.key === 'Enter' && found) open(found)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return { chosen, setChosen, onKeyDown }
}

type OptionProps = { id: string; found: Found; isChosen: boolean; onOpen: () => void }

/** The focus stays in the search box, which handles the keys. */
function Option({ id, found, isChosen, onOpen }: OptionProps) {
  const option = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const { kind, title, more } = wordsOf(found)
  return (
    <button
      ref={option}
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onOpen}
    >
      <strong className="min-w-0">{title}</strong>
      <span className="text-sm text-soft">{[kind, ...more].filter(Boolean).join(' · ')}</span>
    </button>
  )
}

function wordsOf(found: Found) {
  if ('place' in found) {
    const { kind, title, of } = found.place
    return { kind: copy.places[kind], title, more: [of] }
  }
  const { kind, title, detail, amount } = found.hit
  return {
    kind: copy.kinds[kind],
    title,
    more: [detail && (copy.states[detail] ?? detail), amount !== null && formatNumber(amount)],
  }
}

/** A text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const SCREENS: Record<Hit['kind'], string> = {
  user: '/users',
  character: '/users',
  order: '/recharge-orders',
  'bank-transfer': '/bank-transfers',
  'payment-event': '/payment-events',
  delivery: '/deliveries',
  post: '/posts',
}
