import { FaultTrap, SanctionedFile } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { SimulatedOnramp } from '../testing/sandbox-onramp.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { settle } from '../testing/random-life/chain-judgement.fixture.js';
import { drawLives, STEP_KINDS } from '../testing/random-life/chain-steps.fixture.js';
import type { ChainStep } from '../testing/random-life/chain-steps.fixture.js';
import { ChainWorld, CONFIRMATIONS, REQUIRED } from '../testing/random-life/chain-world.fixture.js';
import type { Stage } from '../testing/random-life/chain-world.fixture.js';

/** `npm run prove -- life-cycle` takes more lives than the gate, and new ones each time; `LIFE_SEED` repeats them. */
const isLong = process.env['PROVE_LONG'] === '1';
const SEED = Number(process.env['LIFE_SEED'] ?? (isLong ? randomInt(2 ** 31) : 103));
const LIVES = drawLives(SEED, { lives: isLong ? 40 : 10, steps: 20 });
const STEPS = LIVES.flatMap(({ steps }) => steps);

/** Reached by the lives of the gate's seed. */
const REACHED = [
  'PENDING',
  'COMPLETE',
  'COMPLETE by token',
  'COMPLETE by onramp',
  'EXPIRED',
  'FAILED',
  'WITHDRAWN',
  'TAINTED',
];

const named = (step: ChainStep): string =>
  JSON.stringify(step, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));

describe('the life cycle on a real chain', () => {
  const fault = new FaultTrap();
  const reached = new Set<string>();
  const sanctioned = new SanctionedFile();
  let onramp: SimulatedOnramp;
  let stack: PaymentStack;
  let stage: Stage;

  beforeAll(async () => {
    onramp = await SimulatedOnramp.start();
    stack = await PaymentStack.start({
      CONFIRMATIONS_ALPHANET: String(CONFIRMATIONS),
      PROVIDERS: onramp.env,
      SCREENING_FILE: sanctioned.path,
      EXECUTION_RETRY_MS: '300',
      // Longer than a life: a step fails for good where a life says so, and only callbacks have orders asked about.
      EXECUTION_PATIENCE_MS: '3600000',
      EXECUTION_MAX_TRANSACTIONS: '1000',
      CHECKOUT_POLL_MS: '3600000',
    });
    await stack.stopMining();
    stage = { stack, onramp, sanctioned, fault };
  });
  afterEach(async () => {
    fault.disarm();
    await stack.stopServices();
  });
  afterAll(async () => {
    await stack.stop();
    await onramp.server.stop();
    sanctioned.remove();
  });

  it('takes 200 random steps of every kind', () => {
    if (isLong) process.stdout.write(`LIFE_SEED=${SEED} repeats these lives\n`);
    expect(STEPS).toHaveLength(isLong ? 800 : 200);
    const kinds = new Set<string>(STEPS.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([...STEP_KINDS].sort());
  });

  it.each(LIVES.map((life, index) => ({ ...life, number: index + 1 })))(
    'ends life $number, funded by $funding, as its table says',
    async (life) => {
      const taken: string[] = [];
      try {
        const world = await ChainWorld.begin(stage, life);
        for (const step of life.steps) {
          taken.push(named(step));
          await world.take(step);
        }
        const before = await settle(world);
        // What is still open ends by its deadlines.
        await world.take({ kind: 'deadline', passed: 'declaration' });
        const statuses = await settle(world);
        expect(statuses.slice(0, before.length)).toEqual(before);
        for (const status of statuses) reached.add(status);
        if (statuses.includes('COMPLETE')) reached.add(`COMPLETE by ${life.funding}`);
      } catch (error) {
        const story = `LIFE_SEED=${SEED} repeats this life:\n${taken.join('\n')}`;
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${story}`, {
          cause: error,
        });
      }
    },
  );

  // A new seed reaches others.
  if (!isLong) {
    it('reached every status, and completed payments of both kinds', () => {
      expect([...reached].sort()).toEqual([...REACHED].sort());
    });
  }

  it('fails a step for good whose action keeps reverting, and leaves its money in the wallet', async () => {
    const world = await ChainWorld.begin(stage, { funding: 'token' });
    await world.take({ kind: 'target', isReverting: true });
    await world.take({ kind: 'deposit', token: 'asked', amount: REQUIRED, sender: 'stranger' });
    await world.take({ kind: 'catchUp' });
    expect(await settle(world)).toEqual(['PENDING', 'FAILED']);
  });
});
