import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts } from '@bascule/local-stack';
import { startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { createTestClient, http, publicActions, walletActions } from 'viem';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { accountKinds } from './account-kinds.js';
import { Chains } from './chains.js';
import { parseChainsConfig } from './chains-config.js';

const [faucet] = developmentAccounts;
const CONTRACT = '0x60006000fd';
const anAddress = () => privateKeyToAddress(generatePrivateKey());

describe('the kinds of accounts', () => {
  let anvil: TestChain;
  let node: LyingNode;
  const kindsOf = (addresses: readonly Address[]) =>
    accountKinds(
      new Chains(parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: node.url })).get(
        'alphanet',
      ).anyNode,
      addresses,
    );

  beforeAll(async () => {
    anvil = await startTestChain();
    node = await startLyingNode(anvil.rpcUrl);
  });
  afterAll(async () => {
    await node.stop();
    await anvil.stop();
  });

  it('are those of a hundred addresses, in one request', async () => {
    const client = createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) })
      .extend(publicActions)
      .extend(walletActions);
    const contract = anAddress();
    await client.setCode({ address: contract, bytecode: CONTRACT });
    const key = privateKeyToAccount(generatePrivateKey());
    const authorization = await client.signAuthorization({
      account: key,
      contractAddress: contract,
    });
    const hash = await client.sendTransaction({
      account: privateKeyToAccount(faucet.privateKey),
      chain: null,
      to: anAddress(),
      authorizationList: [authorization],
    });
    await client.waitForTransactionReceipt({ hash });
    node.requests.clear();
    const codeless = Array.from({ length: 98 }, anAddress);
    expect(await kindsOf([key.address, ...codeless, contract])).toEqual([
      'delegated',
      ...codeless.map(() => 'codeless'),
      'contract',
    ]);
    expect([...node.requests]).toEqual([['eth_call', 1]]);
  });

  it('are unknown where a node answers about fewer', async () => {
    node.lies.set('eth_call', () => Promise.resolve({ result: `0x${'00'.repeat(32)}` }));
    await expect(kindsOf([anAddress(), anAddress()])).rejects.toThrow('expected 2 accounts');
    node.lies.clear();
  });
});
