import { LEGAL_KINDS, type LegalKind } from '#contract/legal.ts'

export const isLegalKind = (text: string): text is LegalKind => LEGAL_KINDS.some((kind) => kind === text)

/** A number of a version as PostgreSQL's bigint holds it. */
export const isVersion = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)
