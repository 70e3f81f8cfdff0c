import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { hasAllCases, keepFilesInMemory } from './tests/support/test-run.ts'

// Tests start the portal and its commands some hundred times: compiled once, each start costs half the time.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled')
keepFilesInMemory()

const shared = { environment: 'node' as const, passWithNoTests: false }

const SLOW =
  /\/tests\/(db|rehearsal|repo|security)\/|\/(bounded-client|characters|embedded-postgres|filling|game-bridge|guards|login|unreliable-game)\.db\.test\.ts$|\/open-telemetry\.test\.ts$/

/** Those that start processes or wait for time-outs first, so that no worker is left with a long one at the end. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

/** A command of its own, of twenty minutes: docs/proofs.md. */
const isAlertsCheck = process.env.ALERTS_CHECK === '1'

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          // Each module is imported once a worker, not once a file.
          isolate: false,
          // Otherwise one on a machine of two cores, idle while a test waits for a time-out.
          maxWorkers: 4,
          // Some start a process or hash passwords, on machines that are busy with other things.
          testTimeout: 30_000,
          sequence: { groupOrder: 1 },
          include: ['src/**/*.test.{ts,tsx}', 'seeds/**/*.test.ts', 'tests/support/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', 'node_modules/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'db',
          // By Node itself, as the portal runs: modules are read in two thirds of the time that Vite needs for them.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // The same password of thousands of players is hashed once a worker.
          execArgv: [`--import=${pathToFileURL('tests/support/remember-argon2.ts')}`],
          sequence: { groupOrder: 2 },
          include: isAlertsCheck
            ? ['tests/alerts/*.db.test.ts']
            : ['src/**/*.db.test.ts', 'tests/{db,security,rehearsal}/**/*.db.test.ts'],
          // Further rehearsals: those that are left go through the whole loop, and through logins while the portal is away.
          exclude: hasAllCases ? [] : ['tests/rehearsal/{charges,collecting,lock,logins}.db.test.ts'],
          globalSetup: ['tests/support/global-setup.ts'],
          // The whole portal is imported once a worker, not once a file.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // More than cores: many of them wait, for time-outs and for processes of their own.
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...shared,
          name: 'repo',
          // As those of the database: by Node itself, once a worker.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          isolate: false,
          // Beside those of the database, which mostly wait; the same number of workers, since they share them.
          sequence: { groupOrder: 2 },
          maxWorkers: 4,
          include: ['tests/repo/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
    ],
  },
})
