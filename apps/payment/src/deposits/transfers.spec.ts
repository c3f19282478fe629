import { describe, expect, it } from '@jest/globals';
import { toHex } from 'viem';
import type { Address } from 'viem';
import { arrivals, executionKey, nativeTransfers } from './transfers.js';
import type { CallTrace, Transfer } from './transfers.js';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [PAYER, WALLET, ROUTER] = [address('1'), address('2'), address('3')];
const TX = `0x${'a'.repeat(64)}` as const;

const call = (traceAddress: number[], over: Partial<CallTrace['action']> = {}): CallTrace => ({
  type: 'call',
  action: { callType: 'call', from: PAYER, to: WALLET, value: toHex(5n), ...over },
  traceAddress,
  transactionHash: TX,
});

describe('native currency that moved in a block', () => {
  it('is found in plain transactions and in calls of contracts', () => {
    const found = nativeTransfers([
      call([], { to: ROUTER, value: toHex(9n) }),
      call([0], { from: ROUTER }),
    ]);
    expect(found.map(({ to, amount, position }) => [to, amount, position])).toEqual([
      [ROUTER, 9n, 'trace:'],
      [WALLET, 5n, 'trace:0'],
    ]);
  });

  it('did not move in a call that failed, nor in what such a call made', () => {
    const failed = { ...call([0], { to: ROUTER }), error: 'Reverted' };
    const found = nativeTransfers([call([], { value: '0x0' }), failed, call([0, 0]), call([1])]);
    expect(found.map(({ position }) => position)).toEqual(['trace:1']);
  });

  it('does not move in a delegate call, which only carries the value on', () => {
    expect(nativeTransfers([call([], { callType: 'delegatecall' })])).toEqual([]);
  });

  it('moves when a contract is created with it or destroys itself', () => {
    const created: CallTrace = {
      ...call([]),
      type: 'create',
      action: { from: PAYER, value: toHex(3n) },
      result: { address: WALLET },
    };
    const destroyed: CallTrace = {
      ...call([0]),
      type: 'suicide',
      action: { address: ROUTER, refundAddress: WALLET, balance: toHex(4n) },
    };
    expect(nativeTransfers([created, destroyed]).map(({ amount }) => amount)).toEqual([3n, 4n]);
  });
});

describe('what arrived at a wallet', () => {
  const transfer: Transfer = {
    token: ROUTER,
    from: PAYER,
    to: WALLET,
    amount: 1n,
    transactionHash: TX,
    position: 'log:0',
  };

  it('is what came from outside', () => {
    expect(arrivals([transfer], new Set())).toEqual([transfer]);
  });

  it('is not what the wallet sent to itself, nor nothing', () => {
    const own = { ...transfer, from: WALLET };
    expect(arrivals([own, { ...transfer, amount: 0n }], new Set())).toEqual([]);
  });

  it('is not what came back from the execution of its own leg', () => {
    const executing = new Set([executionKey(TX, WALLET)]);
    expect(arrivals([transfer], executing)).toEqual([]);
    expect(arrivals([{ ...transfer, to: ROUTER }], executing)).toHaveLength(1);
  });
});
