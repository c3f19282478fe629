import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lifeSteps } from '../testing/random-life/life-commands.fixture.js';
import { SimulatedWorld } from '../testing/random-life/simulated-world.fixture.js';

const STATUSES = [
  'PENDING',
  'COMPLETE',
  'FAILED',
  'EXPIRED',
  'WITHDRAWN',
  'WITHDRAW_PENDING',
  'TAINTED',
];

/** `npm run prove -- life-cycle` takes more steps than the gate, and new ones each time. */
const isLong = process.env['PROVE_LONG'] === '1';
const STEPS = isLong ? 100_000 : 10_000;
const TIMEOUT_MS = isLong ? 3_600_000 : 180_000;
const STEPS_OF_A_LIFE = 60;
/** Enough, since the average life is half as long as the longest. */
const LIVES = Math.ceil((STEPS / STEPS_OF_A_LIFE) * 3);

/** Prints a line for each ten thousand steps. */
function printProgress(before: number, steps: number): void {
  const thousands = Math.floor(steps / 10_000) * 10;
  if (thousands * 1_000 > before) process.stdout.write(`${thousands},000 steps\n`);
}

describe('the life cycle', () => {
  it(
    `ends every one of ${STEPS} random steps as its table says`,
    () => {
      let steps = 0;
      const reached = new Set<string>();
      const kind = fc.constantFrom('token' as const, 'onramp' as const);
      const life = fc.property(kind, lifeSteps(STEPS_OF_A_LIFE), (of, commands) => {
        const world = new SimulatedWorld(of);
        fc.modelRun(() => ({ model: {}, real: world }), commands);
        world.settle();
        world.reached.forEach((status) => reached.add(status));
        const before = steps;
        steps += [...commands].length;
        if (isLong) printProgress(before, steps);
      });
      fc.assert(life, { numRuns: LIVES });
      expect(steps).toBeGreaterThanOrEqual(STEPS);
      expect([...reached].sort()).toEqual([...STATUSES].sort());
    },
    TIMEOUT_MS,
  );
});
