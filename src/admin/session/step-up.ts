import { createStore, useStore } from '#client/store.ts'

type Question = { answer: (isProved: boolean) => void }

const question = createStore<Question | null>(null)

export const useStepUpQuestion = () => useStore(question)

/** Asks in place for a code of the second factor; false when the operator leaves it. Several calls share one question. */
export function askForStepUp(): Promise<boolean> {
  const open = question.get()
  return new Promise((resolve) => {
    question.set({
      answer(isProved) {
        question.set(null)
        open?.answer(isProved)
        resolve(isProved)
      },
    })
  })
}
