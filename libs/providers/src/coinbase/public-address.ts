import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

const versionOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

function blockList(): BlockList {
  const list = new BlockList();
  NOT_PUBLIC.forEach(([network, prefix]) => list.addSubnet(network, prefix, versionOf(network)));
  return list;
}

const blocked = blockList();

/** Whether an IP address may be a customer's: Coinbase refuses private ones. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !blocked.check(address, versionOf(address));
