import { describe, expect, it } from '@jest/globals';
import { toHex } from 'viem';
import type { Address } from 'viem';
import { arrivals, executionKey, nativeTransfers, toldByAny } from './transfers.js';
import type { CallTrace, Transfer } from './transfers.js';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [PAYER, WALLET, ROUTER] = [address('1'), address('2'), address('3')];
const CONVERTER: Address = '0xabababababababababababababababababababab';
const TX = `0x${'a'.repeat(64)}` as const;

const call = (traceAddress: number[], over: Partial<CallTrace['action']> = {}): CallTrace => ({
  type: 'call',
  action: { callType: 'call', from: PAYER, to: WALLET, value: toHex(5n), ...over },
  traceAddress,
  transactionHash: TX,
});

describe('native transfers of a block', () => {
  it('include plain transactions and contract calls', () => {
    const found = nativeTransfers([
      call([], { to: ROUTER, value: toHex(9n) }),
      call([0], { from: ROUTER }),
    ]);
    expect(found.map(({ to, amount, position }) => [to, amount, position])).toEqual([
      [ROUTER, 9n, 'trace:'],
      [WALLET, 5n, 'trace:0'],
    ]);
  });

  it('exclude failed calls and their inner calls', () => {
    const failed = { ...call([0], { to: ROUTER }), error: 'Reverted' };
    const found = nativeTransfers([call([], { value: '0x0' }), failed, call([0, 0]), call([1])]);
    expect(found.map(({ position }) => position)).toEqual(['trace:1']);
  });

  it('exclude inner calls at every depth, and keep calls beside them', () => {
    const failed = { ...call([0, 1]), error: 'Reverted' };
    const found = nativeTransfers([call([0]), failed, call([0, 1, 0]), call([0, 2])]);
    expect(found.map(({ position }) => position)).toEqual(['trace:0', 'trace:0.2']);
  });

  it('keep call 10 when call 1.0 is reverted', () => {
    const failed = { ...call([1, 0]), error: 'Reverted' };
    const found = nativeTransfers([failed, call([10]), call([10, 0])]);
    expect(found.map(({ position }) => position)).toEqual(['trace:10', 'trace:10.0']);
  });

  it('include calls of nodes that name no call type', () => {
    const { action, ...rest } = call([]);
    const { callType: _, ...unnamed } = action;
    expect(nativeTransfers([{ ...rest, action: unnamed }])).toHaveLength(1);
  });

  it('exclude block rewards and creations without a contract', () => {
    const reward: CallTrace = { ...call([]), type: 'reward' };
    const without: CallTrace = { ...call([]), type: 'create', result: null };
    expect(nativeTransfers([reward, without])).toEqual([]);
  });

  it('exclude delegate calls', () => {
    expect(nativeTransfers([call([], { callType: 'delegatecall' })])).toEqual([]);
  });

  it.each(['suicide', 'selfdestruct'])('include contract creations and a %s', (type) => {
    const created: CallTrace = {
      ...call([]),
      type: 'create',
      action: { from: PAYER, value: toHex(3n) },
      result: { address: WALLET },
    };
    const destroyed: CallTrace = {
      ...call([0]),
      type,
      action: { address: ROUTER, refundAddress: WALLET, balance: toHex(4n) },
    };
    expect(nativeTransfers([created, destroyed]).map(({ amount }) => amount)).toEqual([3n, 4n]);
  });
});

describe('arrivals at a wallet', () => {
  const transfer: Transfer = {
    token: ROUTER,
    from: PAYER,
    to: WALLET,
    amount: 1n,
    transactionHash: TX,
    position: 'log:0',
  };

  const within = (...keys: string[]) => ({ executing: new Set(keys), converter: CONVERTER });

  it('include transfers from other addresses', () => {
    expect(arrivals([transfer], within())).toEqual([transfer]);
  });

  it('exclude self-transfers and zero amounts', () => {
    const own = { ...transfer, from: WALLET };
    expect(arrivals([own, { ...transfer, amount: 0n }], within())).toEqual([]);
  });

  it('exclude what the wallet’s own leg returned', () => {
    const executing = within(executionKey(TX, WALLET));
    const checksummed: Address = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB';
    for (const from of [CONVERTER, checksummed]) {
      const returned = { ...transfer, from };
      expect(arrivals([returned], executing)).toEqual([]);
      expect(arrivals([{ ...returned, to: ROUTER }], executing)).toHaveLength(1);
      expect(arrivals([returned], within())).toHaveLength(1);
    }
  });

  it('include what others send within the wallet’s own leg', () => {
    expect(arrivals([transfer], within(executionKey(TX, WALLET)))).toEqual([transfer]);
  });
});

describe('a transfer to a wallet, read from several nodes,', () => {
  const sent: Transfer = {
    ...{ token: ROUTER, from: PAYER, to: WALLET, amount: 1n, transactionHash: TX },
    position: 'log:0',
  };
  const told = (...readings: Parameters<typeof toldByAny>[0]) => toldByAny(readings, CONVERTER);

  it('counts though only one of them tells it', () => {
    expect(told({ transfers: [] }, { transfers: [sent] })).toEqual([sent]);
  });

  it('is no output of a leg that one of them leaves out', () => {
    const transfers = [{ ...sent, from: CONVERTER }];
    const executing = new Set([executionKey(TX, WALLET)]);
    expect(told({ transfers: [], executing }, { transfers })).toEqual([]);
    expect(told({ transfers: [] }, { transfers })).toEqual(transfers);
  });

  it('has calls of the first one only', () => {
    const one = { ...sent, position: 'trace:0' };
    expect(told({ transfers: [one] }, { transfers: [{ ...one, position: 'trace:7' }] })).toEqual([
      one,
    ]);
  });
});
