import { describe, expect, it } from '@jest/globals';
import type { SendersState, StoredPaymentStatus } from '@bascule/contracts';
import { aDeposit, aPayment, aPolicy, minutesAfter, OWNER } from '../testing/a-payment.fixture.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import type { Deposit } from './payment-record.js';
import {
  applyVerdicts,
  exceedsTaintLimit,
  sendersByValue,
  taint,
  UNKNOWN_SENDER,
} from './sanctions.js';

const ONE = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const from = (sender: string, amount: bigint, over: Partial<Deposit> = {}): Partial<Deposit> => ({
  sender,
  amount,
  ...over,
});
const now = minutesAfter(3);
const BOTH_SANCTIONED = new Map([
  [ONE, true],
  [OTHER, true],
]);

/** Status after these deposits, with both senders sanctioned. */
const statusAfter = (...deposits: Partial<Deposit>[]): StoredPaymentStatus => {
  const payment = deposits.reduce((built, deposit) => built.deposited(deposit), aPayment());
  return applyVerdicts(payment.build(), BOTH_SANCTIONED, aPolicy, now).status;
};

/** State of the senders after these deposits. */
const sendersAfter = (
  verdicts: [string, boolean][],
  ...deposits: Partial<Deposit>[]
): SendersState => {
  const payment = deposits.reduce((built, deposit) => built.deposited(deposit), aPayment());
  return applyVerdicts(payment.build(), new Map(verdicts), aPolicy, now).senders;
};

describe('taint', () => {
  it.each<StoredPaymentStatus>(['PENDING', 'EXPIRED', 'FAILED', 'WITHDRAWN', 'WITHDRAW_PENDING'])(
    'taints a payment that is %s',
    (status) => {
      const tainted = taint(aPayment().with({ status }).build(), 'destination', now);
      expect(tainted).toMatchObject({ status: 'TAINTED', taintedBy: 'destination' });
    },
  );

  it.each<StoredPaymentStatus>(['COMPLETE', 'TAINTED'])('leaves a payment that is %s', (status) => {
    const payment = aPayment().with({ status }).build();
    expect(taint(payment, 'owner', now)).toBe(payment);
  });

  it('leaves a tainted payment as it is while a withdrawal from outside is pending', () => {
    const pair = { status: 'WITHDRAW_PENDING', statusBeforeWithdrawal: 'TAINTED' } as const;
    const payment = aPayment().with(pair).build();
    expect(taint(payment, 'owner', now)).toBe(payment);
  });
});

describe('applyVerdicts', () => {
  it('taints beyond one dollar, not at it', () => {
    expect(statusAfter(from(ONE, 1_000_000n))).toBe('PENDING');
    expect(statusAfter(from(ONE, 1_000_001n))).toBe('TAINTED');
  });

  it('sums deposits and senders', () => {
    expect(statusAfter(from(ONE, 600_000n), from(ONE, 600_000n))).toBe('TAINTED');
    expect(statusAfter(from(ONE, 600_000n), from(OTHER, 600_000n))).toBe('TAINTED');
  });

  it('counts senders in any letter case, and no others', () => {
    expect(statusAfter(from(ONE.toUpperCase().replace('0X', '0x'), 9_000_000n))).toBe('TAINTED');
    expect(statusAfter(from(OWNER, 9_000_000n), from(ONE, 900_000n))).toBe('PENDING');
  });

  it('counts confirmed deposits only: a reorganisation must not freeze a payment', () => {
    expect(statusAfter(from(ONE, 9_000_000n, { confirmed: false }))).toBe('PENDING');
  });

  it('takes the quote’s price where the deposit has none', () => {
    expect(statusAfter(from(ONE, 1_000_001n, { usdPrice: null }))).toBe('TAINTED');
    expect(statusAfter(from(ONE, 1n, { usdPrice: null }))).toBe('PENDING');
  });

  it('taints by a planned token without any price, and ignores other tokens without one', () => {
    const unpriced = aPayment().with({ currentPrices: {} });
    const deposit = aDeposit(from(ONE, 1n, { usdPrice: null }));
    const statusWith = (token: Deposit['token']) => {
      const payment = unpriced.deposited({ ...deposit, token }).build();
      return applyVerdicts(payment, BOTH_SANCTIONED, aPolicy, now).status;
    };
    expect(statusWith(USDC)).toBe('TAINTED');
    expect(statusWith('alphanet:0x00000000000000000000000000000000000000cc')).toBe('PENDING');
  });

  describe('a deposit of a token outside the plan without a price', () => {
    const token = 'alphanet:0x00000000000000000000000000000000000000cc';
    const unpriced = (sender: string, over: Partial<Deposit> = {}) =>
      from(sender, 1n, { token, usdPrice: null, ...over });
    const after = (verdicts: [string, boolean][], ...deposits: Partial<Deposit>[]) => {
      const built = deposits.reduce((it, deposit) => it.deposited(deposit), aPayment());
      return applyVerdicts(built.build(), new Map(verdicts), aPolicy, now);
    };

    it('waits for the verdict, also before it is final', () => {
      const states = [{}, { confirmed: false }].map((over) => after([], unpriced(ONE, over)));
      expect(states).toMatchObject([
        { senders: 'WAITING', frozenTokens: [] },
        { senders: 'WAITING', frozenTokens: [] },
      ]);
    });

    it('freezes the token of a sanctioned sender, and nothing else', () => {
      const state = { status: 'PENDING', senders: 'CLEAR', frozenTokens: [token] };
      expect(after([[ONE, true]], unpriced(ONE))).toMatchObject(state);
      expect(after([[ONE, true]], unpriced(ONE, { confirmed: false }))).toMatchObject(state);
      const other = 'alphanet:0x00000000000000000000000000000000000000bb';
      const mixed = after(
        [
          [ONE, true],
          [OTHER, false],
        ],
        unpriced(ONE),
        unpriced(ONE),
        unpriced(OTHER, { token: other }),
        from(OTHER, 9_000_000n),
      );
      expect(mixed).toMatchObject(state);
    });

    it('frees it once a reorganisation has removed the deposit', () => {
      const frozen = after([[ONE, true]], unpriced(ONE));
      const freed = applyVerdicts({ ...frozen, deposits: [] }, BOTH_SANCTIONED, aPolicy, now);
      expect(freed.frozenTokens).toEqual([]);
      expect(applyVerdicts(frozen, BOTH_SANCTIONED, aPolicy, now)).toBe(frozen);
    });
  });

  it.each<[string, [string, boolean][], Partial<Deposit>[], SendersState]>([
    ['without a deposit', [], [], 'CLEAR'],
    ['of dust without a verdict', [], [from(ONE, 900_000n)], 'CLEAR'],
    ['of more without a verdict', [], [from(ONE, 1_000_001n)], 'WAITING'],
    [
      'of more that is not final and without a verdict',
      [],
      [from(ONE, 1_000_001n, { confirmed: false })],
      'WAITING',
    ],
    ['that are clear', [[ONE, false]], [from(ONE, 9_000_000n)], 'CLEAR'],
    ['that are sanctioned', [[ONE, true]], [from(ONE, 9_000_000n)], 'TAINTED'],
    ['of sanctioned dust', [[ONE, true]], [from(ONE, 900_000n)], 'CLEAR'],
    [
      'of sanctioned dust, and of dust without a verdict that may exceed the limit with it',
      [[ONE, true]],
      [from(ONE, 900_000n), from(OTHER, 900_000n)],
      'WAITING',
    ],
    [
      'of a sanctioned deposit that is not final',
      [[ONE, true]],
      [from(ONE, 9_000_000n, { confirmed: false })],
      'WAITING',
    ],
  ])('records the state of senders %s', (_, verdicts, deposits, state) => {
    expect(sendersAfter(verdicts, ...deposits)).toBe(state);
  });

  it('waits for a sender that cannot be known beyond the limit, unless it is accepted', () => {
    const unknown = { sender: null, position: `balance:${ONE}`, confirmed: true };
    expect(sendersAfter([], { ...unknown, amount: 1_000_000n })).toBe('CLEAR');
    expect(sendersAfter([], { ...unknown, amount: 1_000_001n })).toBe('WAITING');
    const payment = aPayment()
      .deposited({ ...unknown, amount: 1_000_001n })
      .build();
    const accepting = { ...aPolicy, acceptsUnknownSenders: true };
    expect(applyVerdicts(payment, new Map(), accepting, now).senders).toBe('CLEAR');
    expect(exceedsTaintLimit(payment, new Set([UNKNOWN_SENDER]), aPolicy)).toBe(true);
    expect(exceedsTaintLimit(payment, new Set([UNKNOWN_SENDER]), accepting)).toBe(false);
  });

  it('records tainted senders of a complete payment, which stays complete', () => {
    const payment = aPayment().complete().deposited(from(ONE, 9_000_000n)).build();
    const after = applyVerdicts(payment, BOTH_SANCTIONED, aPolicy, now);
    expect(after).toMatchObject({ status: 'COMPLETE', senders: 'TAINTED' });
  });

  it('changes nothing by a verdict that changes no state', () => {
    const payment = aPayment().deposited(from(ONE, 9_000_000n)).build();
    expect(applyVerdicts(payment, new Map([[ONE, false]]), aPolicy, now)).toBe(payment);
  });

  it('starts no leg of a tainted payment', () => {
    const funded = aPayment().deposited({ sender: ONE });
    const tainted = funded.changed(
      (payment, time) => applyVerdicts(payment, BOTH_SANCTIONED, aPolicy, time),
      now,
    );
    expect(funded.build().legs[0]?.dueAt).not.toBeNull();
    expect(tainted.build().legs[0]?.dueAt).toBeNull();
    expect(() => tainted.submitted()).toThrow('leg 0 of TAINTED payment');
  });
});

describe('sendersByValue', () => {
  it('puts the most valuable first, whatever the decimals of their tokens', () => {
    const ether = { token: WETH, decimals: 18, usdPrice: '3000' };
    const payment = aPayment()
      .deposited(from(ONE, 1_000_000_000_000n, ether))
      .deposited(from(OTHER, 2_000_000n))
      .deposited(from(OWNER, 1_500_000n))
      .deposited(from(OWNER, 1_500_000n))
      .deposited(
        from('0x00000000000000000000000000000000000000cc', 9_000_000n, { confirmed: false }),
      )
      .build();
    expect(sendersByValue(payment)).toEqual([OWNER.toLowerCase(), OTHER, ONE]);
  });

  it('puts planned tokens without a price first', () => {
    const unpriced = { usdPrice: null };
    const payment = aPayment()
      .with({ currentPrices: {} })
      .deposited(from(OTHER, 2_000_000n))
      .deposited(from(ONE, 1n, unpriced))
      .build();
    expect(sendersByValue(payment)).toEqual([ONE, OTHER]);
  });
});
