const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:)[\da-f:.]{2,45})$/i;
/** Some proxies write the port, too. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

function addressIn(entry: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(entry) ?? [];
  const address = bracketed ?? dotted ?? entry;
  return ADDRESS.test(address) ? address : undefined;
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * The address of the client. Only as many entries of `x-forwarded-for` count as there are proxies of ours, from the
 * right: what stands left of them is what the client itself wrote.
 */
export function clientIpOf(
  remoteAddress: string,
  forwardedFor: string | string[] | undefined,
  trustedHops: number,
): string {
  if (trustedHops === 0) return plain(remoteAddress);
  const entries = [forwardedFor ?? []].flat().join(',').split(',');
  const entry = entries.at(-trustedHops)?.trim() ?? '';
  return plain(addressIn(entry) ?? remoteAddress);
}

/** The same of a request as it came in. */
export const clientIpOfRequest = (
  request: {
    socket: { remoteAddress?: string | undefined };
    headers: Readonly<Record<string, string | string[] | undefined>>;
  },
  trustedHops: number,
): string =>
  clientIpOf(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for'], trustedHops);

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
