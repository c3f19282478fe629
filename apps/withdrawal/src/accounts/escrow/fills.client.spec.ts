import type { Chain, EndpointClient } from '@bascule/chain';
import { ChainUnreadableError } from '@bascule/wallet-balances';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress, zeroHash } from 'viem';
import type { WithdrawalSettings } from '../../settings/withdrawal-settings.js';
import { FillsClient } from './fills.client.js';

const SOLVER = '0x00000000000000000000000000000000000000aa';
const FILL_DEADLINE = 1_000n;

const filled = [SOLVER, FILL_DEADLINE] as const;
const unfilled = [zeroAddress, FILL_DEADLINE + 1n] as const;
const early = [zeroAddress, FILL_DEADLINE] as const;
const away = new Error('away');
type Said = readonly [string, bigint] | Error;

/** Asks a chain whose nodes say this, in their order, as a filler and the time of the newest block. */
function isCertainlyFilled(...said: readonly Said[]): Promise<boolean> {
  const endpoints = said.map((answer) => ({
    multicall: () =>
      answer instanceof Error ? Promise.reject(answer) : Promise.resolve([...answer]),
  })) as unknown as EndpointClient[];
  const definition = { contracts: { multicall3: zeroAddress } };
  const destination = { name: 'betanet', definition, endpoints } as unknown as Chain;
  const client = new FillsClient({ balanceTimeoutMs: 60_000 } as WithdrawalSettings);
  return client.isCertainlyFilled(destination, {
    ...{ escrow: zeroAddress, orderId: zeroHash, fillDeadline: FILL_DEADLINE },
  });
}

describe('a fill for a balance or a leg', () => {
  const isFilled = (...fillers: string[]) => {
    const endpoints = fillers.map((filler) => ({ readContract: () => Promise.resolve(filler) }));
    const destination = {
      name: 'betanet',
      anyNode: { client: endpoints[0] },
      endpoints,
    } as unknown as Chain;
    const client = new FillsClient({ balanceTimeoutMs: 60_000 } as WithdrawalSettings);
    return client.isFilled(destination, zeroAddress, zeroHash);
  };

  it('needs two of several nodes, and its absence one', async () => {
    expect(await isFilled(SOLVER)).toBe(true);
    expect(await isFilled(SOLVER, SOLVER)).toBe(true);
    expect(await isFilled(SOLVER, zeroAddress, zeroAddress)).toBe(false);
    expect(await isFilled(zeroAddress, SOLVER)).toBe(false);
    await expect(isFilled(SOLVER, zeroAddress)).rejects.toBeInstanceOf(ChainUnreadableError);
  });
});

describe('a fill that no quorum of attesters reports', () => {
  it.each<[boolean, string, Said[]]>([
    [true, 'the only node says so', [filled]],
    [false, 'the only node says so after the deadline', [unfilled]],
    [true, 'two of three say so', [unfilled, filled, filled]],
    [false, 'two of three say so after the deadline', [filled, unfilled, unfilled]],
    [false, 'both that answer of three say so', [away, unfilled, unfilled]],
  ])('is %s where %s', async (expected, _, said) => {
    expect(await isCertainlyFilled(...said)).toBe(expected);
  });

  it.each<[string, Said[]]>([
    ['two nodes disagree', [filled, unfilled]],
    ['one of two is away', [unfilled, away]],
    ['one of three lies and one is away', [filled, unfilled, away]],
    ['two of three are before the deadline', [unfilled, early, early]],
  ])('is not known where %s', async (_, said) => {
    await expect(isCertainlyFilled(...said)).rejects.toBeInstanceOf(ChainUnreadableError);
  });
});
