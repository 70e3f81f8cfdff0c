/** Whether a part of the portal is connected and works, and what to do when it should and does not. */
export type Finding = { level: 'ok' | 'warning' | 'error'; name: string; text: string }

export const ok = (name: string, text: string): Finding => ({ level: 'ok', name, text })
export const warning = (name: string, text: string): Finding => ({ level: 'warning', name, text })
export const failing = (name: string, text: string): Finding => ({ level: 'error', name, text })

/** The finding of `prove`, or its failure as an error of that name. */
export async function proved(name: string, prove: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await prove()
  } catch (error) {
    return failing(name, (error as Error).message.trim().replaceAll(/\s*\n\s*/g, '; '))
  }
}
