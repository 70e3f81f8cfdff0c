import { execFile, execFileSync, type ExecFileException } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { diagnose, lineOf } from '#server/health/checkup.ts'
import { freePort } from '#tests/support/network.ts'
import { useFolder } from '#tests/support/folder.ts'
import { makeWorld, onDatabase, superuser } from '#tests/support/sick/environment-world.ts'
import { SICK_ENVIRONMENTS } from '#tests/support/sick/environment.ts'
import { saysAnywhere } from '#tests/support/sick/said.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'

/** Longer than a start on a busy machine. */
const WAIT_MS = 90_000

type Environment = Record<string, string>

const folder = useFolder()
const world = makeWorld(folder)

afterAll(async () => {
  for (const cleanUp of world.cleanUps.reverse()) await cleanUp()
})

const environmentWith = async (given: Environment): Promise<NodeJS.ProcessEnv> => ({
  ...process.env,
  DATABASE_URL: '',
  DATA_DIR: join(folder, 'unused'),
  PORT: String(await freePort()),
  LOG_LEVEL: 'error',
  ...given,
})

/** A program of the portal in that environment, to its end. */
async function run(
  program: readonly string[],
  environment: Environment,
): Promise<{ code: number; text: string }> {
  const env = await environmentWith(environment)
  return new Promise((resolve) => {
    const ended = (error: ExecFileException | null, output: string, errors: string) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), text: output + errors })
    execFile(process.execPath, [...program], { env, timeout: WAIT_MS }, ended)
  })
}
const doctor = (environment: Environment) => run(['src/server/cli/cli.ts', 'doctor'], environment)

/** What doctor reports; as a process, which takes a second of CPU time, only where the environment reaches into the program. */
async function examined(environment: Environment): Promise<string> {
  if ('NODE_OPTIONS' in environment) return (await doctor(environment)).text
  return (await diagnose(await environmentWith(environment))).map(lineOf).join('\n')
}

describe(
  'what stops a start is one sentence with what to do, and doctor reports it before',
  { timeout: 3 * WAIT_MS },
  () => {
    test.for(everyNth(Object.entries(SICK_ENVIRONMENTS), 7))(
      '%s',
      async ([, { environment, name, sentence }]) => {
        const given = await environment(world)
        const said = saysAnywhere(sentence)
        const text = await examined(given)
        const line = text.split('\n').find((one) => one.startsWith('error') && said.test(one)) ?? ''
        expect(line, text).toMatch(new RegExp(`^error +${name} `))
        expect(text).not.toMatch(/^ +at |ngan-qua/m)

        const started = await run(['src/server/start.js'], given)
        expect(started.code, started.text).toBe(1)
        expect(started.text).toMatch(/^Cổng Ninja cannot start: /m)
        expect(started.text).toMatch(said)
        expect(started.text).not.toMatch(/^ +at |ngan-qua/m)
      },
    )
  },
)

/** The program's folder, in which the folder of the built site is empty and cannot be written; null without root. */
function withoutBuild(): string | null {
  const place = join(folder, 'program')
  try {
    execFileSync('mkdir', ['-p', place, 'dist'])
    execFileSync('mount', ['--bind', process.cwd(), place], { stdio: 'ignore' })
    world.cleanUps.push(() => void execFileSync('umount', ['-l', place]))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,ro', 'tmpfs', join(place, 'dist')], {
      stdio: 'ignore',
    })
    world.cleanUps.push(() => void execFileSync('umount', ['-l', join(place, 'dist')]))
    return place
  } catch {
    return null
  }
}

test(
  'a program without its built site in a folder that cannot be written does not start',
  { timeout: WAIT_MS },
  async (context) => {
    const program = withoutBuild()
    if (program === null) return context.skip('this user may not mount')
    const { code, text } = await run([join(program, 'scripts/start.js')], {
      DATA_DIR: join(folder, 'unused'),
    })
    expect(code, text).toBe(1)
    expect(text).toMatch(
      /^\S+dist cannot be written \(EROFS\), and holds no site of this version: run `npm run build` in \S+ as a user who may write there, then start again$/m,
    )
    expect(text).toMatch(/^Cổng Ninja cannot start: the site could not be built$/m)
    expect(text).not.toMatch(/^ +at /m)
    if (!hasAllCases) return
    // As units and the image start it: nothing is built then.
    const started = await run([join(program, 'src/server/start.js'), '--web'], {
      DATA_DIR: join(folder, 'without-build'),
    })
    expect(started.text).toMatch(
      /^Cổng Ninja cannot start: the site has not been built, or cannot be read by this user: run `npm run build` in \S+ as /m,
    )
    expect(started.text).not.toMatch(/^ +at /m)
  },
)

describe('doctor changes nothing', { timeout: WAIT_MS }, () => {
  test('where everything is ready for a first start, and reports it', async () => {
    const { role, database } = await world.aRole('CREATEROLE')
    // Other files of the tests make roles on this server meanwhile: only those that this role made
    // count. PostgreSQL 16 and later make the creator of a role a member of it.
    const roles = () =>
      superuser(`SELECT roleid::regrole AS name FROM pg_auth_members WHERE member = '${role}'::regrole`)
    const before = await roles()
    const { code, text } = await doctor({ ...onDatabase(role, database), DATA_DIR: join(folder, 'not-made') })
    expect(text).toMatch(/^ok +schema +\d+ migrations are missing: the next start applies them$/m)
    expect(text).toMatch(/^ok +rights /m)
    expect(text).toMatch(/^ok +clock /m)
    expect(code, text).toBe(0)
    expect(await roles()).toEqual(before)
    const tables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
    expect(await superuser(tables, database)).toEqual([])
    expect(await readdir(folder)).not.toContain('not-made')
  })

  test('nor makes the embedded database', async () => {
    const text = await examined({ DATA_DIR: join(folder, 'nothing-yet') })
    expect(text).toMatch(/^ok +database +the embedded one in \S+ is made by the first start$/m)
    expect(text).toMatch(/^ok +data +\S+ is made by the first start$/m)
    expect(text).not.toMatch(/^error/m)
    expect(await readdir(folder)).not.toContain('nothing-yet')
  })
})
