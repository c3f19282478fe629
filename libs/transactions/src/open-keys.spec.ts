import { ConfigurationError, ServiceContext } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { openKeys } from './open-keys.js';
import { Signers } from './signers.js';

const [first, second, third] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()];
const context = new ServiceContext({ name: 'keys', environment: 'test', logLevel: 'fatal' });
const config = {
  SIGNER_TIMEOUT_MS: 1_000,
  AWS_ENDPOINT_URL_KMS: undefined,
  GCP_KMS_ENDPOINT: undefined,
  AZURE_KEY_VAULT_ENDPOINT: undefined,
};
const open = (keys: readonly string[], retiredKeys: readonly string[]) =>
  openKeys({ keys, retiredKeys }, { context, config });

describe('the keys of a service', () => {
  it('sign new transactions unless they are retired', async () => {
    const signers = new Signers({ alphanet: await open([first, second], [third]) });
    const addresses = [first, second, third].map(privateKeyToAddress);
    expect(signers.active('alphanet').map(({ address }) => address)).toEqual(addresses.slice(0, 2));
    for (const address of addresses) {
      expect(signers.find('alphanet', address)?.address).toBe(address);
    }
    expect(signers.find('betanet', addresses[0] ?? '0x')).toBeNull();
    expect(() => signers.active('betanet')).toThrow('no signer is configured for betanet');
  });

  it('are refused when one is there twice, without a word about it', async () => {
    const spelled = `0x${first.slice(2).toUpperCase()}`;
    const lists: [string[], string[]][] = [
      [[first, spelled], []],
      [[second, first], [spelled]],
    ];
    for (const [keys, retired] of lists) {
      const error: unknown = await open(keys, retired).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).toContain(`${privateKeyToAddress(first)} is configured twice`);
      expect(String(error).toLowerCase()).not.toContain(first.slice(2));
    }
  });
});
