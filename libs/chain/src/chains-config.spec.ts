import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@bascule/process';
import { Chain } from './chain.js';
import { parseChainsConfig } from './chains-config.js';
import { chainDefinitions } from './definitions/index.js';

const urls = { RPC_URLS_ALPHANET: 'http://a.example', RPC_URLS_BETANET: 'http://b.example' };

describe('the configuration of the chains', () => {
  it('uses the development chains by default', () => {
    const { chains } = parseChainsConfig(urls);
    expect(chains.map(({ definition }) => definition.name)).toEqual(['alphanet', 'betanet']);
  });

  it('configures the named public chains, each with its endpoints', () => {
    const CHAINS = 'Base,basesepolia';
    expect(() => parseChainsConfig({ CHAINS })).toThrow(
      /RPC_URLS_BASE: [^]*RPC_URLS_BASESEPOLIA: /,
    );
    const { chains } = parseChainsConfig({
      CHAINS,
      RPC_URLS_BASE: 'https://base.example/key',
      RPC_URLS_BASESEPOLIA: 'https://sepolia.example/key',
    });
    expect(chains.map(({ definition, rpcUrls }) => [definition.chainId, rpcUrls])).toEqual([
      [8453, ['https://base.example/key']],
      [84532, ['https://sepolia.example/key']],
    ]);
  });

  it('adds the deployment’s contracts to definitions without them', () => {
    const contracts = {
      EXECUTOR_CONTRACT: `0x${'1'.repeat(40)}`,
      INTENT_ESCROW: `0x${'2'.repeat(40)}`,
      ATTESTER_ORACLE: `0x${'3'.repeat(40)}`,
    };
    const env = { ...urls, CHAINS: 'alphanet,base', RPC_URLS_BASE: 'https://base.example' };
    const [alphanet, base] = parseChainsConfig({ ...env, ...contracts }).chains;
    expect(alphanet?.definition.contracts).toEqual(chainDefinitions['alphanet']?.contracts);
    expect(base?.definition.contracts).toMatchObject({
      executor: contracts.EXECUTOR_CONTRACT,
      intentEscrow: contracts.INTENT_ESCROW,
      attesterOracle: contracts.ATTESTER_ORACLE,
    });
    const [, bare] = parseChainsConfig(env).chains;
    expect(Object.keys(bare?.definition.contracts ?? {})).not.toContain('executor');
    expect(() => parseChainsConfig({ ...env, EXECUTOR_CONTRACT: '0x12' })).toThrow(
      /EXECUTOR_CONTRACT/,
    );
  });

  it('lets a deployment enable block traces', () => {
    const env = { CHAINS: 'base', RPC_URLS_BASE: 'https://base.example' };
    const nativeTransfers = (more: NodeJS.ProcessEnv) =>
      parseChainsConfig({ ...env, ...more }).chains[0]?.definition.nativeTransfers;
    expect(nativeTransfers({})).toBe('blocks');
    expect(nativeTransfers({ NATIVE_TRANSFERS_BASE: 'trace_block' })).toBe('trace_block');
    expect(() => nativeTransfers({ NATIVE_TRANSFERS_BASE: 'logs' })).toThrow(/NATIVE_TRANSFERS/);
  });

  it('keeps the RPC URLs in their order of preference', () => {
    const { chains } = parseChainsConfig({
      CHAINS: 'alphanet',
      RPC_URLS_ALPHANET: 'http://first.example, http://second.example/key',
    });
    expect(chains[0]?.rpcUrls).toEqual(['http://first.example', 'http://second.example/key']);
  });

  it('has private endpoints only where they are configured', () => {
    const PRIVATE_RPC_URLS_BETANET = 'https://relay.example, https://builder.example/key';
    const { chains } = parseChainsConfig({ ...urls, PRIVATE_RPC_URLS_BETANET });
    const [alphanet, betanet] = chains.map((chain) => new Chain(chain).privateEndpoints);
    expect(alphanet).toEqual([]);
    expect(betanet?.map(({ transport }) => transport.url)).toEqual([
      'https://relay.example',
      'https://builder.example/key',
    ]);
    const wrong = () => parseChainsConfig({ ...urls, PRIVATE_RPC_URLS_BETANET: 'ftp://key@b' });
    expect(wrong).toThrow(/^(?!.*key@)[^]*PRIVATE_RPC_URLS_BETANET/);
  });

  it('lets a deployment override confirmations', () => {
    const { chains } = parseChainsConfig({ ...urls, CONFIRMATIONS_BETANET: '12' });
    expect(chains.map(({ definition }) => definition.confirmations)).toEqual([2, 12]);
  });

  it('lets a deployment override the public endpoint', () => {
    const PUBLIC_RPC_ALPHANET = 'http://127.0.0.1:18545';
    const { chains } = parseChainsConfig({ ...urls, PUBLIC_RPC_ALPHANET });
    expect(chains.map(({ definition }) => definition.publicRpc)).toEqual([
      PUBLIC_RPC_ALPHANET,
      'http://127.0.0.1:8546',
    ]);
    const wrong = () => parseChainsConfig({ ...urls, PUBLIC_RPC_BETANET: 'betanet' });
    expect(wrong).toThrow(/PUBLIC_RPC_BETANET/);
  });

  it('lists every problem without values that may contain a key', () => {
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
