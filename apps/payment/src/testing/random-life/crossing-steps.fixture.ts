import type { FaultPoint } from '@bascule/process';
import fc from 'fast-check';
import type { SimulatedSolver } from '../simulated-solver.fixture.js';

const ONE_USDC = 1_000_000n;
/** Deposit that a crossing needs. */
export const REQUIRED = 100n * ONE_USDC;
const DEPOSITS = [40n * ONE_USDC, 60n * ONE_USDC, REQUIRED, REQUIRED];
/** Points of a process that works on a payment with two legs. */
const POINTS: FaultPoint[] = [
  'payment.deposit-seen',
  'payment.funded',
  'payment.leg-planned',
  'transactions.recorded',
  'transactions.broadcast',
  'payment.leg-bridged',
  'payment.leg-filled',
  'payment.leg-settled',
  'payment.completed',
];

/** Event in the life of a payment that crosses from one real chain to another. */
export type CrossingStep =
  | { kind: 'deposit'; amount: bigint }
  | { kind: 'mine'; chain: 'alphanet' | 'betanet' }
  | { kind: 'solver'; answers: SimulatedSolver['answers'] }
  /** Does nothing while no order is open. */
  | { kind: 'fill' }
  | { kind: 'crash'; point: FaultPoint; pass: number }
  | { kind: 'restart' }
  /** Waits until the service has seen both chains and tried what is due. */
  | { kind: 'catchUp' };

export const CROSSING_KINDS = [
  'deposit',
  'mine',
  'solver',
  'fill',
  'crash',
  'restart',
  'catchUp',
] as const satisfies readonly CrossingStep['kind'][];

export interface CrossingLife {
  /** Whether an order that is still open at the end is filled, or its window closes. */
  isDelivered: boolean;
  steps: CrossingStep[];
}

const WEIGHTED: { weight: number; arbitrary: fc.Arbitrary<CrossingStep> }[] = [
  {
    weight: 3,
    arbitrary: fc.constantFrom(...DEPOSITS).map((amount) => ({ kind: 'deposit', amount })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('alphanet' as const, 'betanet' as const)
      .map((chain) => ({ kind: 'mine', chain })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('quotes' as const, 'quotes' as const, 'refusals' as const, 'outages' as const)
      .map((answers) => ({ kind: 'solver', answers })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'fill' }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ point: fc.constantFrom(...POINTS), pass: fc.integer({ min: 1, max: 2 }) })
      .map((moment) => ({ kind: 'crash', ...moment })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'catchUp' }) },
];

/** Draws lives, of which every second order is delivered. */
export const drawCrossings = (
  seed: number,
  { lives, steps }: { lives: number; steps: number },
): CrossingLife[] =>
  fc
    .sample(fc.array(fc.oneof(...WEIGHTED), { minLength: steps, maxLength: steps }), {
      numRuns: lives,
      seed,
    })
    .map((drawn, index) => ({ isDelivered: index % 2 === 0, steps: drawn }));
