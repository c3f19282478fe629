import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getAddress } from 'viem';
import type { Address } from 'viem';
import { addressProblem } from './address-problems.js';

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const FACTORY = '0xaD052452D067B0FE233613f5D8E6366d5f992a97';
const refused = [{ name: 'factory', address: FACTORY }] as const;
const anAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.slice(0, 18).some((byte) => byte > 0))
  .map((bytes): Address => `0x${Buffer.from(bytes).toString('hex')}`);

describe('addressProblem', () => {
  it('accepts an address in one case or with a valid checksum', () => {
    fc.assert(
      fc.property(anAddress, (address) => {
        expect(addressProblem(address, [])).toBeUndefined();
        expect(addressProblem(`0x${address.slice(2).toUpperCase()}`, [])).toBeUndefined();
        expect(addressProblem(getAddress(address), [])).toBeUndefined();
      }),
    );
  });

  it('accepts an ordinary address', () => {
    expect(addressProblem(OWNER, refused)).toBeUndefined();
    expect(addressProblem(`0x${'0'.repeat(35)}10000`, refused)).toBeUndefined();
  });

  it.each<[Address, string]>([
    [`0x${'0'.repeat(40)}`, 'zero address'],
    [`0x${'0'.repeat(39)}1`, 'precompile'],
    [`0x${'0'.repeat(38)}11`, 'precompile'],
    [`0x${'0'.repeat(37)}100`, 'precompile'],
    [`0x${'0'.repeat(36)}FFFF`, 'precompile'],
    ['0x70997970c51812dc3A010C7d01b50e0d17dc79C8', 'checksum'],
    [FACTORY, 'factory'],
    [FACTORY.toLowerCase() as Address, 'factory'],
  ])('reports the problem of %s', (address, reason) => {
    expect(addressProblem(address, refused)).toContain(reason);
  });
});
