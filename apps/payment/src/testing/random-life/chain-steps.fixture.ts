import type { FaultPoint } from '@bascule/process';
import fc from 'fast-check';
import {
  depositCall,
  eventDelivery,
  listing,
  ownerWish,
  reorganisedBlocks,
} from './life-draws.fixture.js';
import type { Sender, WalletToken } from './life-cycle-model.fixture.js';
import type { OwnerWish } from './simulated-withdrawals.fixture.js';

/** Points of a process that works on a payment with one leg. */
const POINTS: FaultPoint[] = [
  'payment.deposit-seen',
  'payment.sender-screened',
  'payment.funded',
  'payment.leg-planned',
  'transactions.recorded',
  'transactions.broadcast',
  'payment.leg-settled',
  'payment.completed',
];

/** States of an order in the words of the provider. */
const ORDERS = [
  'payment_received',
  'payment_received',
  'payment_received',
  'completed',
  'declined',
  'refunded',
  'unheard-of',
] as const;

/** Event in the life of a payment on a real chain. */
export type ChainStep =
  | { kind: 'mine' | 'restart' | 'catchUp' }
  | { kind: 'deposit'; token: WalletToken; amount: bigint; sender: Sender }
  | { kind: 'reorganise'; depth: number; isLost: boolean }
  /** One that is not sent dies within seconds. */
  | ({ kind: 'withdraw'; isSent: boolean } & OwnerWish)
  | { kind: 'withdrawalEvent'; index: number; isRepeated: boolean }
  | { kind: 'deadline'; passed: 'funding' | 'declaration' }
  /** Callbacks get lost. */
  | { kind: 'order'; status: (typeof ORDERS)[number]; isCalledBack: boolean }
  | { kind: 'listing'; sender: Sender; isListed: boolean }
  | { kind: 'screening'; isAvailable: boolean }
  /** A leg fails while its action reverts, and for good where that lasts. */
  | { kind: 'target'; isReverting: boolean }
  /** The process dies when it passes the point: before or after its commit. */
  | { kind: 'crash'; point: FaultPoint; pass: number };

export const STEP_KINDS = [
  'mine',
  'restart',
  'catchUp',
  'deposit',
  'reorganise',
  'withdraw',
  'withdrawalEvent',
  'deadline',
  'order',
  'listing',
  'screening',
  'target',
  'crash',
] as const satisfies readonly ChainStep['kind'][];

export interface ChainLife {
  funding: 'token' | 'onramp';
  steps: ChainStep[];
}

const plain = (kind: 'mine' | 'restart' | 'catchUp'): fc.Arbitrary<ChainStep> =>
  fc.constant({ kind });
const seldom = fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0);

const WEIGHTED: { weight: number; arbitrary: fc.Arbitrary<ChainStep> }[] = [
  { weight: 4, arbitrary: depositCall.map((call) => ({ kind: 'deposit', ...call })) },
  { weight: 5, arbitrary: plain('mine') },
  { weight: 6, arbitrary: plain('catchUp') },
  { weight: 3, arbitrary: reorganisedBlocks.map((blocks) => ({ kind: 'reorganise', ...blocks })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(ownerWish, seldom)
      .map(([wish, isForgotten]) => ({ kind: 'withdraw', ...wish, isSent: !isForgotten })),
  },
  {
    weight: 2,
    arbitrary: eventDelivery.map((delivery) => ({ kind: 'withdrawalEvent', ...delivery })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('funding' as const, 'declaration' as const)
      .map((passed) => ({ kind: 'deadline', passed })),
  },
  { weight: 1, arbitrary: listing.map((change) => ({ kind: 'listing', ...change })) },
  { weight: 1, arbitrary: fc.boolean().map((isAvailable) => ({ kind: 'screening', isAvailable })) },
  { weight: 2, arbitrary: fc.boolean().map((isReverting) => ({ kind: 'target', isReverting })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ point: fc.constantFrom(...POINTS), pass: fc.integer({ min: 1, max: 2 }) })
      .map((moment) => ({ kind: 'crash', ...moment })),
  },
  { weight: 2, arbitrary: plain('restart') },
];

const order: fc.Arbitrary<ChainStep> = fc
  .record({ status: fc.constantFrom(...ORDERS), isCalledBack: fc.boolean() })
  .map((report) => ({ kind: 'order', ...report }));

const STEPS = {
  token: fc.oneof(...WEIGHTED),
  onramp: fc.oneof(...WEIGHTED, { weight: 3, arbitrary: order }),
};

/** Draws as many lives of payments that tokens fund as of those that an onramp funds. */
export function drawLives(seed: number, { lives, steps }: { lives: number; steps: number }) {
  return (['token', 'onramp'] as const).flatMap((funding): ChainLife[] =>
    fc
      .sample(fc.array(STEPS[funding], { minLength: steps, maxLength: steps }), {
        numRuns: lives / 2,
        seed,
      })
      .map((drawn) => ({ funding, steps: drawn })),
  );
}
