import { execFile } from 'node:child_process'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cruise, MODULES_MIN } from '#scripts/boundaries.ts'
import { copyCheckout, root } from './checkout-copy.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

let copy: Awaited<ReturnType<typeof copyCheckout>>

beforeAll(async () => {
  copy = await copyCheckout()
})
afterAll(() => copy.remove())

const plant = (file: string, text: string) => writeFile(join(copy.folder, file), text)

/** Runs one tool of `npm run check` in the copy and returns its exit code and output. */
function runTool(tool: string, toolArguments: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const file = join(root, 'node_modules', tool === 'tsc' ? 'typescript-7/bin/tsc' : `.bin/${tool}`)
    execFile(process.execPath, [file, ...toolArguments], { cwd: copy.folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })
}

describe('npm run check fails', () => {
  test.runIf(hasAllCases)('on forbidden imports, each by its own rule', async () => {
    const planted: [file: string, imported: string, rule: string][] = [
      ['src/contract/planted.ts', '../server/config/config.ts', 'contract-is-a-leaf'],
      ['src/ui/planted.ts', '#contract/fields.ts', 'ui-is-a-leaf'],
      ['src/server/platform/planted.ts', '#server/modules/wallet/index.ts', 'platform-knows-no-module'],
      ['src/server/platform/db/planted.ts', '../http/server.ts', 'platform-order:db'],
      ['src/server/platform/log/planted.ts', '../db/database.ts', 'platform-order:log'],
      ['src/server/platform/stray/planted.ts', '../values/errors.ts', 'platform-order:unlisted'],
      ['src/server/domain/planted.ts', '#server/modules/wallet/index.ts', 'domain-knows-no-module'],
      [
        'src/server/modules/posts/planted.ts',
        '#server/modules/audit/audit.queries.ts',
        'module-door-is-index',
      ],
      ['src/server/modules/statements/index.ts', './statements.queries.ts', 'module-doors-export-no-queries'],
      ['src/server/modules/wallet/planted.ts', '#server/modules/accounts/index.ts', 'module-map:wallet'],
      ['src/server/modules/stray/planted.ts', '#contract/fields.ts', 'module-map:unlisted'],
      ['src/server/modules/purchases/planted.ts', '#server/config/config.ts', 'module-knows-no-process'],
      ['src/server/modules/posts/planted.routes.ts', './posts.queries.ts', 'sql-behind-service'],
      ['src/server/modules/purchases/planted.rules.ts', 'node:fs', 'rules-are-pure'],
      ['src/web/planted.ts', '#server/platform/values/errors.ts', 'browser-never-imports-server'],
      ['src/server/planted.ts', '#client/call.ts', 'server-never-imports-browser'],
      ['src/web/planted-operator.ts', '#contract/operator/roles.ts', 'player-never-sees-operator-contract'],
      [
        'src/web/features/posts/planted.ts',
        '#web/features/sessions/login-modal.tsx',
        'features-never-import-features',
      ],
      ['src/web/planted-ground.ts', '#web/parts/time/use-now.ts', 'site-ground-never-imports-upwards'],
      ['src/web/parts/time/planted.ts', '#web/features/posts/post-list.tsx', 'parts-never-import-upwards'],
      ['src/web/parts/time/planted-frame.ts', '#web/shell/shell.tsx', 'parts-never-import-upwards'],
      ['src/web/features/posts/planted-frame.ts', '#web/shell/shell.tsx', 'features-never-import-the-frame'],
      ['src/admin/features/posts/planted.ts', '#ui/dialog.tsx', 'console-dialogs-are-of-the-kit'],
      ['src/web/shell/planted.ts', '#web/routes.ts', 'the-frame-never-imports-routes'],
      [
        'src/web/shell/planted-feature.ts',
        '#web/features/posts/post-list.tsx',
        'features-are-loaded-when-wanted',
      ],
      [
        'src/game-server/planted.ts',
        '#server/platform/values/errors.ts',
        'game-server-knows-the-contract-only',
      ],
      [
        'src/game-adapter/planted.ts',
        '#server/platform/values/errors.ts',
        'game-adapter-knows-the-contract-only',
      ],
      ['src/server/planted-game.ts', '#game-server/world.ts', 'nobody-imports-the-game-server'],
      ['src/server/planted-test.ts', '#tests/support/chromium.ts', 'no-production-import-of-tests'],
      ['src/server/planted-missing.ts', './nowhere.ts', 'not-to-unresolvable'],
    ]
    for (const [file, imported] of planted) {
      await mkdir(join(copy.folder, file, '..'), { recursive: true })
      await plant(file, `import * as planted from '${imported}'\n\nexport { planted }\n`)
    }

    const { modules, violations } = await cruise(copy.folder)

    expect(modules).toBeGreaterThan(MODULES_MIN)
    for (const [file, , rule] of planted) {
      expect(violations).toContainEqual(expect.stringContaining(`${rule}: ${file} `))
    }
  })

  test.runIf(hasAllCases)('on a file without imports', async () => {
    await plant('src/server/platform/values/nobody.ts', `export const nobody = 1\n`)
    const { code, output } = await runTool('knip', [])
    expect(output).toContain('src/server/platform/values/nobody.ts')
    expect(code).not.toBe(0)
  })

  test.runIf(hasAllCases)('on an export that only a test uses', async () => {
    await appendFile(join(copy.folder, 'src/contract/fields.ts'), `\nexport const forTests = 1\n`)
    await plant(
      'src/contract/planted.test.ts',
      `import { forTests } from './fields.ts'\n\nconsole.log(forTests)\n`,
    )
    expect((await runTool('knip', ['--include', 'exports'])).output).not.toContain('forTests')
    const { code, output } = await runTool('knip', ['--production'])
    expect(output).toMatch(/forTests .*src\/contract\/fields\.ts/)
    expect(code).not.toBe(0)
  })

  test('on a wrong type', async () => {
    const { output: list } = await runTool('tsc', ['--project', '.', '--showConfig'])
    const { files } = JSON.parse(list) as { files: string[] }
    for (const file of [
      'src/contract/fields.ts',
      'src/web/router.tsx',
      'tests/support/app.ts',
      'seeds/players.ts',
    ])
      expect(files).toContain(`./${file}`)
    // One of them by the project's own options, since all of them take half a minute.
    await appendFile(join(copy.folder, 'src/contract/fields.ts'), `\nexport const wrong: number = 'text'\n`)
    const only = { extends: './tsconfig.json', include: ['src/contract/fields.ts'] }
    await plant('tsconfig.planted.json', JSON.stringify(only))
    const { code, output } = await runTool('tsc', [
      '--project',
      'tsconfig.planted.json',
      '--incremental',
      'false',
    ])
    expect(output).toContain('src/contract/fields.ts')
    expect(code).not.toBe(0)
  })

  test('on a misformatted line', async () => {
    const before = await runTool('oxfmt', ['--check', 'src/contract/constants.ts'])
    expect(before.code).toBe(0)
    const file = join(copy.folder, 'src/contract/constants.ts')
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(
        'export const HOME_POST_COUNT = 12',
        'export const HOME_POST_COUNT   =  12;',
      ),
    )
    expect(await readFile(file, 'utf8')).toContain('=  12;')
    const { code } = await runTool('oxfmt', ['--check', 'src/contract/constants.ts'])
    expect(code).not.toBe(0)
  })

  test('on a function that has grown too long', async () => {
    const lines = Array.from({ length: 80 }, (_, line) => `  total += ${line}`)
    await plant(
      'src/contract/long.ts',
      `export function long() {\n  let total = 0\n${lines.join('\n')}\n  return total\n}\n`,
    )
    const { code, output } = await runTool('oxlint', ['src/contract/long.ts'])
    expect(output).toContain('max-lines-per-function')
    expect(code).not.toBe(0)
  })
})

describe('the list of checks', () => {
  test('npm run check and npm test run every tool', async () => {
    const list = await readFile(join(root, 'scripts/static-checks.ts'), 'utf8')
    for (const tool of [
      "'oxfmt', '--check'",
      "'oxlint'",
      "'node_modules/typescript-7/bin/tsc'",
      'scripts/boundaries.ts',
      "'knip']",
      "'knip', '--production'",
    ])
      expect(list).toContain(tool)
    for (const script of ['scripts/check.ts', 'scripts/test.ts']) {
      const text = await readFile(join(root, script), 'utf8')
      for (const step of ['  STATIC_CHECKS,', "'vitest', 'run'"]) expect(text, script).toContain(step)
    }
  })
})
