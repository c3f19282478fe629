import { afterAll, beforeAll, expect } from '@jest/globals';
import { setSolverBehaviour } from '../../tools/first-payment/solver.js';
import type { StackFile } from '@bascule/composition';
import type { RunningStack } from './testing/crossings/crossing-stand.fixture.js';
import { crossings } from './testing/crossings/crossings.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

let stack: StackProcess;
let file: StackFile;

beforeAll(async () => {
  stack = await StackProcess.create('cross-chain');
  file = await stack.start();
});

afterAll(() => stack.dispose());

/** Simulates a solver crash: in the shared process, the solver pauses until a command. */
const crashAfterFill: RunningStack['crashAfterFill'] = async () => {
  await setSolverBehaviour(file, { mode: 'normal', die_after_fill: true });
  return async (isUnpaid) => {
    expect(await isUnpaid()).toBe(true);
    await setSolverBehaviour(file, { mode: 'normal' });
  };
};

crossings(() => ({ file, crashAfterFill }));
