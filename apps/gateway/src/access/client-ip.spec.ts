import { describe, expect, it } from '@jest/globals';
import { addressBlock, clientIpOf } from './client-ip.js';

describe('clientIpOf', () => {
  it.each<[string, string | undefined, number, string]>([
    ['203.0.113.9', undefined, 0, '203.0.113.9'],
    ['::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
    ['2001:db8::1', undefined, 0, '2001:db8::1'],
    ['10.0.0.1', '198.51.100.7', 1, '198.51.100.7'],
    ['10.0.0.1', '198.51.100.7, 10.0.0.2', 2, '198.51.100.7'],
    ['10.0.0.1', '2001:db8::7', 1, '2001:db8::7'],
    ['10.0.0.1', '198.51.100.7:51234', 1, '198.51.100.7'],
    ['10.0.0.1', '[2001:db8::7]:51234', 1, '2001:db8::7'],
    ['10.0.0.1', '[2001:db8::7]', 1, '2001:db8::7'],
  ])('%s with x-forwarded-for %p and %d hops is %s', (remote, forwarded, hops, expected) => {
    expect(clientIpOf(remote, forwarded, hops)).toBe(expected);
  });

  it('does not believe what the client wrote', () => {
    expect(clientIpOf('203.0.113.9', '1.2.3.4', 0)).toBe('203.0.113.9');
    expect(clientIpOf('10.0.0.1', '1.2.3.4, 198.51.100.7', 1)).toBe('198.51.100.7');
  });

  it('falls back to the connection where the header is not what a proxy writes', () => {
    expect(clientIpOf('10.0.0.1', undefined, 1)).toBe('10.0.0.1');
    expect(clientIpOf('10.0.0.1', '1.2.3.4', 2)).toBe('10.0.0.1');
    expect(clientIpOf('10.0.0.1', 'unknown', 1)).toBe('10.0.0.1');
    expect(clientIpOf('10.0.0.1', '1.2.3.4.5', 1)).toBe('10.0.0.1');
    expect(clientIpOf('10.0.0.1', '[1.2.3.4', 1)).toBe('10.0.0.1');
  });
});

describe('addressBlock', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});
