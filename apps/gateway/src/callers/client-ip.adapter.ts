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

/** Rate-limit group of a request: the client's address block, or that of the connection without it. */
export const addressBlockOfRequest = (request: Request, trustedHops: number): string =>
  addressBlock(
    clientIpOfRequest(request, trustedHops) ?? canonical(request.socket.remoteAddress ?? '') ?? '',
  );

/** Address block of one client: an IPv4 address, or the /64 of an IPv6 address. */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(0, IPV6_GROUPS - left.length - right.length);
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  const network = groups.slice(0, IPV6_GROUPS / 2).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

const IPV6_GROUPS = 8;
const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
