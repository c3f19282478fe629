import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ServiceContext } from '@bascule/process';
import { parseSolverConfig } from '../config/solver.config.js';
import { SolverBehaviourService } from './solver-behaviour.service.js';

const TOKEN = '0x00000000000000000000000000000000000000a1';

const behaviour = (overrides: NodeJS.ProcessEnv = {}): SolverBehaviourService => {
  const config = parseSolverConfig({
    PORT: '0',
    CHAINS: 'alphanet',
    RPC_URLS_ALPHANET: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgres://127.0.0.1/none',
    SOLVER_PRIVATE_KEY: `0x${'07'.repeat(32)}`,
    SOLVER_API_KEY: 'key',
    SOLVER_ASSETS: JSON.stringify([
      { tokens: { alphanet: TOKEN, betanet: TOKEN }, flat_fee: '0', min_amount: '1' },
    ]),
    ATTESTER_URLS: 'http://127.0.0.1:2',
    ...overrides,
  });
  const context = new ServiceContext({ name: 'solver', environment: 'test', logLevel: 'silent' });
  return new SolverBehaviourService(config, context);
};

describe('a solver', () => {
  const kill = jest.spyOn(process, 'kill').mockImplementation(() => true);
  afterEach(() => {
    kill.mockClear();
  });

  it('is normal at first', () => {
    const solver = behaviour();
    solver.onFillSent();
    expect(solver.now).toEqual({ mode: 'normal', delayMs: 0, dieAfterFill: false });
    expect([solver.isWorking, solver.isDown, solver.delayMs]).toEqual([true, false, 0]);
  });

  it.each([
    ['slow', { isWorking: true, isDown: false, delayMs: 7 }],
    ['refuse', { isWorking: true, isDown: false, delayMs: 0 }],
    ['silent', { isWorking: false, isDown: false, delayMs: 0 }],
    ['dead', { isWorking: false, isDown: true, delayMs: 0 }],
  ] as const)('applies mode %s', (mode, expected) => {
    const solver = behaviour();
    solver.set({ mode, delayMs: 7, dieAfterFill: false });
    expect(solver).toMatchObject(expected);
  });

  it('simulates a crash after a fill without ending the process', () => {
    const solver = behaviour();
    solver.set({ mode: 'normal', delayMs: 0, dieAfterFill: true });
    expect(solver.isDown).toBe(false);
    solver.onFillSent();
    expect(solver.isDown).toBe(true);
    expect(kill).not.toHaveBeenCalled();
  });

  it('kills its process with SOLVER_EXIT', () => {
    const solver = behaviour({ SOLVER_EXIT: 'true' });
    solver.onFillSent();
    expect(kill).not.toHaveBeenCalled();
    solver.set({ mode: 'normal', delayMs: 0, dieAfterFill: true });
    solver.onFillSent();
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']]);
  });
});
