import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startCollector, type Collector } from '#tests/support/collector.ts'
import { eventually } from '#tests/support/purchases.ts'
import type { Log } from '../log/log.ts'
import { metricsText } from '../metrics/metrics.ts'
import type { TracingOptions, Tracing } from './tracing.ts'
import { openTracing } from './open-telemetry.ts'

type Warning = { spans: number; why: string }

let collector: Collector
let warnings: Warning[]
const log = { warn: (fields: Warning) => void warnings.push(fields) } as unknown as Log
const opened: Tracing[] = []

beforeEach(async () => {
  warnings = []
  collector = await startCollector()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tracing) => tracing.close()))
  await collector.close()
})

function open(options: Partial<TracingOptions> = {}): Tracing {
  const tracing = openTracing(
    {
      url: `${collector.url}/v1/traces`,
      headers: {},
      serviceName: 'tests',
      sampler: 'parentbased_always_on',
      ratio: 1,
      ...options,
    },
    log,
  )
  opened.push(tracing)
  return tracing
}

function make(tracing: Tracing, spans: number): void {
  for (let made = 0; made < spans; made++)
    tracing.start({ name: `span ${made}`, kind: 'internal', attributes: {}, parent: null }).end()
}

async function counted(outcome: string): Promise<number> {
  const line = (await metricsText())
    .split('\n')
    .find((text) => text.startsWith(`portal_spans_total{outcome="${outcome}"}`))
  return Number(line?.split(' ')[1] ?? 0)
}

describe('a collector that', () => {
  test('takes the spans has all of them, also those of the last moment', async () => {
    const before = await counted('sent')
    const tracing = open()
    make(tracing, 1_024)
    await eventually(() => Promise.resolve(expect(collector.spans).toHaveLength(1_024)))
    // Few, and over an open connection: closing waits two seconds at most, which a busy machine may need for many.
    make(tracing, 3)
    await tracing.close()
    expect(collector.spans).toHaveLength(1_027)
    expect((await counted('sent')) - before).toBe(1_027)
    expect(warnings).toEqual([])
  })

  test('refuses them is logged once, and each lost span is counted', async () => {
    const before = await counted('dropped')
    collector.answer = 400
    const tracing = open()
    for (const round of [1, 2, 3]) {
      make(tracing, 512)
      await eventually(async () => expect((await counted('dropped')) - before).toBe(round * 512))
    }
    expect(warnings).toEqual([{ spans: 512, why: expect.any(String) }])
  })

  test('does not answer costs no more memory than the queue, no time, and no wait at the end', async () => {
    const before = await counted('dropped')
    collector.answer = 'never'
    const tracing = open()
    make(tracing, 512)
    await eventually(() => Promise.resolve(expect(collector.headers).toHaveLength(1)))
    const started = performance.now()
    make(tracing, 10_000)
    // A microsecond or so for each; a wait for the collector would be seconds.
    expect(performance.now() - started).toBeLessThan(2_000)
    expect((await counted('dropped')) - before).toBe(10_000 - 2_048)
    expect(warnings).toEqual([{ spans: 1, why: 'too many wait' }])
    const closing = performance.now()
    await tracing.close()
    expect(performance.now() - closing).toBeLessThan(4_000)
  })

  test('is not there loses the spans, and gets those that come when it is back', async () => {
    const { url } = collector
    await collector.close()
    const before = await counted('dropped')
    const tracing = open({ url: `${url}/v1/traces` })
    make(tracing, 512)
    await eventually(() => Promise.resolve(expect(warnings).toHaveLength(1)))
    expect((await counted('dropped')) - before).toBeGreaterThanOrEqual(512)
    collector = await startCollector()
    const again = open()
    make(again, 512)
    await eventually(() => Promise.resolve(expect(collector.spans).toHaveLength(512)))
  })
})

describe('the sampler', () => {
  const TRUE_PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  test.each([
    ['parentbased_always_on', 1, null, true],
    ['parentbased_always_on', 1, TRUE_PARENT.replace(/01$/, '00'), false],
    ['always_on', 1, TRUE_PARENT.replace(/01$/, '00'), true],
    ['always_off', 1, TRUE_PARENT, false],
    ['parentbased_always_off', 1, TRUE_PARENT, true],
    ['parentbased_always_off', 1, null, false],
    ['traceidratio', 0, TRUE_PARENT, false],
    ['parentbased_traceidratio', 0, TRUE_PARENT, true],
    ['parentbased_traceidratio', 0, null, false],
  ] as const)('%s of %d with the parent %s', (sampler, ratio, parent, isRecorded) => {
    const span = open({ sampler, ratio }).start({ name: 'a request', kind: 'server', attributes: {}, parent })
    expect(span.ids !== null).toBe(isRecorded)
    span.end()
  })

  test('samples about the configured share, and a part whenever its trace is sampled', async () => {
    const tracing = open({ sampler: 'parentbased_traceidratio', ratio: 0.25 })
    const roots = Array.from({ length: 2_000 }, () =>
      tracing.start({ name: 'root', kind: 'server', attributes: {}, parent: null }),
    )
    const sampled = roots.filter(({ ids }) => ids !== null)
    expect(sampled.length).toBeGreaterThan(350)
    expect(sampled.length).toBeLessThan(650)
    for (const parent of roots) {
      const part = tracing.start({ name: 'part', kind: 'client', attributes: {}, parent })
      expect(part.ids?.trace_id).toBe(parent.ids?.trace_id)
    }
  })
})
