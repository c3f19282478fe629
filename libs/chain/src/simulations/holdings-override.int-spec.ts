import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deployAnotherToken, startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { developmentAddresses } from '@bascule/solidity';
import { createTestClient, encodeFunctionData, erc20Abi, http } from 'viem';
import type { Address, Hex } from 'viem';
import type { Chain } from '../chain.js';
import { Chains } from '../chains.js';
import { parseChainsConfig } from '../chains-config.js';
import { holdingsOverride, TokenNotOverridableError } from './holdings-override.js';
import { ZERO_ADDRESS } from '../zero-address.js';

const ACCOUNT: Address = '0x1111111111111111111111111111111111111111';
const OTHER: Address = '0x2222222222222222222222222222222222222222';
/** Returns the slot whose number is the account's address. */
const UNUSUAL_SLOT_CODE = '0x6004355460005260206000f3';
/** Returns 42 for every account. */
const CONSTANT_BALANCE_CODE = '0x602a60005260206000f3';
const UNUSUAL: Address = '0x3333333333333333333333333333333333333333';
const CONSTANT: Address = '0x4444444444444444444444444444444444444444';
const CODELESS: Address = '0x5555555555555555555555555555555555555555';

describe('an override of holdings', () => {
  let anvil: TestChain;
  let chain: Chain;

  const chainAt = (rpcUrl: string) =>
    new Chains(parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: rpcUrl })).get(
      'alphanet',
    );

  beforeAll(async () => {
    anvil = await startTestChain();
    chain = chainAt(anvil.rpcUrl);
    const node = createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) });
    await node.setCode({ address: UNUSUAL, bytecode: UNUSUAL_SLOT_CODE });
    await node.setCode({ address: CONSTANT, bytecode: CONSTANT_BALANCE_CODE });
  });
  afterAll(() => anvil.stop());

  const transferData = (amount: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [OTHER, amount] });

  const { usdc, usdt, weth } = developmentAddresses;
  it.each([
    ['USDC', usdc],
    ['USDT', usdt],
    ['WETH', weth],
  ])('lets an account spend %s that it does not hold', async (_, token) => {
    const transfer = { account: ACCOUNT, to: token, data: transferData(7n) };
    await expect(chain.anyNode.client.call(transfer)).rejects.toThrow();

    const stateOverride = await holdingsOverride(chain.anyNode, [
      { account: ACCOUNT, token, amount: 7n },
    ]);
    await chain.anyNode.client.call({ ...transfer, stateOverride });
    await expect(
      chain.anyNode.client.call({
        account: ACCOUNT,
        to: token,
        data: transferData(8n),
        stateOverride,
      }),
    ).rejects.toThrow();
  });

  it('covers several accounts, tokens and native currency at once', async () => {
    const another = await deployAnotherToken(anvil.rpcUrl);
    const stateOverride = await holdingsOverride(chain.anyNode, [
      { account: ACCOUNT, token: another, amount: 5n },
      { account: OTHER, token: another, amount: 6n },
      { account: ACCOUNT, token: ZERO_ADDRESS, amount: 10n ** 20n },
    ]);
    const balanceOf = async (account: Address) => {
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      });
      return BigInt(
        (await chain.anyNode.client.call({ to: another, data, stateOverride })).data ?? '0x0',
      );
    };
    expect(await Promise.all([ACCOUNT, OTHER].map(balanceOf))).toEqual([5n, 6n]);
    await chain.anyNode.client.call({
      account: ACCOUNT,
      to: OTHER,
      value: 10n ** 19n,
      stateOverride,
    });
  });

  it('finds a balance at an unusual slot by what `balanceOf` reads', async () => {
    const stateOverride = await holdingsOverride(chain.anyNode, [
      { account: ACCOUNT, token: UNUSUAL, amount: 9n },
    ]);
    const slot: Hex = `0x${'0'.repeat(24)}${'1'.repeat(40)}`;
    expect(stateOverride).toEqual([
      { address: UNUSUAL, stateDiff: [{ slot, value: `0x${'0'.repeat(63)}9` }] },
    ]);
  });

  it.each([
    ['a balance that no storage decides', CONSTANT],
    ['an address without code', CODELESS],
  ])('is refused for %s', async (_, token) => {
    await expect(
      holdingsOverride(chain.anyNode, [{ account: ACCOUNT, token, amount: 1n }]),
    ).rejects.toBeInstanceOf(TokenNotOverridableError);
  });

  it('rethrows the error of an unreachable node', async () => {
    const failure = holdingsOverride(chainAt('http://127.0.0.1:9').anyNode, [
      { account: ACCOUNT, token: usdc, amount: 1n },
    ]);
    await expect(failure).rejects.not.toBeInstanceOf(TokenNotOverridableError);
    await expect(failure).rejects.toThrow('HTTP request failed');
  });
});
