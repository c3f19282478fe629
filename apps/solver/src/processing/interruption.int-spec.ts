import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultPoint } from '@bascule/process';
import { FaultTrap } from '@bascule/testing';
import { delivered, SOLVER, SolverStage } from '../testing/solver-stage.fixture.js';

const fault = new FaultTrap();
const AMOUNT = 100_000_000n;

// The first pass of a point is before its commit, the second one after it, where there are two; of a transaction, the
// first one is the fill's, the second one the claim's.
const MOMENTS: [FaultPoint, number][] = [
  ['solver.order-seen', 1],
  ['solver.order-seen', 2],
  ['solver.fill-recorded', 1],
  ['solver.fill-recorded', 2],
  ['transactions.recorded', 1],
  ['transactions.broadcast', 1],
  ['solver.fill-settled', 1],
  ['solver.fill-settled', 2],
  ['solver.claim-recorded', 1],
  ['solver.claim-recorded', 2],
  ['transactions.recorded', 2],
  ['transactions.broadcast', 2],
  ['solver.claim-settled', 1],
  ['solver.claim-settled', 2],
];

describe('a solver that crashes', () => {
  let stage: SolverStage;

  beforeAll(async () => {
    stage = await SolverStage.start();
    // Grants the allowances first, so that only orders cause transactions later.
    await stage.startProcess();
    await stage.stopProcesses();
  });
  afterEach(async () => {
    fault.disarm();
    await stage.stopProcesses();
  });
  afterAll(() => stage.stop());

  it.each(MOMENTS)(
    'at %s, pass %i, leaves an order that the next process fills and claims once',
    async (point, pass) => {
      const dying = await stage.startProcess();
      const before = await Promise.all([
        stage.balance('alphanet', SOLVER),
        stage.balance('betanet', SOLVER),
      ]);
      const death = fault.arm(point, pass);
      const { wallet, transfer } = await stage.open(dying, { amount: AMOUNT });
      await death;
      await stage.stopProcess(dying);
      fault.disarm();
      await stage.letLeasesRunOut();

      await stage.startProcess();
      await stage.becomes(transfer, 'CLAIMED');
      const paid = delivered(AMOUNT);
      expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
      expect(await stage.balance('betanet', wallet.address)).toBe(paid);
      expect(await stage.balance('betanet', SOLVER)).toBe(before[1] - paid);
      expect(await stage.balance('alphanet', SOLVER)).toBe(before[0] + AMOUNT);
    },
  );
});
