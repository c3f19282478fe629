import { describe, expect, it } from '@jest/globals';
import type { Chain } from '@bascule/chain';
import { parseGwei, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { nextAttempt } from './next-attempt.js';
import { signAttempt } from './signed-attempt.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

const GAS = 100_000n;
const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const transaction = {
  ...{ signer: account.address, nonce: 7n, target: zeroAddress, data: '0x', value: 0n },
  ...{ gasLimit: GAS, maxCost: GAS * parseGwei('4') },
} as unknown as StoredTransaction;

/** Node that reports fees in gwei. */
const nodeOf = ({ base, tip = '0.001' }: { base: string; tip?: string }) => ({
  getBlock: () => Promise.resolve({ baseFeePerGas: parseGwei(base) }),
  estimateMaxPriorityFeePerGas: () => Promise.resolve(parseGwei(tip)),
});

const chainOf = (...nodes: Parameters<typeof nodeOf>[0][]) =>
  ({
    ...{ name: 'alphanet', chainId: 1, endpoints: nodes.map(nodeOf) },
    definition: { feeStyle: 'eip1559', maxFeeGwei: 50 },
  }) as unknown as Chain;

/** Attempts that follow one another while every node refuses each of them as underpriced; the oldest first. */
async function refused(
  chains: readonly Chain[],
  of = transaction,
  ageMs = 1_000,
): Promise<StoredAttempt[]> {
  const attempts: StoredAttempt[] = [];
  for (const chain of chains) {
    const purpose = attempts[0]?.purpose ?? 'payload';
    const next = await nextAttempt(chain, of, attempts, purpose);
    if (next === null) continue;
    const signed = await signAttempt(account, chain, next);
    attempts.unshift({ ...signed, number: attempts.length, ageMs, broadcastAgeMs: null });
  }
  return attempts.reverse();
}
const repeat = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('the next attempt of a transaction that no node accepts', () => {
  it('is a cancellation that an honest node accepts, though the other one reports a base fee of zero', async () => {
    const chain = chainOf({ base: '10' }, { base: '0' });
    const attempts = await refused([chain, chain, chain, chain]);
    expect(attempts.map(({ purpose }) => purpose)).toEqual(['payload', 'cancellation']);
    const [payload, cancellation] = attempts;
    expect(payload?.maxFeePerGas).toBe(parseGwei('4'));
    expect(cancellation?.maxFeePerGas).toBeGreaterThan(parseGwei('10'));
    expect(21_000n * (cancellation?.maxFeePerGas ?? 0n)).toBeLessThanOrEqual(
      transaction.maxCost ?? 0n,
    );
  });

  it.each([
    ['tip varies', (index: number) => ({ base: '0', tip: `0.000${index % 10}` })],
    ['tip rises', (index: number) => ({ base: '0', tip: `0.0000${100 + index}` })],
    ['base fee rises', (index: number) => ({ base: `10.${100 + index}` })],
  ])('is none again and again, though its %s as one node says', async (_, liar) => {
    const chains = repeat(500, (index) => chainOf({ base: '10' }, liar(index)));
    const purposes = (await refused(chains)).map(({ purpose }) => purpose);
    expect(purposes.at(-1)).toBe('cancellation');
    expect(purposes.filter((purpose) => purpose === 'payload').length).toBeLessThan(2);
    // Each has a tip that is at least 13 % higher.
    expect(purposes.length).toBeLessThan(30);
    const unbounded = { ...transaction, maxCost: null };
    expect((await refused(chains, unbounded)).length).toBeLessThan(30);
  });

  it('has the tip that an honest node demands, though the other one reports none', async () => {
    const chain = chainOf({ base: '1', tip: '0' }, { base: '1', tip: '0.5' });
    const attempts = await refused([chain, chain, chain]);
    expect(attempts.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)).toEqual([
      0n,
      parseGwei('0.5'),
    ]);
  });

  it('stays within its bound, though one node reports any tip', async () => {
    const chain = chainOf({ base: '1' }, { base: '1', tip: '1000' });
    const [, next] = await refused([chain, chain]);
    expect(next?.maxFeePerGas).toBe(parseGwei('4'));
    expect(next?.maxPriorityFeePerGas).toBe(parseGwei('4'));
  });

  it('is rare after thirty, however the price of one node goes up and down', async () => {
    const chains = repeat(200, (index) =>
      chainOf({ base: '1' }, { base: index % 2 === 0 ? '0' : '1.6', tip: '0' }),
    );
    expect(await refused(chains)).toHaveLength(30);
    expect((await refused(chains, transaction, 30 * 60_000)).length).toBeGreaterThan(100);
  });

  it('has higher fees once the price exceeds those of the last one, and the bound pays for them', async () => {
    const chains = [chainOf({ base: '1' }), chainOf({ base: '3' })];
    const fees = (await refused(chains)).map(({ maxFeePerGas }) => maxFeePerGas);
    expect(fees).toEqual([parseGwei('2.001'), parseGwei('4')]);
  });

  it('has a tip that rose, and the lower fees of a price that fell', async () => {
    const risen = [chainOf({ base: '1' }), chainOf({ base: '1', tip: '0.5' })];
    expect(await refused(risen)).toHaveLength(2);
    const fallen = [chainOf({ base: '1.5' }), chainOf({ base: '0.5' })];
    expect(await refused(fallen)).toHaveLength(2);
  });
});
