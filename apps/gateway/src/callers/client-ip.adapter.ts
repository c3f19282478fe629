import { isIP, isIPv6, SocketAddress } from 'node:net';

/** Some proxies write the port, too. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** In its shortest form, and as IPv4 where it is that written as IPv6; undefined when it is no address. */
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
 * The address of the client. Only as many entries of `x-forwarded-for` count as there are proxies of ours, from the
 * right: what stands left of them is what the client itself wrote. Undefined where they do not say it: the connection's
 * address would then be that of a proxy, and the customer would be where it is.
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

/** The same of a request as it came in. */
export const clientIpOfRequest = (
  { socket, headers }: Request,
  trustedHops: number,
): string | undefined =>
  clientIpOf(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedHops);

/** Whose requests are counted together: the client's, or those of a connection where nobody says who the client is. */
export const addressBlockOfRequest = (request: Request, trustedHops: number): string =>
  addressBlock(
    clientIpOfRequest(request, trustedHops) ?? canonical(request.socket.remoteAddress ?? '') ?? '',
  );

/** What one client can be assumed to own: an IPv4 address, or the /64 of an IPv6 address. */
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
