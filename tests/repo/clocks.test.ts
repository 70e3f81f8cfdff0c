import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Programs that ask the device for its time, and why they may. */
const OF_THE_DEVICE: Record<string, string> = {
  'src/client/server-clock.ts': 'the time until the server has told its own',
  'src/web/parts/install/install.ts': 'days between visits of this device, which it stores itself',
  'src/web/parts/install/count-visit.ts': 'the same',
  'src/web/parts/splash/splash.tsx': 'days since this device was greeted, which it stores itself',
  'src/web/parts/pixel/pixel.ts': 'days that this device waits for a payment, which it stores itself',
  'src/admin/session/console-session.ts': 'minutes without a touch, which go on while the device sleeps',
}

const ASKS = /\bDate\.now\b|\bnew Date\(\)/

/** The zone of the device: every text is in the time of Vietnam (`contract/format.ts`). */
const OF_THE_ZONE =
  /\.toLocale(Date|Time)?String\((?!'(en|vi-VN)')|\bIntl\.DateTimeFormat|\.(get|set)(Hours|Minutes|Date|Day|Month|FullYear)\(|getTimezoneOffset/

const programs = globSync('src/{web,ui,client,admin,contract}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$|\/testing\//.test(file),
)

const textOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')

test('programs in browsers count by the server’s clock', () => {
  const asking = programs.filter((file) => ASKS.test(textOf(file)))
  expect(asking.toSorted()).toEqual(Object.keys(OF_THE_DEVICE).toSorted())
})

test('programs in browsers do not know the zone of the device', () => {
  expect(programs.filter((file) => OF_THE_ZONE.test(textOf(file)))).toEqual([])
})
