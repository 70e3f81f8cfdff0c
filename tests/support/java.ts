import { access, constants, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { delimiter, join, resolve } from 'node:path'
import { installFromDebian, runProgram } from './debian.ts'

const COMPILE_TIMEOUT_MS = 3 * 60_000
/** Where Debian's package libmariadb-java has it. */
const DRIVERS = ['/usr/share/java/mariadb-java-client.jar']

export type Java = {
  java: string
  javac: string
  /** The JDBC driver of MariaDB, a JAR file. */
  driver: string
}

type Environment = Record<string, string | undefined>

/**
 * A Java with compiler and JDBC driver: those that are installed (JAVA_HOME, PATH; MARIADB_JDBC names another driver), else
 * those of Debian, installed by us. Throws with the reasons.
 */
export async function findJava(env: Environment = process.env): Promise<Java> {
  const before = await installed(env)
  if (typeof before !== 'string') return before
  try {
    await installFromDebian(['default-jdk-headless', 'libmariadb-java'], 'Java with a driver for MariaDB')
  } catch (error) {
    throw new Error(`${before}; ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  const after = await installed(env)
  if (typeof after === 'string') throw new Error(after)
  return after
}

/** What is missing, when something is. */
async function installed({ PATH = '', JAVA_HOME, MARIADB_JDBC }: Environment): Promise<Java | string> {
  const home = JAVA_HOME === undefined ? [] : [join(JAVA_HOME, 'bin')]
  const folders = [...home, ...PATH.split(delimiter).filter(Boolean)]
  const inFolders = (name: string) => folders.map((folder) => join(folder, name))
  const java = await first(inFolders('java'), constants.X_OK)
  const javac = await first(inFolders('javac'), constants.X_OK)
  const driver = await first(MARIADB_JDBC === undefined ? DRIVERS : [MARIADB_JDBC], constants.R_OK)
  if (java !== null && javac !== null && driver !== null) return { java, javac, driver }
  return Object.entries({ java, javac, 'the JDBC driver of MariaDB': driver })
    .flatMap(([name, found]) => (found === null ? [`${name} is not installed`] : []))
    .join(', ')
}

async function first(paths: readonly string[], mode: number): Promise<string | null> {
  for (const path of paths) {
    const isThere = await access(path, mode).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}

/** Compiles the files as Java 8, once for each of their versions; the folder of the classes. */
export async function compileJava({ javac }: Java, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(file))
  const cache = resolve('.cache/java')
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  const isCompiled = await access(folder).then(
    () => true,
    () => false,
  )
  if (isCompiled) return folder
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, 'compiling-'))
  // Warnings are errors, but for the one that Java 8 is old.
  const options = ['--release', '8', '-encoding', 'UTF-8', '-Xlint:all', '-Xlint:-options', '-Werror']
  try {
    const limits = { timeout: COMPILE_TIMEOUT_MS, env: process.env }
    await runProgram(javac, [...options, '-d', fresh, ...files], limits)
    // Another worker may have been quicker.
    await rename(fresh, folder).catch(() => {})
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return folder
}
