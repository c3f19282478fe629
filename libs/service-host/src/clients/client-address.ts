import { isIP, isIPv6, SocketAddress } from 'node:net';

/** Address with a port, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** Normalises an address: shortest form, IPv4-mapped IPv6 as IPv4; undefined for anything else. */
function canonical(text: string): string | undefined {
  if (isIP(text) === 0) return undefined;
  if (!isIPv6(text)) return text;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

function addressIn(entry: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(entry) ?? [];
  return canonical(bracketed ?? dotted ?? entry);
}

/**
 * Reads the client's address. Only the last `trustedHops` entries of `x-forwarded-for` count: the client may have written
 * the others. Undefined when they lack it, since the connection's address is that of a proxy.
 */
export function clientIpOf(
  remoteAddress: string,
  forwardedFor: string | string[] | undefined,
  trustedHops: number,
): string | undefined {
  if (trustedHops === 0) return canonical(remoteAddress);
  const entries = [forwardedFor ?? []].flat().join(',').split(',');
  return addressIn(entries.at(-trustedHops)?.trim() ?? '');
}

interface Request {
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Reads the client's address of a request. */
export const clientIpOfRequest = (
  { socket, headers }: Request,
  trustedHops: number,
): string | undefined =>
  clientIpOf(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedHops);

/** Rate-limit groups of a request: the client's address blocks, or those of the connection without it. */
export const addressBlocksOfRequest = (request: Request, trustedHops: number): AddressBlock[] =>
  addressBlocks(
    clientIpOfRequest(request, trustedHops) ?? canonical(request.socket.remoteAddress ?? '') ?? '',
  );

/** Widest address block of a request's client: what one visitor can have of quotas. */
export const visitorBlockOfRequest = (request: Request, trustedHops: number): string =>
  addressBlocksOfRequest(request, trustedHops).at(-1)?.name ?? '';

/** Addresses that may belong to one client. */
export interface AddressBlock {
  name: string;
  /** Number of clients whose limits together the block may have, where its own is not smaller. */
  clients: number;
}

/** A customer of an access provider gets a /64 or, by request, up to a /48 with 65,536 of them. */
const IPV6_BLOCKS = [
  { bits: 64, clients: 1 },
  { bits: 48, clients: 16 },
];

/** Address blocks of one client: an IPv4 address, or the /64 and the /48 of an IPv6 address. */
export function addressBlocks(address: string): AddressBlock[] {
  if (!address.includes(':')) return [{ name: address, clients: 1 }];
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(0, IPV6_GROUPS - left.length - right.length);
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return IPV6_BLOCKS.map(({ bits, clients }) => {
    const network = groups
      .slice(0, bits / GROUP_BITS)
      .map((group) => group.replace(/^0+(?=.)/, ''));
    return { name: `${network.join(':')}::/${bits}`, clients };
  });
}

const IPV6_GROUPS = 8;
const GROUP_BITS = 16;
const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
