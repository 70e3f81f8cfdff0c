/** The server has no such file: the tab is of a release that is gone. */
export class FileGone extends Error {}

const RETRY_MS = 400

/** What has been asked for, by its address. What failed is asked for again. */
const arriving = new Map<string, Promise<void>>()

/**
 * Every `import()` of the built sites goes through here, in place of Vite's own helper (scripts/built-files.ts): all files of
 * the part are fetched before the browser is told to import it. A module whose fetch failed once stays failed for as long as
 * the document lives in some browsers, also where it is only a part of what is imported; a `fetch` may be repeated.
 */
export async function importWithFiles<T>(load: () => Promise<T>, files: readonly string[]): Promise<T> {
  await Promise.all(files.map(arrived))
  return load()
}

function arrived(file: string): Promise<void> {
  const address = import.meta.env.BASE_URL + file
  const known = arriving.get(address)
  if (known || isOfDocument(address)) return known ?? Promise.resolve()
  const asked = address.endsWith('.css') ? addStyle(address) : fetchFile(address)
  arriving.set(address, asked)
  asked.catch(() => arriving.delete(address))
  return asked
}

/** What the document itself has named is there, or on its way. */
const isOfDocument = (address: string) =>
  document.querySelector(`[href="${address}"],[src="${address}"]`) !== null

/** Into the browser's cache, from where the import takes it. */
async function fetchFile(address: string, isAgain = false): Promise<void> {
  try {
    const answer = await fetch(address)
    if (answer.status === 404) throw new FileGone(address)
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
    await answer.arrayBuffer()
  } catch (error) {
    if (isAgain || error instanceof FileGone) throw error
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS)
    })
    await fetchFile(address, true)
  }
}

function addStyle(href: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  document.head.append(link)
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`${href} did not arrive`))
    })
  })
}
