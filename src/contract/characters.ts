/**
 * Class names by index (spec §3): the arena's six schools, 0 = not yet in the arena. For games without names of their own;
 * the portal shows those of its table `game_name`, which began with these.
 */
export const CLASS_NAMES = [
  'Chưa vào trường',
  'Kiếm',
  'Phi tiêu',
  'Kunai',
  'Cung',
  'Đao',
  'Lưỡi hái',
] as const

/** The game's heads 1 to 28, four appearances for each of the seven classes, have a picture of the same number. */
const HEADS_WITH_PICTURE = 28

const NO_HEAD = 0

export const NO_HEAD_PICTURE = pictureOf(NO_HEAD)

export const HEADS_PER_CLASS = 4

/** The default appearance of a class, for a character whose own head is not known. */
export function classPicture(classId: number): string {
  return headPicture(classId * HEADS_PER_CLASS + 1)
}

/** The picture of a head (spec §3); one the portal has no drawing of gets the plain one. */
export function headPicture(head: number): string {
  const hasPicture = Number.isInteger(head) && head >= 1 && head <= HEADS_WITH_PICTURE
  return pictureOf(hasPicture ? head : NO_HEAD)
}

function pictureOf(number: number): string {
  return `/images/heads/Small${number}.png`
}
