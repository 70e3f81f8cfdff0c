import { expect, test } from 'vitest'
import { addressFault } from './address-fault.ts'

const SECRET = 'bi-mat'

const CODES = { '@': '%40', '#': '%23', '/': '%2F', '?': '%3F', '%': '%25', '\\': '%5C' }

const faultIn = (protocol: string, password: string) =>
  addressFault(`${protocol}://cong:${password}@db.example:5432/portal`)

test.each(['postgres', 'mysql', 'smtp', 'smtps', 'https'])(
  '%s: each sign that parts addresses is named, and nothing of the password',
  (protocol) => {
    for (const [sign, code] of Object.entries(CODES)) {
      for (const password of [`${SECRET}${sign}x`, `${SECRET}${sign}`])
        expect(faultIn(protocol, password)).toContain(`has ${sign} as it is: write ${code}`)
      for (const password of [`${sign}${SECRET}`, `12${sign}${SECRET}`, `a@${SECRET}${sign}x`]) {
        const fault = faultIn(protocol, password)
        expect([password, fault]).toEqual([
          password,
          expect.stringMatching(/has [@#/?%\\] as it is: write %\w\w/),
        ])
        expect(fault).not.toMatch(/bi|mat|12|cong|db\.example/)
      }
    }
  },
)

test.each([
  'postgres://cong:b%40i%23m%2Fa%3Ft%25@db.example:5432/portal',
  'postgres://cong@/portal?host=/var/run/postgresql',
  'postgres://cong:mat:khau@one:5432,two:5432/portal?target_session_attrs=read-write',
  'postgres://cong:mat@db.example/portal?application_name=a@b&x=1',
  'mysql://cong:mật@127.0.0.1/game?socket=/run/mysqld/mysqld.sock',
  'smtps://a%40example.com:x@mail.example:465',
  'https://game.example/v1?who=a@b',
  'https://game.example/thu-muc/',
  'khong-phai-dia-chi',
  '',
])('an address that means what it says is left alone: %s', (address) => {
  expect(addressFault(address)).toBeNull()
})
