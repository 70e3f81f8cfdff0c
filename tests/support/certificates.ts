import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type CertificatePair = { key: string; cert: string; keyFile: string; file: string }

/** A certificate that signed itself; `days` below 0: it ended so many days ago. */
export function makeCertificate(folder: string, name: string, days: number): CertificatePair {
  const place = (end: string) => join(folder, `${name}${days}.${end}`)
  const run = (text: string) => execFileSync('openssl', text.split(' '), { stdio: 'ignore' })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  run(
    `req -new ${newKey} -subj /CN=${name} -addext subjectAltName=DNS:${name} -keyout ${place('key')} -out ${place('csr')}`,
  )
  run(
    `x509 -req -copy_extensions copyall -in ${place('csr')} -signkey ${place('key')} -days ${days} -out ${place('crt')}`,
  )
  const [keyFile, file] = [place('key'), place('crt')]
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8'), keyFile, file }
}
