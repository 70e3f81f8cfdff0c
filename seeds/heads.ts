/** How many drawn heads each class has; `public/images/heads` is numbered class by class from 1. */
export const headsPerClass = 4

/** The head picture for a class (0–6) and a look of it (0–3): 1–4 for class 0, 5–8 for class 1, and so on. */
export function headOf(classId: number, look: number): number {
  return classId * headsPerClass + (look % headsPerClass) + 1
}
