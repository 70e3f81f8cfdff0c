import { HEADS_PER_CLASS } from '#contract/characters.ts'

/** The head picture for a class (0–6) and a look of it (0–3): 1–4 for class 0, 5–8 for class 1, and so on. */
export function headOf(classId: number, look: number): number {
  return classId * HEADS_PER_CLASS + (look % HEADS_PER_CLASS) + 1
}
