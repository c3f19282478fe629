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
  ...{ gasLimit: GAS, maxCost: GAS * parseGwei('4'), ageMs: 60_000 },
} as unknown as StoredTransaction;

/** Node that reports fees in gwei. */
const nodeOf = ({ base, tip = '0.001' }: { base: string; tip?: string }) => ({
  getBlock: () => Promise.resolve({ baseFeePerGas: parseGwei(base) }),
  estimateMaxPriorityFeePerGas: () => Promise.resolve(parseGwei(tip)),
});

const definition = { feeStyle: 'eip1559', maxFeeGwei: 50 };

const chainOf = (...nodes: Parameters<typeof nodeOf>[0][]) =>
  ({
    ...{ name: 'alphanet', chainId: 1, endpoints: nodes.map(nodeOf) },
    definition,
  }) as unknown as Chain;

/** Chain with a single gas price, whose nodes report these; in gwei. */
const legacyOf = (...prices: string[]) => {
  const endpoints = prices.map((price) => ({
    getGasPrice: () => Promise.resolve(parseGwei(price)),
  }));
  const legacy = { ...definition, feeStyle: 'legacy', leastTipGwei: 0.05 };
  return { ...chainOf(), endpoints, definition: legacy } as unknown as Chain;
};

interface Circumstances {
  of?: StoredTransaction;
  /** Ages of each newest attempt. */
  ageMs?: number;
  broadcastAgeMs?: number | null;
  isOverdue?: boolean;
  isRefused?: boolean;
}

/** Attempts that follow one another on a chain that changes, the oldest first. */
async function attemptsOn(
  chains: readonly Chain[],
  { of = transaction, ageMs = 1_000, broadcastAgeMs = null, ...now }: Circumstances = {},
): Promise<StoredAttempt[]> {
  const attempts: StoredAttempt[] = [];
  for (const chain of chains) {
    const purpose = attempts[0]?.purpose ?? 'payload';
    const next = await nextAttempt(chain, of, attempts, {
      ...{ isOverdue: false, ...now },
      purpose: attempts.length === 1 && now.isRefused === true ? 'cancellation' : purpose,
    });
    if (next === null) continue;
    const signed = await signAttempt(account, chain, next);
    attempts.unshift({ ...signed, number: attempts.length, ageMs, broadcastAgeMs });
  }
  return attempts.reverse();
}
/** The same while every node refuses each attempt as underpriced. */
const refused = (chains: readonly Chain[], of = transaction) => attemptsOn(chains, { of });
/** The same while one node has accepted each of them. */
const accepted = (chains: readonly Chain[], isOverdue = false) =>
  attemptsOn(chains, { broadcastAgeMs: 31_000, isOverdue });
const tipsOf = (attempts: readonly StoredAttempt[]) =>
  attempts.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas);
const purposesOf = (attempts: readonly StoredAttempt[]) => attempts.map(({ purpose }) => purpose);
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

  it('has at first the tip that nodes take by default, and the one that an honest node demands next', async () => {
    const chain = chainOf({ base: '1', tip: '0' }, { base: '1', tip: '0.5' });
    expect(tipsOf(await refused([chain, chain, chain]))).toEqual(
      ['0.001', '0.5'].map((it) => parseGwei(it)),
    );
  });

  it('has a tip of at most twice the base fee, though one node reports any', async () => {
    const chain = chainOf({ base: '1' }, { base: '1', tip: '1000' });
    const unbounded = { ...transaction, maxCost: null };
    for (const each of [transaction, unbounded]) {
      const tips = tipsOf(await refused([chain, chain, chain, chain], each));
      expect(tips).toEqual(['0.001', '2'].map((it) => parseGwei(it)));
    }
  });

  it('has ten times the least gas price at most where that is the only fee, though one node reports 0', async () => {
    const chain = legacyOf('0', '3');
    const attempts = await refused([chain, chain, chain], { ...transaction, maxCost: null });
    const fees = attempts.map(({ maxFeePerGas }) => maxFeePerGas);
    expect(fees).toEqual(['0.05', '0.5'].map((it) => parseGwei(it)));
  });

  it('is a cancellation where the only gas price exceeds its bound, though one node reports 0', async () => {
    const chain = legacyOf('0', '10');
    const attempts = await refused(repeat(20, () => chain));
    expect(purposesOf(attempts)).toEqual(['payload', 'payload', 'cancellation']);
  });

  it('is ever rarer after thirty, however the price of one node goes up and down', async () => {
    const chains = repeat(200, (index) =>
      chainOf({ base: '1' }, { base: index % 2 === 0 ? '0' : '1.6', tip: '0' }),
    );
    expect(await refused(chains)).toHaveLength(30);
    const later = await attemptsOn(chains, { ageMs: 6_000 });
    expect(later.length).toBeGreaterThan(100);
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

describe('an overdue transaction without a bound that no node accepts', () => {
  const overdue = { of: { ...transaction, maxCost: null }, isOverdue: true };

  it('is cancelled while its fees reach the price', async () => {
    const chain = chainOf({ base: '1' }, { base: '1' });
    expect(purposesOf(await attemptsOn([chain, chain], overdue))).toEqual([
      'payload',
      'cancellation',
    ]);
  });

  it('waits while gas costs more than the highest fee of the chain', async () => {
    const chain = chainOf({ base: '60' }, { base: '60' });
    expect(purposesOf(await attemptsOn([chain, chain], overdue))).toEqual(['payload']);
  });
});

describe('a transaction that one node has accepted, and that all refuse by now', () => {
  const refusedNow = { of: { ...transaction, maxCost: null }, broadcastAgeMs: 1 };

  it('is cancelled at the present price, however high its fees and its gas were', async () => {
    const lie = chainOf({ base: '50' }, { base: '1' });
    const honest = chainOf({ base: '1' }, { base: '1' });
    const chains = [lie, lie, honest];
    const now = { ...refusedNow, isOverdue: true, isRefused: true };
    const attempts = await attemptsOn(chains, now);
    expect(purposesOf(attempts)).toEqual(['payload', 'cancellation', 'cancellation']);
    expect(attempts.at(-1)?.maxFeePerGas).toBeLessThan(parseGwei('3'));
    expect(await attemptsOn([...chains, honest, honest], now)).toHaveLength(3);
  });
});

describe('the next attempt of a transaction that one node has accepted', () => {
  it('has a tip that costs little, though one node reports any', async () => {
    const chain = chainOf({ base: '1' }, { base: '1', tip: '1000' });
    const unbounded = { ...transaction, maxCost: null };
    const tips = tipsOf(
      await attemptsOn([chain, chain, chain], { of: unbounded, broadcastAgeMs: 31_000 }),
    );
    expect(tips.slice(0, 2)).toEqual(['0.001', '2'].map((it) => parseGwei(it)));
    expect(tips[2]).toBeLessThan(parseGwei('2.3'));
  });

  it('is no cancellation by the higher price of two nodes, while the lower one is within its fees', async () => {
    const chain = chainOf({ base: '1' }, { base: '40' });
    expect(purposesOf(await accepted(repeat(5, () => chain)))).toEqual(['payload']);
  });

  it('is a cancellation once it is overdue and no replacement is within its bound', async () => {
    const lie = chainOf({ base: '40', tip: '0' }, { base: '1', tip: '0.5' });
    const honest = chainOf({ base: '1', tip: '0.5' }, { base: '1', tip: '0.5' });
    expect(purposesOf(await accepted([lie, honest, honest]))).toEqual(['payload']);
    const [payload, cancellation] = await accepted([lie, honest, honest], true);
    expect([payload?.purpose, cancellation?.purpose]).toEqual(['payload', 'cancellation']);
    expect(cancellation?.maxPriorityFeePerGas).toBe(parseGwei('0.5'));
  });

  it.each([
    ['the highest fee of the chain', '50', '1', 3],
    ['many times the true one', '20', '0.005', 1],
  ])(
    'is a cancellation once it is overdue, though one node reported %s as the base fee',
    async (_, told, base, times) => {
      const lie = chainOf({ base: told }, { base });
      const honest = chainOf({ base }, { base });
      const unbounded = { ...transaction, maxCost: null };
      const chains = [...repeat(times, () => lie), honest, honest, honest];
      const overdue = { of: unbounded, broadcastAgeMs: 31_000, isOverdue: true };
      expect(purposesOf(await attemptsOn(chains, overdue))).toContain('cancellation');
    },
  );
});
