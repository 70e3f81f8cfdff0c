import { expect, test } from 'vitest'
import { hostsOf, joinHosts, namesOfHosts } from './writable-client.ts'

const SEVERAL = 'postgres://portal:p%2Fw@db1:5433,db2,[::1]:6000/portal?target_session_attrs=read-write'

test('several hosts stand in an address that URL can read', () => {
  const url = joinHosts(SEVERAL) as string
  expect(hostsOf(url)).toEqual([
    { host: 'db1', port: 5433 },
    { host: 'db2', port: 5432 },
    { host: '::1', port: 6000 },
  ])
  const { username, password, host, pathname } = new URL(url)
  expect([username, password, host, pathname]).toEqual(['portal', 'p%2Fw', 'db1:5433', '/portal'])
  expect(namesOfHosts(url)).toBe('db1:5433 or db2 or [::1]:6000')
})

test('one host is left as it is, and looked at only when it has to take writes', () => {
  const url = 'postgres://portal@db1/portal'
  expect(joinHosts(url)).toBe(url)
  expect(hostsOf(url)).toEqual([])
  expect(hostsOf(`${url}?target_session_attrs=read-write`)).toEqual([{ host: 'db1', port: 5432 }])
})

test.each(['postgres://p@db1,,db2/portal', 'postgres://p@db1:0,db2/portal', 'postgres://p@db1,db2:x/portal'])(
  '%s is no address',
  (text) => expect(joinHosts(text)).toBeNull(),
)
