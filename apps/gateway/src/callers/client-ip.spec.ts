import { describe, expect, it } from '@jest/globals';
import { addressBlock, addressBlockOfRequest, clientIpOf } from './client-ip.adapter.js';

describe('clientIpOf', () => {
  it.each<[string, string | undefined, number, string]>([
    ['203.0.113.9', undefined, 0, '203.0.113.9'],
    ['::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
    ['::ffff:cb00:7109', undefined, 0, '203.0.113.9'],
    ['2001:db8::1', undefined, 0, '2001:db8::1'],
    ['fe80::1%eth0', undefined, 0, 'fe80::1'],
    ['10.0.0.1', '198.51.100.7', 1, '198.51.100.7'],
    ['10.0.0.1', '198.51.100.7, 10.0.0.2', 2, '198.51.100.7'],
    ['10.0.0.1', '2001:db8::7', 1, '2001:db8::7'],
    ['10.0.0.1', '198.51.100.7:51234', 1, '198.51.100.7'],
    ['10.0.0.1', '[2001:db8::7]:51234', 1, '2001:db8::7'],
    ['10.0.0.1', '[2001:db8::7]', 1, '2001:db8::7'],
    ['10.0.0.1', '::FFFF:198.51.100.7', 1, '198.51.100.7'],
    ['10.0.0.1', '::ffff:c633:6407', 1, '198.51.100.7'],
    ['10.0.0.1', '[0:0:0:0:0:FFFF:C633:6407]:443', 1, '198.51.100.7'],
    ['10.0.0.1', '2001:0DB8:0::7', 1, '2001:db8::7'],
  ])(
    'resolves %s with x-forwarded-for %p and %d hops to %s',
    (remote, forwarded, hops, expected) => {
      expect(clientIpOf(remote, forwarded, hops)).toBe(expected);
    },
  );

  it('ignores entries written by the client', () => {
    expect(clientIpOf('203.0.113.9', '1.2.3.4', 0)).toBe('203.0.113.9');
    expect(clientIpOf('10.0.0.1', '1.2.3.4, 198.51.100.7', 1)).toBe('198.51.100.7');
  });

  it.each<[string | undefined, number]>([
    [undefined, 1],
    ['', 1],
    ['198.51.100.7', 2],
    ['unknown', 1],
    ['198.51.100.7, unknown', 1],
    ['198.51.100.7.5', 1],
    ['999.1.1.1', 1],
    ['999.1.1.1:443', 1],
    ['[198.51.100.7', 1],
    ['2001:db8::7::1', 1],
    ['_hidden', 1],
  ])('does not mistake a proxy for the client: x-forwarded-for %p, %d hops', (forwarded, hops) => {
    expect(clientIpOf('203.0.113.1', forwarded, hops)).toBeUndefined();
  });

  it('is undefined for a closed connection', () => {
    expect(clientIpOf('', undefined, 0)).toBeUndefined();
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
  ])('maps %s to %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});

describe('addressBlockOfRequest', () => {
  const blockOf = (remoteAddress: string | undefined, forwarded: string | undefined) =>
    addressBlockOfRequest(
      { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } },
      1,
    );

  it('returns the block of the client', () => {
    expect(blockOf('10.0.0.1', '198.51.100.7')).toBe('198.51.100.7');
    expect(blockOf('10.0.0.1', '::ffff:c633:6407')).toBe('198.51.100.7');
    expect(blockOf('10.0.0.1', '2001:db8:1:2:3::4')).toBe('2001:db8:1:2::/64');
  });

  it('falls back to the connection when no proxy sends the client address', () => {
    expect(blockOf('::ffff:10.0.0.1', undefined)).toBe('10.0.0.1');
    expect(blockOf('2001:db8:1:2::9', 'unknown')).toBe('2001:db8:1:2::/64');
    expect(blockOf(undefined, undefined)).toBe('');
  });
});
