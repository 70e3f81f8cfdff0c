/**
 * The address by TCP on this machine, at the port of a proxy or another server where one is given: the addresses of the embedded
 * PostgreSQL name its socket.
 */
export function byTcp(to: string, port: number | string = new URL(to).port): string {
  return Object.assign(new URL(to), { hostname: '127.0.0.1', port: String(port) }).href
}
