import type { Address } from 'viem';

const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * Parses one address per line; `#` begins a comment.
 * @throws Error with the line of the first malformed address
 */
export function parseAddressList(text: string): ReadonlySet<Address> {
  const addresses = new Set<Address>();
  text.split(/\r?\n/).forEach((line, index) => {
    const entry = line
      .replace(/^\uFEFF/, '')
      .replace(/#.*$/, '')
      .trim()
      .toLowerCase();
    if (entry === '') return;
    if (!ADDRESS.test(entry)) throw new Error(`line ${index + 1}: expected an address`);
    addresses.add(entry as Address);
  });
  return addresses;
}
