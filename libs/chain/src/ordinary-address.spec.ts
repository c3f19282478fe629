import { describe, expect, it } from '@jest/globals';
import { ordinaryAddressProblem } from './ordinary-address.js';

const CHECKSUMMED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('an address', () => {
  it.each([
    ['has its checksum', CHECKSUMMED],
    ['is lower case', CHECKSUMMED.toLowerCase()],
    ['is upper case', `0x${CHECKSUMMED.slice(2).toUpperCase()}`],
    ['is the first that is not reserved', `0x${'0'.repeat(35)}10000`],
  ])('can receive payments when it %s', (_how, address) => {
    expect(ordinaryAddressProblem(address)).toBeNull();
  });

  it.each([
    ['with a broken checksum', '0x70997970c51812dc3A010C7d01b50e0d17dc79C8', 'checksum'],
    ['of a precompile', `0x${'0'.repeat(39)}1`, 'precompile'],
    ['that is reserved', `0x${'0'.repeat(36)}ffff`, 'precompile'],
    ['zero', `0x${'0'.repeat(40)}`, 'zero'],
  ])('cannot receive payments: %s', (_what, address, reason) => {
    expect(ordinaryAddressProblem(address)).toContain(reason);
  });
});
