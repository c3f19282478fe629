import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, parseConfig } from '@bascule/process';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { Signers } from './signers.js';
import { privateKeys, signersOf } from './transactions-config.js';

const env = {
  KEYS: privateKeys({ desc: 'keys' }),
  RETIRED: privateKeys({ desc: 'earlier keys', default: [] }),
};
const [first, second, third] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()];

describe('the keys of a service', () => {
  it('are one or several', () => {
    expect(parseConfig({ KEYS: first }, env)).toMatchObject({ KEYS: [first], RETIRED: [] });
    const lists = { KEYS: `${first}, ${second}`, RETIRED: third };
    expect(parseConfig(lists, env)).toMatchObject({ KEYS: [first, second], RETIRED: [third] });
  });

  it('are refused without a word about them when one is no key, or there twice', () => {
    for (const KEYS of [`${first},0x12`, `${first},`, `${first},${first}`, '']) {
      expect(() => parseConfig({ KEYS }, env)).toThrow(ConfigurationError);
      expect(() => parseConfig({ KEYS }, env)).not.toThrow(first.slice(2));
    }
  });

  it('sign new transactions unless they are retired', () => {
    const chains = [{ definition: { name: 'alphanet' } }];
    const signers = new Signers(signersOf(chains, [first, second], [third]));
    const addresses = [first, second, third].map(privateKeyToAddress);
    expect(signers.active('alphanet').map(({ address }) => address)).toEqual(addresses.slice(0, 2));
    for (const address of addresses) {
      expect(signers.find('alphanet', address)?.address).toBe(address);
    }
    expect(signers.find('betanet', addresses[0] ?? '0x')).toBeNull();
    expect(() => signers.active('betanet')).toThrow('no signer is configured for betanet');
  });
});
