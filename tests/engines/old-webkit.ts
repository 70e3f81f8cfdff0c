import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { judge, LOOK, pathsFrom, pictureOf, PICTURES, WIDTHS, type Found } from './below-the-floor.ts'

const PROGRAM = fileURLToPath(new URL('OldWebKit.java', import.meta.url))
const MODULES = ['base', 'graphics', 'controls', 'media', 'swing', 'web'].map(
  (name) => `/usr/share/java/javafx-${name}-11.jar`,
)

/** The WebKit 610 of JavaFX 11, about that of Safari 14, as Debian has it. */
export const isOldWebKitThere = (): boolean => MODULES.every((path) => existsSync(path))

/** Every public page and the console are readable in a WebKit below the floor; returns what is wrong. */
export async function readableInOldWebKit(url: string): Promise<string[]> {
  await mkdir(PICTURES, { recursive: true })
  const paths = await pathsFrom(url)
  const pages = WIDTHS.flatMap((width) =>
    paths.map((path) => ({ width, path, place: `WebKit 610, ${width}, ${path}` })),
  )
  const screen = ['--auto-servernum', '--server-args=-screen 0 1400x4200x24']
  const java = ['java', '-Dprism.order=sw', '--module-path', MODULES.join(':')]
  const modules = ['--add-modules', 'javafx.web,javafx.swing']
  const program = spawn('xvfb-run', [...screen, ...java, ...modules, PROGRAM, `JSON.stringify(${LOOK})`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  program.stdin.end(
    pages
      .map(({ width, path }) => [width, url + path, pictureOf('webkit-610', width, path)].join('\t'))
      .join('\n'),
  )
  const found = (await text(program.stdout)).trim().split('\n')
  if (found.length < pages.length) return [`WebKit 610 ended at ${pages[found.length]?.place}`]
  return pages.flatMap(({ place }, index) => judge(place, JSON.parse(found[index] ?? '') as Found))
}
