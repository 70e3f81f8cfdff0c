import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { z } from 'zod'
import { readIfThere, replaceFile } from '../process/data-dir.ts'
import { SetupProblem } from '../values/errors.ts'

const credentialsSchema = z.object({
  port: z.int().min(1024).max(65_535),
  password: z.string().min(20),
})

export type Credentials = z.infer<typeof credentialsSchema>

// Below the range of ports that systems give to outgoing connections, so that none of those takes ours by chance.
const FIRST_PORT = 20_000
const PORT_COUNT = 10_000
const PORT_ATTEMPTS = 50

export async function readCredentials(file: string): Promise<Credentials | null> {
  const text = await readIfThere(file)
  if (text === null) return null
  try {
    return credentialsSchema.parse(JSON.parse(text))
  } catch {
    // The cause is left out on purpose: a parser may quote the text, and the text holds a password.
    throw new SetupProblem(`${file} is damaged: restore it from a backup together with the folder postgres`)
  }
}

export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`)
}

export async function makeCredentials(): Promise<Credentials> {
  return { port: await chooseFreePort(), password: randomBytes(24).toString('base64url') }
}

export async function chooseFreePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = FIRST_PORT + (randomBytes(2).readUInt16BE() % PORT_COUNT)
    if (await isPortFree(port)) return port
  }
  throw new SetupProblem(
    `no TCP port is free on 127.0.0.1 (${PORT_ATTEMPTS} were tried between ${FIRST_PORT} and ${FIRST_PORT + PORT_COUNT - 1}): end programs that hold them`,
  )
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false)
      else reject(error)
    })
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
