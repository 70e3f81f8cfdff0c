import { type Call, createCall } from '#client/call.ts'
import { saveFile } from '#client/save-file.ts'
import { ofPlayer } from '#web/browser-call.ts'
import { tellSaving } from '#web/parts/share/tell-saving.ts'

/**
 * Calls as the browser's other calls do, and saves the file that is answered under the name the server gives it. A plain
 * link would not send the session.
 */
export const savingCall =
  (fallbackName: string): Call =>
  async (endpoint, input) => {
    let save = async () => {}
    const call = createCall(
      ofPlayer(async ({ method, url, body }, headers) => {
        const response = await fetch(url, { method, headers, body })
        if (!response.ok) return { status: response.status, text: await response.text() }
        const [, name = fallbackName] =
          /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
        const blob = await response.blob()
        const file = new File([blob], name, { type: blob.type })
        save = async () => tellSaving(await saveFile(file))
        return { status: response.status, text: '' }
      }),
    )
    const answer = await call(endpoint, input)
    await save()
    return answer
  }
