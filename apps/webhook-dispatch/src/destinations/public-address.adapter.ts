import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv6 range that IANA assigned as global unicast; the rest is reserved, or stands for an IPv4 address. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Range for protocols (RFC 2928); the library knows its few special ranges. */
const PROTOCOLS_V6 = ipaddr.IPv6.parseCIDR('2001::/23');

/**
 * Returns whether an address is on the public internet: not private, local, shared or reserved, and no IPv6 form of an
 * IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), which may be any of these.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return true;
  return (
    address instanceof ipaddr.IPv6 &&
    address.match(GLOBAL_UNICAST_V6) &&
    !address.match(PROTOCOLS_V6)
  );
}

export function isLoopbackAddress(text: string): boolean {
  return isIP(text) !== 0 && ipaddr.parse(text).range() === 'loopback';
}
