/** Who a game is for, as the law names its classes. */
export const AGE_CLASSES = ['00+', '12+', '16+', '18+'] as const

export type AgeClass = (typeof AGE_CLASSES)[number]

/** While nobody has set another one (spec §9). */
export const USUAL_AGE_CLASS: AgeClass = '12+'

/** The sentences that stand under every page and every mail. */
export function ageNotice(ageClass: string): string {
  const players = ageClass === '00+' ? 'mọi lứa tuổi' : `người chơi từ ${parseInt(ageClass)} tuổi trở lên`
  return `Game dành cho ${players}. Chơi quá 180 phút một ngày sẽ ảnh hưởng xấu đến sức khỏe.`
}
