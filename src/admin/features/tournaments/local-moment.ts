const VIETNAM_OFFSET_MS = 7 * 3_600_000

/** A moment as the browser's date and time field writes it, in the time of Vietnam wherever the device is. */
export const toFieldMoment = (moment: string): string =>
  new Date(Date.parse(moment) + VIETNAM_OFFSET_MS).toISOString().slice(0, 16)

export const fromFieldMoment = (text: string): string => (text === '' ? '' : `${text}:00+07:00`)
