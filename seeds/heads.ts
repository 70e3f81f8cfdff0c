import { HEADS_PER_CLASS } from '#contract/characters.ts'

/** The head picture for a class (0–6) and one of its appearances (0–3): 1–4 for class 0, 5–8 for class 1, and so on. */
export function headOf(classId: number, appearance: number): number {
  return classId * HEADS_PER_CLASS + (appearance % HEADS_PER_CLASS) + 1
}
