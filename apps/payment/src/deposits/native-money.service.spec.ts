import type { Chain, EndpointClient } from '@bascule/chain';
import type { ServiceContext } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { InternalRpcError } from 'viem';
import { NativeMoneyService } from './native-money.service.js';
import type { NativeSearchesRepository } from './native-searches.repository.js';
import type { NativeWallet, NativeWalletsRepository } from './native-wallets.repository.js';
import type { BlockPointer, ScannedBlock, WalletEnd } from './scanned-chain.js';

const FLOODED = 1_000n;
const HOUR_MS = 3_600_000;
const REFUSAL = new InternalRpcError(new Error('missing trie node'));
const SILENT = { logger: { warn: () => undefined } } as unknown as ServiceContext;

/** Whether balances are compared at a final block, after a block whose traces were too large. */
async function isCompared(blockTimeMs: number, final: bigint, isNoted = true): Promise<boolean> {
  const definition = { name: 'alphanet', nativeTransfers: 'trace_block', blockTimeMs };
  const chain = { name: 'alphanet', definition } as Chain;
  let reads = 0;
  const wallets: Partial<NativeWalletsRepository> = {
    list: () => {
      reads += 1;
      return Promise.resolve([]);
    },
  };
  const service = new NativeMoneyService(
    wallets as NativeWalletsRepository,
    {
      isHolding: () => Promise.resolve(false),
    } as Partial<NativeSearchesRepository> as NativeSearchesRepository,
    {} as ServiceContext,
  );
  const look = async (number: bigint, scanned: bigint) => {
    const found = await service.look(
      {} as EndpointClient,
      { name: 'alphanet', definition } as Chain,
      {
        epoch: 1n,
        final: { number, hash: '0x', timestamp: new Date(0) },
        scanned,
        compared: null,
        others: [],
      },
    );
    if (isNoted && found?.isOfAll === true) service.noteCompared('alphanet', number);
  };
  await look(FLOODED, FLOODED);
  service.noteUntraced(chain, [{ number: FLOODED, isUntraced: true } as ScannedBlock]);
  reads = 0;
  // The pass that reaches the end is the last one.
  await look(final - 1n, final);
  await look(final, final);
  return reads === 2;
}

describe('NativeMoneyService', () => {
  it.each([250, 2_000, 12_000])(
    'compares balances for an hour after a block without traces where blocks take %d ms',
    async (blockTimeMs) => {
      const blocks = BigInt(HOUR_MS / blockTimeMs);
      expect(await isCompared(blockTimeMs, FLOODED + blocks)).toBe(true);
      expect(await isCompared(blockTimeMs, FLOODED + blocks + 1n)).toBe(false);
    },
  );

  it('goes on to compare balances for another hour until a look at all of them was noted', async () => {
    expect(await isCompared(2_000, FLOODED + 3_600n, false)).toBe(true);
    expect(await isCompared(2_000, FLOODED + 3_602n, false)).toBe(false);
  });

  it('stops a scan by balances that a node does not answer only where blocks have no traces', async () => {
    const multicall = () => Promise.reject(new Error('timed out'));
    const node = { multicall } as unknown as EndpointClient;
    const lookBy = (nativeTransfers: string) => {
      const definition = { ...UNTRACED, nativeTransfers, blockTimeMs: 2_000 };
      const chain = { name: 'alphanet', definition, endpoints: [node] } as unknown as Chain;
      const service = serviceOf({ list: () => Promise.resolve([WALLET]) });
      const final: BlockPointer = { number: 7n, hash: '0x', timestamp: new Date(0) };
      return service.look(node, chain, {
        ...{ epoch: 1n, final, scanned: 7n, compared: null, others: [] },
      });
    };
    await expect(lookBy('blocks')).rejects.toThrow('timed out');
    await expect(lookBy('trace_block')).resolves.toBeNull();
  });

  it.each([
    [0n, { unexplained: [], cleared: ['payment'] }],
    [5n, { unexplained: [], cleared: [] }],
    [9n, { unexplained: [{ balance: 9n, mayFund: false }], cleared: [] }],
    [10n, { unexplained: [{ balance: 10n, mayFund: true }], cleared: [] }],
  ])('compares a balance of %d with money that no search finds', async (balance, expected) => {
    expect(await lookAt([balance])).toMatchObject(expected);
  });

  it.each([
    [[5n, 10n], 5n, false],
    [[10n, 5n], 5n, true],
    [[null, 10n], 10n, true],
    [[10n, null, 5n], 5n, true],
    [[10n, 12n, 5n], 10n, true],
  ])('searches for the larger of two nodes’ balances, of %j', async (balances, lowest, mayFund) => {
    const balance = balances.includes(12n) ? 12n : 10n;
    const unexplained = [{ balance, lowest, mayFund }];
    expect(await lookAt(balances)).toMatchObject({ unexplained });
  });
});

describe('NativeMoneyService for a crowd of wallets whose funding has ended', () => {
  it('compares 2,500 of them after each other, and then tells that all are', async () => {
    const crowd = Array.from({ length: 6_000 }, (_, index): NativeWallet => {
      const endsAt = new Date(index);
      return {
        ...{ paymentId: uuidv7(), address: '0x1', fundBy: endsAt.toISOString(), endsAt },
        ...{ required: '10', isHeld: false, residue: '0' },
      };
    });
    const list: NativeWalletsRepository['list'] = (_, { after, before }, limit) =>
      Promise.resolve(
        crowd
          .filter(({ fundBy }) => after === null || fundBy > after.fundBy)
          .filter(({ endsAt }) => before === undefined || endsAt < before)
          .slice(0, limit),
      );
    const service = serviceOf({ list });
    const node = {
      multicall: ({ contracts }: { contracts: unknown[] }) =>
        Promise.resolve(contracts.map(() => 0n)),
    } as unknown as EndpointClient;
    const chain = { name: 'alphanet', definition: UNTRACED, endpoints: [node] };
    const final: BlockPointer = { number: 7n, hash: '0x', timestamp: new Date(10_000) };
    let compared: WalletEnd | null = null;
    const places: unknown[] = [];
    for (let blocks = 0; blocks < 3; blocks++) {
      const look = await service.look(node, chain as unknown as Chain, {
        ...{ epoch: 1n, final, scanned: 7n, compared, others: [] },
      });
      compared = look?.comparedTo ?? null;
      places.push([compared?.fundBy, look?.isOfAll]);
    }
    expect(places).toEqual([
      [crowd[2_499]?.fundBy, false],
      [crowd[4_999]?.fundBy, false],
      ['1970-01-01T00:00:10.000Z', true],
    ]);
  });
});

const UNTRACED = {
  name: 'alphanet',
  nativeTransfers: 'blocks',
  contracts: { multicall3: '0x' },
};

const WALLET: NativeWallet = {
  ...{ paymentId: 'payment', address: '0x1', fundBy: '', endsAt: new Date(0) },
  ...{ required: '10', isHeld: false, residue: '5' },
};

const serviceOf = (wallets: Partial<NativeWalletsRepository>): NativeMoneyService =>
  new NativeMoneyService(
    wallets as NativeWalletsRepository,
    {} as NativeSearchesRepository,
    SILENT,
  );

/** Looks at a wallet that had 5 units no search found, and needs 10, by nodes, or by null for one that refuses. */
function lookAt(balances: readonly (bigint | null)[]) {
  const service = serviceOf({
    list: () => Promise.resolve([WALLET]),
    ledgers: () => Promise.resolve(new Map([['payment', { since: null, deposits: [] }]])),
  });
  const endpoints = balances.map((balance) => {
    const multicall = () =>
      balance === null ? Promise.reject(REFUSAL) : Promise.resolve([balance]);
    return { multicall } as unknown as EndpointClient;
  });
  const [node] = endpoints;
  if (node === undefined) throw new Error('no nodes');
  const chain = { name: 'alphanet', definition: UNTRACED, endpoints } as unknown as Chain;
  const final: BlockPointer = { number: 7n, hash: '0x', timestamp: new Date(0) };
  return service.look(node, chain, {
    ...{ epoch: 1n, final, scanned: 7n, compared: null },
    others: endpoints,
  });
}
