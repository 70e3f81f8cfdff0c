import type { Screen, ScreenAct } from '#admin/screens.ts'
import { searchForm } from '#contract/search-form.ts'

/** Somewhere in the console that is found by its name: a screen, what is done there, or a setting. */
export type Place = {
  kind: 'screen' | 'act' | 'setting'
  title: string
  to: string
  /** Where it is. */
  of?: string
  /** By which it is found too. */
  words?: string
  /** What the screen begins with. */
  button?: string
}

type May = (permission: NonNullable<ScreenAct['permission']>) => boolean

/** The screens of the menu and what is done there, so far as the operator may open them. */
export function placesOf(offered: readonly Screen[], may: May): readonly Place[] {
  const listed = offered.filter(({ group }) => group !== undefined)
  return [
    ...listed.map(({ path, title, words }): Place => ({
      kind: 'screen',
      title,
      to: path,
      ...(words !== undefined && { words }),
    })),
    ...listed.flatMap(({ path, title, words, acts = [] }) =>
      acts
        .filter(({ permission }) => permission === undefined || may(permission))
        .map(({ label, button }): Place => ({
          kind: 'act',
          title: label,
          to: path,
          of: title,
          ...(words !== undefined && { words }),
          ...(button !== undefined && { button }),
        })),
    ),
  ]
}

const SHOWN_MAX = 8

/** The places whose words begin with all the words typed, those with them in their title first. */
export function matchPlaces(places: readonly Place[], typed: string): readonly Place[] {
  const asked = wordsIn(typed)
  if (asked.length === 0) return []
  const begins = (words: readonly string[]) =>
    asked.every((word) => words.some((one) => one.startsWith(word)))
  const inTitle = places.filter(({ title }) => begins(wordsIn(title)))
  const inOthers = places.filter(
    (place) =>
      !inTitle.includes(place) && begins(wordsIn(`${place.title} ${place.words ?? ''} ${place.of ?? ''}`)),
  )
  return [...inTitle, ...inOthers].slice(0, SHOWN_MAX)
}

const wordsIn = (text: string): readonly string[] => searchForm(text).match(/[\p{L}\p{N}]+/gu) ?? []
