import { oneForm } from '#contract/fields.ts'

/** The marks that tell tones; the others belong to a letter: the circumflex, the breve, the horn. */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/gu

/** Each letter in one piece with its own mark, and its tone behind it: as Windows and an option of Vietnamese keyboards write it. */
const tonesApart = (secret: string): string =>
  Array.from(secret.normalize('NFC'), (letter) => {
    const parts = letter.normalize('NFD')
    const tone = parts.match(TONES)?.join('') ?? ''
    return parts.replace(TONES, '').normalize('NFC') + tone
  }).join('')

/**
 * A typed secret in every form in which the same secret may be stored, the present one first: what was stored before there was
 * one form is found in the form in which it was typed then. One without marks has one form.
 */
export const secretForms = (typed: string): string[] => [
  ...new Set([oneForm(typed), typed, typed.normalize('NFD'), tonesApart(typed)]),
]
