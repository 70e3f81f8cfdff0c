import { BlockList, isIP } from 'node:net'

const networks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  // Shared by providers, and by networks between machines such as Tailscale's.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  networks.addSubnet(network, bits, 'ipv4')
networks.addAddress('::1', 'ipv6')
networks.addSubnet('fc00::', 7, 'ipv6')
networks.addSubnet('fe80::', 10, 'ipv6')

/** Whether an address is of this machine, a home, an office or a carrier's inner network. */
export const isPrivateAddress = (address: string): boolean =>
  networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
