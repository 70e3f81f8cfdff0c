import { memoized } from '../values/memoize.ts'

export type Accepted = { gzip: boolean; br: boolean }

/** Browsers send few different ones. */
const ACCEPTED_MAX = 100

const parseAccepted = memoized(ACCEPTED_MAX, (header): Accepted => {
  const taken = header
    .split(',')
    .map((part) => part.trim().toLowerCase().split(';'))
    .filter(([, weight]) => !/^\s*q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  return { gzip: taken.includes('gzip'), br: taken.includes('br') }
})

/** The encodings that the browser accepts; `q=0` refuses one. */
export const acceptedBy = (header: string | undefined): Accepted => parseAccepted(header ?? '')
