import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compileJava, findJava } from './java.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'java-'))
})
afterEach(() => rm(dir, { recursive: true }))

async function aProgram(name: string, script = ''): Promise<string> {
  const path = join(dir, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

test('the Java of JAVA_HOME is taken before that on PATH, with the driver that is named', async () => {
  const java = await aProgram('home/bin/java')
  const javac = await aProgram('home/bin/javac')
  for (const name of ['path/java', 'path/javac']) await aProgram(name)
  const driver = await aProgram('driver.jar')
  const env = { JAVA_HOME: join(dir, 'home'), PATH: join(dir, 'path'), MARIADB_JDBC: driver }
  expect(await findJava(env)).toEqual({ java, javac, driver })
  expect(await findJava({ ...env, JAVA_HOME: undefined })).toMatchObject({ java: join(dir, 'path/java') })
})

test('files that do not compile are reported with what the compiler says', async () => {
  const javac = await aProgram('javac', 'echo "error: class expected" >&2; exit 1')
  const source = await aProgram('Broken.java')
  await expect(compileJava({ java: '', javac, driver: '' }, [source])).rejects.toThrow(
    'error: class expected',
  )
})
