import { describe, expect, it } from '@jest/globals';
import { publicAddress } from './public-address.js';

describe('publicAddress', () => {
  it.each([
    ['8.8.8.8', 4, '8.8.8.8'],
    ['::ffff:8.8.8.8', 4, '8.8.8.8'],
    ['::FFFF:0808:0808', 4, '8.8.8.8'],
    ['0:0:0:0:0:ffff:8.8.8.8', 4, '8.8.8.8'],
    ['2600:1700::1', 6, '2600:1700::1'],
    ['2600:1700:0000:0000:0000:0000:0000:0001', 6, '2600:1700::1'],
    ['2A00:1450::1', 6, '2a00:1450::1'],
  ])('reads %s as IPv%i %s', (given, family, text) => {
    expect(publicAddress(given)).toEqual({ family, text });
  });

  it.each([
    ['of this network', '0.0.0.0'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared by a provider', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['link-local', '169.254.1.1'],
    ['for protocols', '192.0.0.1'],
    ['for documentation', '192.0.2.1'],
    ['for documentation', '198.51.100.1'],
    ['for documentation', '203.0.113.1'],
    ['for benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['private, written as IPv6', '::ffff:10.0.0.1'],
    ['loopback, written as IPv6', '::ffff:7f00:1'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['multicast', 'ff02::1'],
    ['for documentation', '2001:db8::1'],
    ['for documentation', '3fff::1'],
    ['Teredo', '2001::1'],
    ['6to4', '2002:808:808::1'],
    ['NAT64', '64:ff9b::808:808'],
    ['to be discarded', '100::1'],
    ['not given out', '4000::1'],
  ])('refuses %s: %s', (_, given) => {
    expect(publicAddress(given)).toBeNull();
  });

  it.each(['', 'localhost', '8.8.8', '8.8.8.8.8', '010.0.0.1', '134744072', '8.8.8.8/32', ':::1'])(
    'refuses a malformed address: "%s"',
    (given) => {
      expect(publicAddress(given)).toBeNull();
    },
  );
});
