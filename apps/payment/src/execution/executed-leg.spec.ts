import { describe, expect, it } from '@jest/globals';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { encodeAbiParameters, encodeEventTopics, erc20Abi } from 'viem';
import type { Address, Log } from 'viem';
import { legAt } from '../life-cycle/legs.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { aBridgedPayment, bridging, delivered } from '../testing/a-bridged-payment.fixture.js';
import { aDeposit } from '../testing/a-payment.fixture.js';
import { executedLeg, firstBlock } from './executed-leg.js';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [WALLET, OTHER_WALLET, TOKEN, CONVERTER] = ['1', '2', '3', '4'].map(address) as [
  Address,
  Address,
  Address,
  Address,
];
const CONVERSION = { inputToken: TOKEN, converter: CONVERTER };
const HASH = `0x${'a'.repeat(64)}` as const;

const log = (at: Address, topics: Log['topics'], data: Log['data']): Log => ({
  address: at,
  topics,
  data,
  blockHash: HASH,
  blockNumber: 1n,
  logIndex: 0,
  transactionHash: HASH,
  transactionIndex: 0,
  removed: false,
});

const executed = (wallet: Address, leg = 0n): Log => {
  const topics = encodeEventTopics({
    abi: oneTimeWalletAbi,
    eventName: 'LegExecuted',
    args: { leg },
  });
  const data = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }],
    [99n, [1n], 33n],
  );
  return log(wallet, topics as Log['topics'], data);
};

const transfer = (to: Address, value: bigint, { token = TOKEN, from = CONVERTER } = {}): Log => {
  const topics = encodeEventTopics({
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { from, to },
  });
  return log(token, topics as Log['topics'], encodeAbiParameters([{ type: 'uint256' }], [value]));
};

const approval = (spender: Address, value: bigint): Log => {
  const topics = encodeEventTopics({
    abi: erc20Abi,
    eventName: 'Approval',
    args: { owner: CONVERTER, spender },
  });
  return log(TOKEN, topics as Log['topics'], encodeAbiParameters([{ type: 'uint256' }], [value]));
};

describe('the executed leg of a receipt', () => {
  it('is read from the wallet’s own log', () => {
    expect(executedLeg([executed(WALLET)], WALLET, 0, CONVERSION)).toEqual({
      input: 99n,
      fees: [1n],
      output: 33n,
    });
  });

  it('excludes the returned part from its input', () => {
    const logs = [
      transfer(WALLET, 9n),
      transfer(WALLET, 7n, { token: OTHER_WALLET }),
      executed(WALLET),
    ];
    expect(executedLeg(logs, WALLET, 0, CONVERSION)?.input).toBe(90n);
  });

  it('leaves transfers by others to the deposits', () => {
    const logs = [transfer(WALLET, 500n, { from: OTHER_WALLET }), executed(WALLET)];
    expect(executedLeg(logs, WALLET, 0, CONVERSION)?.input).toBe(99n);
    expect(executedLeg([...logs, transfer(WALLET, 9n)], WALLET, 0, CONVERSION)?.input).toBe(90n);
  });

  it('has no negative input', () => {
    const logs = [transfer(WALLET, 100n), executed(WALLET)];
    expect(executedLeg(logs, WALLET, 0, CONVERSION)?.input).toBe(0n);
  });

  it('is found among the logs of other events', () => {
    const logs = [
      approval(WALLET, 5n),
      transfer(WALLET, 9n),
      executed(WALLET),
      transfer(WALLET, 1n),
    ];
    expect(executedLeg(logs, WALLET, 0, CONVERSION)).toEqual({
      input: 89n,
      fees: [1n],
      output: 33n,
    });
  });

  it('is null for another wallet or another leg', () => {
    expect(executedLeg([executed(OTHER_WALLET)], WALLET, 0, CONVERSION)).toBeNull();
    expect(executedLeg([executed(WALLET, 1n)], WALLET, 0, CONVERSION)).toBeNull();
  });
});

describe('firstBlock', () => {
  const blockOf = (payment: PaymentRecord, index: number): bigint =>
    firstBlock(payment, legAt(payment, index));

  it('is the first deposit on the chain', () => {
    expect(blockOf(aBridgedPayment().build(), 0)).toBe(0n);
    expect(blockOf(aBridgedPayment().build(), 1)).toBe(0n);
    const payment = aBridgedPayment()
      .deposited({ blockNumber: 300n, amount: 1n })
      .deposited({ blockNumber: 200n, amount: 1n, transactionHash: HASH })
      .build();
    expect(blockOf(payment, 0)).toBe(200n);
  });

  it('does not count a deposit on another chain', () => {
    const payment = aBridgedPayment().deposited({ blockNumber: 300n }).build();
    const elsewhere = { ...aDeposit({ blockNumber: 5n }), chain: 'betanet' };
    expect(blockOf({ ...payment, deposits: [...payment.deposits, elsewhere] }, 0)).toBe(300n);
  });

  it('leaves room for a reorg before the settlement', () => {
    const payment = delivered(undefined, { blockNumber: 700n }).build();
    expect(blockOf({ ...payment, deposits: [] }, 0)).toBe(188n);
    const early = delivered(undefined, { blockNumber: 100n }).build();
    expect(blockOf({ ...early, deposits: [] }, 0)).toBe(0n);
  });

  /** A delivered transfer, as its nodes reported it, whose deposit is not recorded. */
  const filledAt = (blockNumber: bigint, destinationFromBlock: bigint): PaymentRecord => {
    const payment = delivered().build();
    const legs = payment.legs.map((leg) => {
      const { transfer: known } = leg;
      if (!known?.filled) return leg;
      const filled = { ...known.filled, blockNumber };
      const reported = { ...known.transfer, destinationFromBlock };
      return { ...leg, transfer: { ...known, filled, transfer: reported } };
    });
    return { ...payment, deposits: [], legs };
  };

  it('starts at the block of the delivering transfer where no deposit is earlier', () => {
    expect(blockOf(bridging().build(), 1)).toBe(7n);
    expect(blockOf(filledAt(900n, 7n), 1)).toBe(7n);
  });

  it('starts before the fill where a node reported a false start of the transfer', () => {
    expect(blockOf(filledAt(900n, 10n ** 12n), 1)).toBe(388n);
  });
});
