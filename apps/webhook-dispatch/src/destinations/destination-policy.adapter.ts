import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { hostResolver, type Resolve } from './host-resolver.client.js';
import { isLoopbackAddress, isPublicAddress } from './public-address.adapter.js';
import { isLoopbackHost, isSpecialName } from './webhook-url.js';

/** Timeout of one lookup; two fit well into the timeout of a receiver. */
const RESOLVE_TIMEOUT_MS = 2_000;
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Error of a destination address that must not be called. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'ForbiddenAddressError';
  }
}

/** Permits destinations: checked when a webhook is registered, and again by every socket. */
export class DestinationPolicyAdapter {
  constructor(
    readonly allowLoopback: boolean,
    private readonly resolve: Resolve = hostResolver({ timeoutMs: RESOLVE_TIMEOUT_MS }),
  ) {}

  /**
   * Resolves a host, all of whose addresses have to be permitted.
   *
   * @throws ForbiddenAddressError, or the error of the lookup
   */
  async addressesOf(host: string): Promise<LookupAddress[]> {
    this.checkHost(host);
    const literal = literalOf(host);
    if (literal !== null) return [literal];
    if (this.allowLoopback && isLoopbackHost(host)) return LOOPBACK;
    const addresses = await this.resolve(host);
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
      throw new ForbiddenAddressError(host);
    }
    return addresses;
  }

  /**
   * Checks a host before its lookup; sockets to literal addresses make none.
   *
   * @throws ForbiddenAddressError
   */
  checkHost(host: string): void {
    const literal = literalOf(host);
    const isPermitted =
      literal === null
        ? !isSpecialName(host) || (this.allowLoopback && isLoopbackHost(host))
        : this.permits(host, literal.address);
    if (!isPermitted) throw new ForbiddenAddressError(host);
  }

  /** Returns whether a socket for the host may have this peer. */
  permits(host: string, address: string): boolean {
    if (isPublicAddress(address)) return true;
    return this.allowLoopback && isLoopbackHost(host) && isLoopbackAddress(address);
  }

  /** Lookup function of sockets, which connect to exactly the checked addresses. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.addressesOf(host).then(
      (addresses) => {
        const wanted = addresses.filter(
          ({ family }) => !options.family || family === options.family,
        );
        const [first] = wanted;
        if (options.all) callback(null, wanted);
        else if (first !== undefined) callback(null, first.address, first.family);
        else callback(new Error(`${host} has no address of the requested family`), '', 0);
      },
      (error: unknown) => {
        callback(
          error instanceof Error ? error : new Error('lookup failed', { cause: error }),
          '',
          0,
        );
      },
    );
  };
}

/** Returns the literal address of a URL host, in which IPv6 has brackets. */
function literalOf(host: string): LookupAddress | null {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? null : { address, family };
}
