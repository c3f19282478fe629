import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast range of IPv6. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Special ranges within it: protocols (Teredo, benchmarks) and documentation (RFC 2928, RFC 9637). */
const RESERVED_V6 = ['2001::/23', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range));

export interface PublicAddress {
  family: 4 | 6;
  text: string;
}

/** Normalises a public address: IPv4, also IPv4-mapped IPv6 (`::ffff:…`), or IPv6. Null for any other. */
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
