import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@bascule/process';
import { parseChainsConfig } from './chains-config.js';

const urls = { RPC_URLS_ALPHANET: 'http://a.example', RPC_URLS_BETANET: 'http://b.example' };

describe('the configuration of the chains', () => {
  it('uses every known chain unless told otherwise', () => {
    const { chains } = parseChainsConfig(urls);
    expect(chains.map(({ definition }) => definition.name)).toEqual(['alphanet', 'betanet']);
  });

  it('keeps the RPC URLs in their order of preference', () => {
    const { chains } = parseChainsConfig({
      CHAINS: 'alphanet',
      RPC_URLS_ALPHANET: 'http://first.example, http://second.example/key',
    });
    expect(chains[0]?.rpcUrls).toEqual(['http://first.example', 'http://second.example/key']);
  });

  it('lets a deployment decide how many confirmations a chain needs', () => {
    const { chains } = parseChainsConfig({ ...urls, CONFIRMATIONS_BETANET: '12' });
    expect(chains.map(({ definition }) => definition.confirmations)).toEqual([2, 12]);
  });

  it('lets a deployment say which endpoint clients may use', () => {
    const PUBLIC_RPC_ALPHANET = 'http://127.0.0.1:18545';
    const { chains } = parseChainsConfig({ ...urls, PUBLIC_RPC_ALPHANET });
    expect(chains.map(({ definition }) => definition.publicRpc)).toEqual([
      PUBLIC_RPC_ALPHANET,
      'http://127.0.0.1:8546',
    ]);
    const wrong = () => parseChainsConfig({ ...urls, PUBLIC_RPC_BETANET: 'betanet' });
    expect(wrong).toThrow(/PUBLIC_RPC_BETANET/);
  });

  it('lists everything that is wrong, and no value that may hold a key', () => {
    const parse = () =>
      parseChainsConfig({
        CHAINS: 'alphanet,betanet,gammanet',
        RPC_URLS_BETANET: 'ftp://key@b.example',
        CONFIRMATIONS_ALPHANET: '0',
      });
    expect(parse).toThrow(ConfigurationError);
    expect(parse).toThrow(/RPC_URLS_ALPHANET[^]*CONFIRMATIONS_ALPHANET[^]*RPC_URLS_BETANET[^]*/);
    expect(parse).toThrow(/gammanet/);
    expect(parse).not.toThrow(/key@/);
  });
});
