import { describe, expect, it } from '@jest/globals';
import { developmentAddresses } from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import type { Hash } from 'viem';
import type { Deposit } from '../life-cycle/payment-record.js';
import { aDeposit, aPayment, OWNER } from '../testing/a-payment.fixture.js';
import { aMinedWithdrawal } from '../testing/a-withdrawal.fixture.js';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import {
  depositOf,
  newDeposits,
  withConfirmed,
  withDeposits,
  withoutBlocks,
} from './payment-deposits.js';
import type { Arrival } from './payment-deposits.js';

const now = new Date('2026-11-21T12:05:00Z');
const payment = aPayment().build();
const arrival = (token = developmentAddresses.usdc as `0x${string}`): Arrival => ({
  chain: 'alphanet',
  token,
  from: OWNER,
  to: `0x${'1'.repeat(40)}`,
  amount: 7n,
  transactionHash: `0x${'a'.repeat(64)}`,
  position: 'log:3',
  block: { number: 12n, hash: `0x${'b'.repeat(64)}`, timestamp: now },
});

describe('an arrival', () => {
  it('becomes an unconfirmed deposit at the current price', () => {
    const catalogue = new Map([[USDC, { decimals: 6, usdPrice: '0.999' }]]);
    expect(depositOf(payment, arrival(), catalogue, uuidv7)).toMatchObject({
      token: USDC,
      amount: 7n,
      decimals: 6,
      usdPrice: '0.999',
      sender: OWNER.toLowerCase(),
      blockNumber: 12n,
      confirmed: false,
    });
  });

  it("needs no catalogue in the payment's own token", () => {
    expect(depositOf(payment, arrival(), new Map(), uuidv7)).toMatchObject({ usdPrice: null });
  });

  it.each(['0xab', '0X'.padEnd(66, 'a'), ' '.padEnd(66, 'a')])(
    'is refused with the transaction hash %s',
    (hash) => {
      const wrong = { ...arrival(), transactionHash: hash as Hash };
      expect(() => depositOf(payment, wrong, new Map(), uuidv7)).toThrow('check the node');
    },
  );

  it('is refused with a sender that is no address', () => {
    const wrong = { ...arrival(), from: '0xno-address' as const };
    expect(() => depositOf(payment, wrong, new Map(), uuidv7)).toThrow('check the node');
  });

  it('is ignored in an unlisted token', () => {
    const unknown = arrival(developmentAddresses.wbtc);
    expect(depositOf(payment, unknown, new Map(), uuidv7)).toBeNull();
  });
});

describe('a payment', () => {
  const deposit = aDeposit({ token: USDT, blockNumber: 12n, confirmed: false });
  const deposited = withDeposits(payment, [deposit]);

  it('is unchanged when a block is read again', () => {
    expect(withDeposits(deposited, [{ ...deposit, id: uuidv7() }])).toBe(deposited);
  });

  it('has one deposit where a read tells it twice', () => {
    const again = { ...deposit, id: uuidv7(), amount: 10n ** 12n };
    expect(newDeposits(payment, [deposit, again])).toEqual([deposit]);
  });

  it.each<[string, Partial<Deposit>]>([
    ['chain', { chain: 'betanet' }],
    ['transaction', { transactionHash: `0x${'d'.repeat(64)}` }],
    ['position', { position: 'log:1' }],
    ['block', { blockHash: `0x${'c'.repeat(64)}`, blockNumber: 13n, amount: 10n ** 12n }],
  ])('has a second deposit when its %s differs', (_what, change) => {
    const second = { ...deposit, id: uuidv7(), ...change };
    expect(withDeposits(deposited, [second]).deposits).toEqual([deposit, second]);
  });

  it('is unchanged while none of its deposits became final', () => {
    expect(withConfirmed(deposited, 'alphanet', 11n)).toBe(deposited);
    expect(withConfirmed(deposited, 'betanet', 12n)).toBe(deposited);
    expect(withConfirmed(deposited, 'alphanet', 12n).deposits[0]?.confirmed).toBe(true);
  });

  it('has only deposits up to the height confirmed', () => {
    const higher = aDeposit({ token: USDT, blockNumber: 13n, confirmed: false });
    const after = withConfirmed(withDeposits(deposited, [higher]), 'alphanet', 12n);
    expect(after.deposits.map(({ confirmed }) => confirmed)).toEqual([true, false]);
  });

  it('drops only deposits from blocks that a reorg removed', () => {
    expect(withoutBlocks(deposited, 'alphanet', 13n, now)).toBe(deposited);
    expect(withoutBlocks(deposited, 'betanet', 1n, now)).toBe(deposited);
    expect(withoutBlocks(deposited, 'alphanet', 12n, now).deposits).toEqual([]);
  });

  it('keeps the deposits below the removed blocks', () => {
    const higher = aDeposit({ token: USDT, blockNumber: 13n });
    const after = withoutBlocks(withDeposits(deposited, [higher]), 'alphanet', 13n, now);
    expect(after.deposits).toEqual([deposit]);
  });

  it('has a mined withdrawal pending again when its block is removed', () => {
    const withdrawn = { ...payment, withdrawals: [aMinedWithdrawal(12n)] };
    expect(withoutBlocks(withdrawn, 'alphanet', 13n, now)).toBe(withdrawn);
    expect(withoutBlocks(withdrawn, 'betanet', 12n, now)).toBe(withdrawn);
    expect(withoutBlocks(withdrawn, 'alphanet', 12n, now).withdrawals).toMatchObject([
      { status: 'PENDING', mined: null },
    ]);
  });

  it('is unchanged by a reorg while its withdrawal is not mined', () => {
    const asked = { ...payment, withdrawals: [{ ...aMinedWithdrawal(12n), mined: null }] };
    expect(withoutBlocks(asked, 'alphanet', 0n, now)).toBe(asked);
  });
});
