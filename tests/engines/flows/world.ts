import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type APIRequestContext, request as requests } from '@playwright/test'
import sharp from 'sharp'
import type { Role } from '#contract/operator/roles.ts'
import { aStaffMember, type StaffMember } from '#tests/e2e/player/staff.ts'
import { appCode } from '#tests/support/players.ts'
import { eventually } from '#tests/support/purchases.ts'
import { act, type EngineBrowser, visit } from '../browser.ts'
import { type Person, personAt } from '../person.ts'

/** The portal that the flows visit, and what prepares it for them. */
export type World = {
  url: string
  dataDir: string
  request: APIRequestContext
  /** The path of a picture that somebody may send. */
  picture: string
  end(): Promise<void>
}

export async function openWorld({ url, dataDir }: { url: string; dataDir: string }): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-flows-'))
  const picture = join(folder, 'man-hinh.png')
  const paper = sharp({ create: { width: 360, height: 640, channels: 3, background: '#2e7d32' } })
  await writeFile(picture, await paper.png().toBuffer())
  const request = await requests.newContext({ baseURL: url })
  return {
    url,
    dataDir,
    request,
    picture,
    async end() {
      await request.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Opens a page as a player who signed in on an earlier visit; a visitor without a token. */
export async function enter(
  browser: EngineBrowser,
  { url }: World,
  { token = null, path }: { token?: string | null; path: string },
): Promise<Person> {
  await visit(browser, `${url}/terms`)
  const session = JSON.stringify({ access_token: token })
  await browser.run(
    `(localStorage.clear(), localStorage.setItem('lastSeenHello', String(Date.now())),
      ${token !== null} && localStorage.setItem('auth-react-v', ${JSON.stringify(session)}))`,
  )
  await visit(browser, url + path)
  return personAt(browser)
}

/** A new operator signs in to the console by its form, with password and code. */
export async function enterConsole(
  browser: EngineBrowser,
  { url, dataDir, request }: World,
  role: Role,
): Promise<{ person: Person; staff: StaffMember }> {
  const staff = await aStaffMember(request, dataDir, role)
  await visit(browser, `${url}/admin`)
  await browser.run('sessionStorage.clear()')
  await visit(browser, `${url}/admin`)
  const person = personAt(browser)
  await person.type('Tên đăng nhập', staff.username)
  await person.type('Mật khẩu', staff.password)
  await person.type('Mã xác thực hai lớp', appCode(staff.secret))
  await person.press('button', 'Đăng nhập')
  await person.sees('h1', 'Tổng quan')
  return { person, staff }
}

/** The text of the file that the browser saves under such a name. */
export const savedFile = ({ downloads }: EngineBrowser, pattern: RegExp): Promise<string> =>
  eventually(async () => {
    const name = (await readdir(downloads)).find((one) => pattern.test(one))
    const text = name === undefined ? '' : await readFile(join(downloads, name), 'utf8')
    if (text === '') throw new Error(`no file ${pattern.source} was saved`)
    await rm(join(downloads, name ?? ''))
    return text
  })

/** Marks the document, for `isSameDocument` to tell whether it was loaded anew since. */
export const markDocument = (browser: EngineBrowser) => browser.run('void (window.isMarked = true)')

export async function expectSameDocument(browser: EngineBrowser): Promise<void> {
  if ((await browser.run('window.isMarked === true')) !== true) throw new Error('the page was loaded anew')
}

/** The picture is loaded and shown. */
export const expectPicture = (browser: EngineBrowser, selector: string): Promise<unknown> =>
  act(
    browser,
    ({ until }, given) =>
      until(() => {
        const picture = document.querySelector<HTMLImageElement>(given)
        picture?.scrollIntoView()
        return picture?.complete && picture.naturalWidth > 0
      }, `picture ${given}`),
    selector,
  )
