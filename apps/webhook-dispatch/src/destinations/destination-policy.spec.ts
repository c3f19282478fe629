import { describe, expect, it } from '@jest/globals';
import { DestinationPolicyAdapter, ForbiddenAddressError } from './destination-policy.adapter.js';
import { isPublicAddress } from './public-address.adapter.js';

const resolvesTo = (...addresses: string[]) =>
  Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '2606:4700:4700::1111'])(
    'permits %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:a00:1::',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('DestinationPolicy', () => {
  const policy = new DestinationPolicyAdapter(false, (host) =>
    host === 'good.example'
      ? resolvesTo('1.1.1.1', '2606:4700::1')
      : resolvesTo('1.1.1.1', '10.0.0.1'),
  );

  it('permits a host only when all its addresses are public', async () => {
    expect(await policy.addressesOf('good.example')).toHaveLength(2);
    await expect(policy.addressesOf('mixed.example')).rejects.toThrow(ForbiddenAddressError);
  });

  it('checks literal addresses without a lookup, in any notation', async () => {
    for (const url of ['https://0x7f.1/', 'https://2130706433/', 'https://[::ffff:7f00:1]/']) {
      expect(() => {
        policy.checkHost(new URL(url).hostname);
      }).toThrow(ForbiddenAddressError);
    }
    expect(await policy.addressesOf('1.1.1.1')).toEqual([{ address: '1.1.1.1', family: 4 }]);
  });

  it('returns only checked addresses to a socket', async () => {
    const looked = (host: string) =>
      new Promise((resolve) => {
        policy.lookup(host, { all: true }, (error, addresses) => {
          resolve(error ?? addresses);
        });
      });
    expect(await looked('good.example')).toHaveLength(2);
    expect(await looked('mixed.example')).toBeInstanceOf(ForbiddenAddressError);
  });

  it('permits loopback by its own names only, and only when enabled', async () => {
    const loopback = new DestinationPolicyAdapter(true, () => resolvesTo('127.0.0.1'));
    expect(await loopback.addressesOf('localhost')).toHaveLength(2);
    expect(await loopback.addressesOf('127.0.0.1')).toHaveLength(1);
    await expect(loopback.addressesOf('rebound.example')).rejects.toThrow(ForbiddenAddressError);
    await expect(loopback.addressesOf('10.0.0.1')).rejects.toThrow(ForbiddenAddressError);
    await expect(policy.addressesOf('127.0.0.1')).rejects.toThrow(ForbiddenAddressError);
  });
});
