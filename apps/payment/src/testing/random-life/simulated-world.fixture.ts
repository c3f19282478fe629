import { expect } from '@jest/globals';
import { checkoutOpened, checkoutRequested } from '../../life-cycle/checkouts.js';
import type { PlannedOnramp, ReportedOrder } from '../../life-cycle/checkouts.js';
import type { PaymentRecord } from '../../life-cycle/payment-record.js';
import { reportedStatus } from '../../life-cycle/transitions.js';
import { holdings } from '../../life-cycle/wallet-ledger.js';
import { anOnrampPayment, aPayment, CONFIRMED_AT, minutesAfter } from '../a-payment.fixture.js';
import {
  ALLOWED_CHANGES,
  allowedStatuses,
  exceedsLimit,
  type ChainEvent,
  type ModelStatus,
  type Sender,
} from './life-cycle-model.fixture.js';
import { SimulatedChain } from './simulated-chain.fixture.js';
import { SimulatedScreening } from './simulated-screening.fixture.js';
import { holdingsOf, SimulatedService } from './simulated-service.fixture.js';
import { SimulatedWithdrawals } from './simulated-withdrawals.fixture.js';

const CONFIRMATIONS = 3;
const QUIET_ROUNDS = 6;
const MAX_ROUNDS = 200;
const DAY_SECONDS = 86_400;

type Order = Omit<ReportedOrder, 'askedAt'>;
const UNPAID: Order = {
  status: 'AWAITING_PAYMENT',
  paidAt: null,
  transactionHash: null,
  failure: null,
};

const secondsOf = (date: Date): number => date.getTime() / 1000;
const statusOf = (payment: PaymentRecord) => reportedStatus(payment, false) as ModelStatus;

/** One payment, its wallet's chain and the parties around it; every write is held against the life-cycle table. */
export class SimulatedWorld {
  readonly chain: SimulatedChain;
  readonly service: SimulatedService;
  readonly withdrawals: SimulatedWithdrawals;
  readonly screening = new SimulatedScreening();
  readonly isOnramp: boolean;
  /** Statuses that the payment has had. */
  readonly reached = new Set<string>();
  order: Order = UNPAID;
  #hasStepFailed = false;
  #wasOrderLost = false;
  #wasTainted = false;
  /** Answers of the provider about a payment of the checkout in time. */
  readonly #paidInTime = new Set<boolean>();

  constructor(kind: 'token' | 'onramp') {
    this.isOnramp = kind === 'onramp';
    const payment = this.isOnramp ? openedOnramp() : aPayment().build();
    const { plan, declarationExpiresAt } = payment;
    const terms = {
      required: BigInt(plan.deposit.required_amount),
      maxInput: BigInt(plan.legs[0]?.max_input ?? 0),
      expiresAt: secondsOf(declarationExpiresAt),
    };
    this.chain = new SimulatedChain(terms, secondsOf(CONFIRMED_AT), CONFIRMATIONS);
    this.service = new SimulatedService(this.chain, this.screening, payment, (before, after) => {
      this.#expectAllowedChange(before, after);
    });
    this.withdrawals = new SimulatedWithdrawals(this.chain, payment.id);
  }

  /** Has the service learn the provider's answer. */
  poll(): void {
    if (!this.isOnramp) return;
    this.service.poll(this.order);
    const { checkout, initiateFundBy } = this.service.payment;
    const isPaid = checkout?.paidAt != null && checkout.paidAt <= initiateFundBy;
    const isAnswered = this.order.status !== 'UNKNOWN';
    const isTooLate = this.chain.head.time > secondsOf(initiateFundBy);
    // "Not paid" says nothing before the deadline.
    if (isPaid || (isAnswered && isTooLate)) this.#paidInTime.add(isPaid);
    if (['FAILED', 'REFUNDED'].includes(this.order.status)) this.#wasOrderLost = true;
  }

  handleEvent(index: number, isRepeated: boolean): void {
    const { events } = this.withdrawals;
    const event = events[index % Math.max(events.length, 1)];
    if (!event) return;
    this.withdrawals.handled(event);
    this.service.handle(event);
    if (!isRepeated) events.splice(events.indexOf(event), 1);
  }

  /** Lets everybody finish, and compares the payment with the model and its money with the chain. */
  settle(): void {
    // An unreachable provider is waited for.
    if (this.order.status === 'UNKNOWN') this.order = { ...this.order, status: 'AWAITING_PAYMENT' };
    this.screening.isAvailable = true;
    let quiet = 0;
    for (let round = 0; quiet < QUIET_ROUNDS; round += 1) {
      if (round > MAX_ROUNDS) throw new Error('the payment does not come to rest');
      const before = this.service.payment.version;
      this.chain.mine(1);
      this.withdrawals.settle();
      // The newest first, so that older ones come too late.
      const { events } = this.withdrawals;
      while (events.length > 0) this.handleEvent(events.length - 1, false);
      this.service.run('scan');
      this.poll();
      this.service.run('screenSenders');
      this.service.run('executeLeg');
      this.service.run('applyDeadlines');
      quiet = this.service.payment.version === before && this.chain.isIdle ? quiet + 1 : 0;
    }
    this.#expectAllowedStatus();
    if (this.#isOwed()) expect(statusOf(this.service.payment)).toBe('COMPLETE');
    this.#expectAllMoneyAccounted();
  }

  /** Funded in time, and nobody stands against it: the payment has to be paid out by now. */
  #isOwed(): boolean {
    const { payment } = this.service;
    const { terms, head, isMarketOpen } = this.chain;
    const { listed, hit } = this.screening;
    const events = this.#finalEvents();
    // An attempt that failed is repeated later than the world comes to rest.
    const isTried = payment.legs.some(({ failure }) => failure !== null);
    const isObjected = listed.size > 0 || hit.size > 0 || this.#wasOrderLost;
    const isTouched = this.withdrawals.isAnyOpen || events.some(({ kind }) => kind === 'withdrawn');
    if (!isMarketOpen || isTried || isObjected || isTouched || head.time > terms.expiresAt) {
      return false;
    }
    return this.#askedUntil(payment.initiateFundBy) >= terms.required;
  }

  /** Sum of the asked token in final blocks until a time. */
  #askedUntil(time: Date): bigint {
    return this.#finalBlocks()
      .filter((block) => block.time <= secondsOf(time))
      .flatMap(({ events }) => events)
      .reduce(
        (sum, event) =>
          event.kind === 'deposit' && event.token === 'asked' ? sum + event.amount : sum,
        0n,
      );
  }

  #expectAllowedChange(before: PaymentRecord, after: PaymentRecord): void {
    const [from, to] = [statusOf(before), statusOf(after)];
    this.reached.add(after.status);
    if (from !== to) expect(ALLOWED_CHANGES[from]).toContain(to);
    const hasStarted = after.legs[0]?.status === 'EXECUTING' && before.legs[0] !== after.legs[0];
    if (hasStarted && before.legs[0]?.status !== 'EXECUTING') {
      this.#expectFunded(before);
      this.#expectScreened();
    }
    if (to === 'TAINTED' && from !== 'TAINTED') this.#expectSanctioned();
    if (from === 'PENDING' && to === 'FAILED') this.#hasStepFailed ||= this.#isStepLost(after);
  }

  /** A step fails for good when its attempts are over; the declaration's expiry is the model's to judge. */
  #isStepLost = ({ legs }: PaymentRecord): boolean =>
    legs.some(({ failure }) => failure !== null && failure.reason !== 'expired');

  #expectFunded(payment: PaymentRecord): void {
    expect(payment.status).toBe('PENDING');
    expect(this.withdrawals.handledOpen()).toEqual([]);
    const { initiateFundBy, declarationExpiresAt } = payment;
    const fundBy = this.#paidInTime.has(true) ? declarationExpiresAt : initiateFundBy;
    expect(this.#askedUntil(fundBy)).toBeGreaterThanOrEqual(this.chain.terms.required);
  }

  #expectScreened(): void {
    expect(this.screening.isAvailable).toBe(true);
    expect(this.screening.listed.has('owner')).toBe(false);
    const { cleared } = this.screening;
    // Senders are screened as their deposits are found.
    const found = this.#finalBlocks().filter(
      ({ time }) => time <= secondsOf(this.service.confirmedUpTo),
    );
    const events = found.flatMap((block) => block.events);
    expect(exceedsLimit(events, (sender) => !cleared.has(sender))).toBe(false);
  }

  #expectSanctioned(): void {
    const { hit } = this.screening;
    const isExceeded = exceedsLimit(this.#finalEvents(), (sender) => hit.has(sender));
    expect(hit.has('owner') || isExceeded).toBe(true);
    this.#wasTainted = true;
  }

  #expectAllowedStatus(): void {
    const { payment } = this.service;
    const allowed = allowedStatuses({
      required: this.chain.terms.required,
      wasPaidInTime: this.#paidInTime.size === 0 ? [false] : [...this.#paidInTime],
      hasCheckout: this.isOnramp,
      fundBy: secondsOf(payment.initiateFundBy),
      expiresAt: this.chain.terms.expiresAt,
      blocks: this.#finalBlocks(),
      isWithdrawing: this.withdrawals.isAnyOpen,
      hasStepFailed: this.#hasStepFailed,
      wasOrderLost: this.#wasOrderLost,
      wasTainted: this.#wasTainted,
    });
    const { latest } = this.screening;
    const isSanctioned = (sender: Sender) => latest.get(sender) === true;
    if (exceedsLimit(this.#finalEvents(), isSanctioned)) {
      expect(['TAINTED', 'WITHDRAWN', 'COMPLETE']).toContain(statusOf(payment));
    }
    expect([...allowed]).toContain(statusOf(payment));
    if (!this.withdrawals.isAnyOpen) expect(payment.status).not.toBe('WITHDRAW_PENDING');
    else expect(['WITHDRAW_PENDING', 'WITHDRAWN', 'COMPLETE', 'TAINTED']).toContain(payment.status);
  }

  #expectAllMoneyAccounted(): void {
    const amounts = (list: readonly { token: string; amount: bigint }[]) =>
      Object.fromEntries(list.map(({ token, amount }) => [token, amount]));
    const { payment } = this.service;
    expect(amounts(holdings(payment))).toEqual(amounts(holdingsOf(this.chain.final)));
    const events = this.#finalEvents();
    expect(payment.funded).toBe(events.some(({ kind }) => kind === 'deposit'));
    const executed = events.filter(({ kind }) => kind === 'executed').length;
    if (!this.#wasTainted) expect(executed).toBe(statusOf(payment) === 'COMPLETE' ? 1 : 0);
    else expect(executed).toBeLessThanOrEqual(1);
  }

  #finalEvents(): ChainEvent[] {
    return this.#finalBlocks().flatMap(({ events }) => events);
  }

  #finalBlocks() {
    const { blocks, final } = this.chain;
    return blocks.slice(0, final.number + 1).map(({ time, mined }) => ({
      time,
      events: mined.flatMap(({ event }): ChainEvent[] => (event ? [event] : [])),
    }));
  }
}

function openedOnramp(): PaymentRecord {
  const payment = anOnrampPayment().build();
  const requested = checkoutRequested(payment, payment.plan.funding as PlannedOnramp);
  return checkoutOpened(requested, {
    checkoutId: 'c1',
    url: 'https://ramp.example/c1',
    expiresAt: minutesAfter(DAY_SECONDS / 60),
    pollAt: minutesAfter(1),
  });
}
