import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { developmentAddresses, developmentVaultAbi } from '@bascule/solidity';
import type { Call } from '@bascule/solidity';
import { createTestClient, encodeFunctionData, erc20Abi, http } from 'viem';
import type { Address } from 'viem';
import type { Chain } from '../chain.js';
import { Chains } from '../chains.js';
import { parseChainsConfig } from '../chains-config.js';
import { ZERO_ADDRESS } from '../zero-address.js';
import { lastLegIssue } from './last-leg.js';
import type { LastLegRun } from './last-leg.js';
import { simulateCustomCalls, simulatePayout } from './simulation.js';
import type { CustomCallsRun } from './simulation.js';

const WALLET: Address = '0x1111111111111111111111111111111111111111';
const DESTINATION: Address = '0x2222222222222222222222222222222222222222';
/** Reverts with `Error("no")`. */
const REJECTING: Address = '0x3333333333333333333333333333333333333333';
const REJECTING_CODE =
  '0x7f08c379a00000000000000000000000000000000000000000000000000000000060005260206004526002602452616e6f60f01b60445260646000fd';
const LOOPING: Address = '0x4444444444444444444444444444444444444444';
const LOOPING_CODE = '0x5b600056';
/** Burns 3 million gas: hashes 1,184,000 bytes of memory. */
const BURNING: Address = '0x5555555555555555555555555555555555555555';
const BURNING_CODE = '0x621211005f205000';
/** Returns 42 as every balance. */
const REBASING: Address = '0x6666666666666666666666666666666666666666';
const REBASING_CODE = '0x602a60005260206000f3';

const { usdc, usdcVault } = developmentAddresses;

const approval = (amount: bigint): Call => ({
  target: usdc,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [usdcVault, amount] }),
});
const deposit = (amount: bigint): Call => ({
  target: usdcVault,
  value: 0n,
  data: encodeFunctionData({
    abi: developmentVaultAbi,
    functionName: 'deposit',
    args: [amount, DESTINATION],
  }),
});

describe('a simulation on the current state', () => {
  let anvil: TestChain;
  let chain: Chain;

  const chainAt = (rpcUrl: string) =>
    new Chains(parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: rpcUrl })).get(
      'alphanet',
    );
  const aRun = {
    wallet: WALLET,
    destination: DESTINATION,
    inputToken: usdc,
    outputToken: usdc,
    minOutput: 100n,
    gas: 1_000_000n,
  };
  const run = (calls: Call[], rest: Partial<CustomCallsRun> = {}) =>
    simulateCustomCalls(chain.anyNode, { ...aRun, calls, ...rest });
  const issue = (calls: Call[], rest: Partial<LastLegRun> = {}) =>
    lastLegIssue(chain, { ...aRun, calls, isPayoutUnchecked: false, ...rest });
  const payout = (destination: Address, token: Address = ZERO_ADDRESS) =>
    simulatePayout(chain.anyNode, { from: WALLET, token, amount: 5n, destination });

  beforeAll(async () => {
    anvil = await startTestChain();
    chain = chainAt(anvil.rpcUrl);
    const node = createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) });
    await node.setCode({ address: REJECTING, bytecode: REJECTING_CODE });
    await node.setCode({ address: LOOPING, bytecode: LOOPING_CODE });
    await node.setCode({ address: BURNING, bytecode: BURNING_CODE });
    await node.setCode({ address: REBASING, bytecode: REBASING_CODE });
  });
  afterAll(() => anvil.stop());

  it('passes custom calls that the minimum output pays for', async () => {
    expect(await run([approval(100n), deposit(100n)])).toEqual({ kind: 'passed' });
    expect(await run([approval(60n), deposit(60n)])).toEqual({ kind: 'passed' });
  });

  it.each([
    ['use more than the minimum', [approval(101n), deposit(101n)], 'ERC20InsufficientBalance'],
    ['revert with a text', [{ target: REJECTING, value: 0n, data: '0x' }], 'no'],
    [
      'call an address without code',
      [{ target: DESTINATION, value: 0n, data: '0x12345678' }],
      'TargetWithoutCode',
    ],
    ['burn all gas', [{ target: LOOPING, value: 0n, data: '0x' }], 'out of gas|CallFailed'],
  ] satisfies [string, Call[], string][])('reports calls that %s', async (_, calls, reason) => {
    const result = await run(calls);
    expect(result).toMatchObject({ kind: 'reverted' });
    const unnamed = reason === 'ERC20InsufficientBalance' ? 'error 0xe450d38c' : reason;
    expect(result).toEqual({ kind: 'reverted', reason: expect.stringMatching(unnamed) });
  });

  it('passes calls with native currency, up to the minimum', async () => {
    const sending = (value: bigint): Call => ({ target: DESTINATION, value, data: '0x' });
    const native = { inputToken: ZERO_ADDRESS, outputToken: ZERO_ADDRESS };
    expect(await run([sending(100n)], native)).toEqual({ kind: 'passed' });
    expect(await run([sending(101n)], native)).toMatchObject({ kind: 'reverted' });
  });

  it('reports a destination that refuses the rest', async () => {
    const native = { inputToken: ZERO_ADDRESS, outputToken: ZERO_ADDRESS };
    const calls: Call[] = [{ target: DESTINATION, value: 99n, data: '0x' }];
    expect(await run(calls, { ...native, destination: REJECTING })).toEqual({
      kind: 'reverted',
      reason: 'no',
    });
  });

  it('reports more gas than a block has', async () => {
    expect(await run([], { gas: 10n ** 12n })).toEqual({
      kind: 'reverted',
      reason: 'more gas than a block has',
    });
  });

  it('judges payouts by what the destination does', async () => {
    expect(await payout(DESTINATION)).toEqual({ kind: 'passed' });
    expect(await payout(REJECTING)).toEqual({ kind: 'reverted', reason: 'no' });
    expect(await payout(REJECTING, usdc)).toEqual({ kind: 'passed' });
    expect(await payout(DESTINATION, developmentAddresses.usdt)).toEqual({ kind: 'passed' });
  });

  it.each([LOOPING, BURNING])('reports a payout for which no leg has the gas: %s', async (to) => {
    expect(await payout(to)).toMatchObject({ kind: 'reverted' });
    expect(await payout(to, usdc)).toEqual({ kind: 'passed' });
  });

  it('makes a refused payout an issue of the last leg, unless it goes unchecked', async () => {
    const refused = { outputToken: ZERO_ADDRESS, destination: REJECTING };
    const message = 'The destination would refuse the payout: no.';
    expect(await issue([], refused)).toEqual({ kind: 'destination', message });
    expect(await issue([], { ...refused, isPayoutUnchecked: true })).toBeNull();
    expect(await issue([])).toBeNull();
  });

  it('makes custom calls that revert an issue of the last leg, whatever its payout', async () => {
    const calls: Call[] = [{ target: REJECTING, value: 0n, data: '0x' }];
    const failing = { kind: 'other', message: 'The custom actions would fail: no.' };
    for (const isPayoutUnchecked of [false, true]) {
      expect(await issue(calls, { isPayoutUnchecked })).toEqual(failing);
    }
    expect(await issue([approval(100n), deposit(100n)])).toBeNull();
  });

  it('refuses custom calls with a token that cannot be simulated, and no payout of it', async () => {
    expect(await issue([approval(1n)], { outputToken: REBASING })).toEqual({
      kind: 'other',
      message: 'Custom actions with this output token cannot be simulated.',
    });
    expect(await issue([], { outputToken: REBASING })).toBeNull();
  });

  it('rethrows the error of an unreachable node', async () => {
    chain = chainAt('http://127.0.0.1:9');
    await expect(payout(DESTINATION)).rejects.toThrow('HTTP request failed');
    await expect(run([])).rejects.toThrow('HTTP request failed');
    await expect(issue([approval(1n)])).rejects.toThrow('HTTP request failed');
    chain = chainAt(anvil.rpcUrl);
  });
});
