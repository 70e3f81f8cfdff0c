/**
 * The head a character wears in the game → the number of its picture, `/images/heads/Small{n}.png` (spec §3). Four
 * looks for each of the seven classes, in the order of the classes.
 */
const HEAD_PICTURES: Readonly<Record<number, number>> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 5,
  6: 6,
  7: 7,
  8: 8,
  9: 9,
  10: 10,
  11: 11,
  12: 12,
  13: 13,
  14: 14,
  15: 15,
  16: 16,
  17: 17,
  18: 18,
  19: 19,
  20: 20,
  21: 21,
  22: 22,
  23: 23,
  24: 24,
  25: 25,
  26: 26,
  27: 27,
  28: 28,
}

const NO_HEAD = 0

export const NO_HEAD_PICTURE = pictureOf(NO_HEAD)

/** The picture of a head; one the portal has no drawing of gets the plain one. */
export function headPicture(head: number): string {
  return pictureOf(HEAD_PICTURES[head] ?? NO_HEAD)
}

function pictureOf(number: number): string {
  return `/images/heads/Small${number}.png`
}
