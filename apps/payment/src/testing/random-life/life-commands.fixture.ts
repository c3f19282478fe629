import fc from 'fast-check';
import type { CheckoutStatus } from '../../life-cycle/payment-record.js';
import {
  depositCall,
  eventDelivery,
  listing,
  ownerWish,
  reorganisedBlocks,
} from './life-draws.fixture.js';
import type { SimulatedWorld } from './simulated-world.fixture.js';

/** A step of a payment's life; its name shows in a failure. */
class Step implements fc.Command<object, SimulatedWorld> {
  constructor(
    private readonly name: string,
    private readonly act: (world: SimulatedWorld) => void,
  ) {}

  check(): boolean {
    return true;
  }

  run(_model: object, world: SimulatedWorld): void {
    this.act(world);
  }

  toString(): string {
    return this.name;
  }
}

/** Within a block, past a withdrawal's death, past the deadlines. */
const SECONDS = [1, 15, 120, 700, 2_000, 90_000, 1_300_000];
const ORDERS: CheckoutStatus[] = [
  'AWAITING_PAYMENT',
  'PROCESSING',
  'DELIVERED',
  'FAILED',
  'REFUNDED',
  'UNKNOWN',
];

/** Transactions until the process dies. */
const writes = fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 4 }));

const deposit = depositCall.map(
  (call) =>
    new Step(`deposit(${call.amount} ${call.token} from ${call.sender})`, ({ chain }) =>
      chain.submit({ kind: 'deposit', ...call }),
    ),
);

const block = fc
  .oneof(
    { weight: 6, arbitrary: fc.constantFrom(1, 15, 120) },
    { weight: 1, arbitrary: fc.constantFrom(...SECONDS) },
  )
  .map((seconds) => new Step(`block(${seconds} s)`, ({ chain }) => chain.mine(seconds)));

const reorganisation = reorganisedBlocks.map(
  ({ depth, isLost }) =>
    new Step(`reorganise(${depth}${isLost ? ', lost' : ''})`, ({ chain }) =>
      chain.reorganise(depth, isLost),
    ),
);

const work = fc
  .record({
    kind: fc.constantFrom(
      'scan' as const,
      'executeLeg' as const,
      'applyDeadlines' as const,
      'screenSenders' as const,
    ),
    writes,
  })
  .map(
    ({ kind, writes: count }) =>
      new Step(`${kind}(${count === Infinity ? '' : `killed after ${count} writes`})`, (world) =>
        world.service.run(kind, count),
      ),
  );

const withdrawal = ownerWish.map(
  (wish) =>
    new Step(`withdraw(${JSON.stringify(wish)})`, ({ withdrawals, chain, service }) => {
      // The withdrawal service refuses one of a tainted payment.
      const isRefused = service.payment.status === 'TAINTED' && !wish.isFromOutside;
      if (chain.head.wallet[wish.token] > 1n && !isRefused) withdrawals.submit(wish);
    }),
);

const event = eventDelivery.map(
  ({ index, isRepeated }) =>
    new Step(`event(${index}${isRepeated ? ', again later' : ''})`, (world) =>
      world.handleEvent(index, isRepeated),
    ),
);

const order = fc.constantFrom(...ORDERS).map(
  (status) =>
    new Step(`order(${status})`, (world) => {
      const isPaid = status === 'PROCESSING' || status === 'DELIVERED';
      const paidAt = isPaid ? new Date(world.chain.head.time * 1000) : null;
      world.order = { ...world.order, status, paidAt: world.order.paidAt ?? paidAt };
    }),
);

const market = fc
  .boolean()
  .map(
    (isOpen) =>
      new Step(
        `market(${isOpen ? 'open' : 'closed'})`,
        ({ chain }) => (chain.isMarketOpen = isOpen),
      ),
  );

const screening = fc.oneof(
  listing.map(
    ({ sender, isListed }) =>
      new Step(`screening(${sender} ${isListed ? 'sanctioned' : 'clear'})`, (world) =>
        world.screening.setListed(sender, isListed),
      ),
  ),
  fc.boolean().map(
    (isAvailable) =>
      new Step(`screening(${isAvailable ? '' : 'un'}available)`, (world) => {
        world.screening.isAvailable = isAvailable;
      }),
  ),
);

const poll = fc.constant(new Step('poll()', (world) => world.poll()));
const settleWithdrawals = fc.constant(
  new Step('settleWithdrawals()', ({ withdrawals }) => withdrawals.settle()),
);
const settle = fc.constant(new Step('settle()', (world) => world.settle()));

/** A life of a payment: what users, owners, chains, providers and crashes do, in any order. */
export const lifeSteps = (maxSteps: number) =>
  fc.commands(
    [
      deposit,
      deposit,
      block,
      block,
      block,
      reorganisation,
      work,
      work,
      work,
      withdrawal,
      withdrawal,
      event,
      event,
      order,
      poll,
      market,
      screening,
      settleWithdrawals,
      settle,
    ],
    { maxCommands: maxSteps, size: 'max' },
  );
