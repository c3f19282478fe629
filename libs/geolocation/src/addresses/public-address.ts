import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All of IPv6 that is global unicast. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Inside of it, but not of the internet: protocols (Teredo, benchmarks) and documentation (RFC 2928, RFC 9637). */
const RESERVED_V6 = ['2001::/23', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range));

export interface PublicAddress {
  family: 4 | 6;
  text: string;
}

/** Of the internet: IPv4, also when written as IPv6 (`::ffff:…`), or IPv6. Null for private, reserved and malformed ones. */
export function publicAddress(text: string): PublicAddress | null {
  if (isIP(text) === 0) return null;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return null;
  if (address instanceof ipaddr.IPv4) return { family: 4, text: address.toString() };
  const isGlobal =
    address instanceof ipaddr.IPv6 &&
    address.match(GLOBAL_UNICAST_V6) &&
    !RESERVED_V6.some((range) => address.match(range));
  return isGlobal ? { family: 6, text: address.toString() } : null;
}
