import { FaultTrap } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { CHAINS } from '../testing/crossing.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { CROSSING_KINDS, drawCrossings } from '../testing/random-life/crossing-steps.fixture.js';
import { CrossingWorld } from '../testing/random-life/crossing-world.fixture.js';

/** `npm run prove -- life-cycle` takes more lives than the gate, and new ones each time; `LIFE_SEED` repeats them. */
const isLong = process.env['PROVE_LONG'] === '1';
const SEED = Number(process.env['LIFE_SEED'] ?? (isLong ? randomInt(2 ** 31) : 85));
const LIVES = drawCrossings(SEED, { lives: isLong ? 40 : 4, steps: 12 });

describe('the life cycle of a crossing', () => {
  const fault = new FaultTrap();
  let stack: PaymentStack;

  beforeAll(async () => {
    stack = await PaymentStack.start(
      {
        EXECUTION_RETRY_MS: '300',
        // Longer than a life: no step fails for good while the solver refuses.
        EXECUTION_PATIENCE_MS: '3600000',
        EXECUTION_MAX_TRANSACTIONS: '1000',
      },
      CHAINS,
    );
  });
  afterEach(async () => {
    fault.disarm();
    await stack.stopServices();
  });
  afterAll(() => stack.stop());

  it('takes random steps of every kind', () => {
    if (isLong) process.stdout.write(`LIFE_SEED=${SEED} repeats these lives\n`);
    const kinds = new Set<string>(LIVES.flatMap(({ steps }) => steps.map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual([...CROSSING_KINDS].sort());
  });

  it.each(LIVES.map((life, index) => ({ ...life, number: index + 1 })))(
    'pays life $number once, or leaves its money to its owner (delivered: $isDelivered)',
    async ({ steps, isDelivered }) => {
      try {
        const world = await CrossingWorld.begin(stack, fault);
        for (const step of steps) await world.take(step);
        const ends = isDelivered ? ['COMPLETE'] : ['COMPLETE', 'WITHDRAWN', 'FAILED'];
        expect(ends).toContain(await world.settle(isDelivered));
      } catch (error) {
        const taken = steps.map(({ kind, ...rest }) => `${kind} ${Object.values(rest).join(' ')}`);
        const story = `LIFE_SEED=${SEED} repeats this life:\n${taken.join('\n')}`;
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${story}`, {
          cause: error,
        });
      }
    },
  );
});
