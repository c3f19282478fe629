import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { LookupFunction } from 'node:net';
import { isLoopbackHost } from '../webhooks/webhook-url.js';

type Range = readonly [network: string, prefix: number];

/** Everything that is not globally reachable: IANA's special-purpose registry, multicast and reserved space. */
const NOT_PUBLIC_V4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Only global unicast is public, less what tunnels to IPv4 or is set aside for protocols and documentation. */
const GLOBAL_UNICAST_V6: Range = ['2000::', 3];
const NOT_PUBLIC_V6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const blockList = (family: 'ipv4' | 'ipv6', ranges: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
};
const notPublicV4 = blockList('ipv4', NOT_PUBLIC_V4);
const globalUnicastV6 = blockList('ipv6', [GLOBAL_UNICAST_V6]);
const notPublicV6 = blockList('ipv6', NOT_PUBLIC_V6);
const loopbackV4 = blockList('ipv4', [['127.0.0.0', 8]]);

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4');
  return globalUnicastV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
}

const isLoopbackAddress = (address: string): boolean =>
  isIPv4(address) ? loopbackV4.check(address, 'ipv4') : address === '::1';

/** The destination is an address that nothing may be sent to. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'ForbiddenAddressError';
  }
}

export type Resolve = (host: string) => Promise<LookupAddress[]>;

const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/** Where deliveries may go, asked when a webhook is registered and again by every socket that is opened. */
export class DestinationPolicy {
  constructor(
    private readonly allowLoopback: boolean,
    private readonly resolve: Resolve = resolveBySystem,
  ) {}

  /** The addresses of a host; all of them have to be permitted. @throws ForbiddenAddressError, or that of the look-up */
  async addressesOf(host: string): Promise<LookupAddress[]> {
    const literal = literalOf(host);
    if (literal !== null) {
      this.checkLiteral(host);
      return [literal];
    }
    const addresses = await this.resolve(host);
    if (addresses.length === 0 || !addresses.every(({ address }) => this.permits(host, address))) {
      throw new ForbiddenAddressError(host);
    }
    return addresses;
  }

  /** A socket connects to a literal address without a look-up. @throws ForbiddenAddressError */
  checkLiteral(host: string): void {
    const literal = literalOf(host);
    if (literal !== null && !this.permits(host, literal.address))
      throw new ForbiddenAddressError(host);
  }

  /** For the socket itself, which connects to the very addresses that were checked. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.addressesOf(host).then(
      (addresses) => {
        const wanted = addresses.filter(
          ({ family }) => !options.family || family === options.family,
        );
        const [first] = wanted;
        if (options.all) callback(null, wanted);
        else if (first !== undefined) callback(null, first.address, first.family);
        else callback(new Error(`${host} has no address of the wanted family`), '', 0);
      },
      (error: unknown) => {
        callback(
          error instanceof Error ? error : new Error('look-up failed', { cause: error }),
          '',
          0,
        );
      },
    );
  };

  private permits(host: string, address: string): boolean {
    if (isPublicAddress(address)) return true;
    return this.allowLoopback && isLoopbackHost(host) && isLoopbackAddress(address);
  }
}

/** A host of a URL that is an address: there, IPv6 stands in brackets. */
function literalOf(host: string): LookupAddress | null {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? null : { address, family };
}
