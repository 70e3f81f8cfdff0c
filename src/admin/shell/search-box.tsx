import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { drawings } from '#admin/kit/links.tsx'
import { read } from '#admin/query.ts'
import { formatNumber } from '#contract/format.ts'
import { type Hit, SEARCH_CHARACTERS_MIN, searchCall } from '#contract/operator/users.ts'
import { Drawing } from '#ui/icon.tsx'
import { consoleCopy } from './console.copy.ts'

const copy = consoleCopy.search

/** How long nothing may be typed before it is searched for. */
const PAUSE_MS = 200

/** One box for everything. Arrows choose, Enter opens, Escape closes. */
export function SearchBox() {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { hits, isFailed, hasSearched } = useHits(typed)
  const isShown = isOpen && hasSearched
  const hasHits = isShown && hits.length > 0
  const open = useOpen(() => {
    setOpen(false)
    setTyped('')
  })
  const { chosen, setChosen, onKeyDown } = useChoice({ hits, isShown, open, close: () => setOpen(false) })

  return (
    <div className="console-search" role="search">
      <Drawing path={drawings.search} />
      <input
        data-search
        type="text"
        role="combobox"
        aria-label={copy.label}
        aria-expanded={hasHits}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={hasHits ? `${listId}-${chosen}` : undefined}
        placeholder={copy.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setChosen(0)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div hidden={!isShown} className="console-hits" onPointerDown={(event) => event.preventDefault()}>
        <p role="status" className={hasHits ? 'sr-only' : 'px-3 py-2'}>
          {isShown && (isFailed ? copy.failed : hasHits ? copy.found(hits.length) : copy.none)}
        </p>
        <div id={listId} role="listbox" aria-label={copy.results}>
          {hits.map((hit, index) => (
            <Option
              key={`${hit.kind} ${hit.ref} ${hit.title}`}
              id={`${listId}-${index}`}
              hit={hit}
              isChosen={index === chosen}
              onOpen={() => open(hit)}
            />
          ))}
        </div>
      </div>
    </div>
  )
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

function useOpen(leave: () => void): (hit: Hit) => void {
  const navigate = useNavigate()
  return ({ kind, ref }) => {
    leave()
    void navigate(`${SCREENS[kind]}/${ref}`)
  }
}

type Choice = { hits: readonly Hit[]; isShown: boolean; open: (hit: Hit) => void; close: () => void }

/** The hit that Enter opens. */
function useChoice({ hits, isShown, open, close }: Choice) {
  const [chosen, setChosen] = useState(0)
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || !isShown) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const hit = hits[chosen]
    if (step !== undefined && hits.length > 0) setChosen((chosen + step + hits.length) % hits.length)
    else if (event.key === 'Enter' && hit) open(hit)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return { chosen, setChosen, onKeyDown }
}

type OptionProps = { id: string; hit: Hit; isChosen: boolean; onOpen: () => void }

/** The focus stays in the search box, which handles the keys. */
function Option({ id, hit, isChosen, onOpen }: OptionProps) {
  const { kind, title, detail, amount } = hit
  const more = [detail && (copy.states[detail] ?? detail), amount !== null && formatNumber(amount)]
  return (
    <button type="button" id={id} role="option" tabIndex={-1} aria-selected={isChosen} onClick={onOpen}>
      <span className="text-sm text-soft">{copy.kinds[kind]}</span>
      <strong>{title}</strong>
      <span className="text-sm text-soft">{more.filter(Boolean).join(' · ')}</span>
    </button>
  )
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
