import { describe, expect, it } from '@jest/globals';
import { addressBlocks, addressBlocksOfRequest, clientIpOf } from './client-address.js';

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

const namesOf = (blocks: { name: string }[]) => blocks.map(({ name }) => name);

describe('addressBlocks', () => {
  it.each([
    ['198.51.100.7', ['198.51.100.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:0DB8:0001:2::9', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['2001:db8::', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
  ])('maps %s to %j', (address, blocks) => {
    expect(namesOf(addressBlocks(address))).toEqual(blocks);
  });
});

describe('addressBlocksOfRequest', () => {
  const blocksOf = (remoteAddress: string | undefined, forwarded: string | undefined) =>
    namesOf(
      addressBlocksOfRequest(
        { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } },
        1,
      ),
    );

  it('returns the blocks of the client', () => {
    expect(blocksOf('10.0.0.1', '198.51.100.7')).toEqual(['198.51.100.7']);
    expect(blocksOf('10.0.0.1', '::ffff:c633:6407')).toEqual(['198.51.100.7']);
    expect(blocksOf('10.0.0.1', '2001:db8:1:2:3::4')).toContain('2001:db8:1:2::/64');
  });

  it('falls back to the connection when no proxy sends the client address', () => {
    expect(blocksOf('::ffff:10.0.0.1', undefined)).toEqual(['10.0.0.1']);
    expect(blocksOf('2001:db8:1:2::9', 'unknown')).toContain('2001:db8:1:2::/64');
    expect(blocksOf(undefined, undefined)).toEqual(['']);
  });
});
