import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseOrder } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import type { Hex } from 'viem';
import { dataOf } from '../testing/false-calls.fixture.js';
import { SolverStage, USDC } from '../testing/solver-stage.fixture.js';
import { tellBaseFee, TwoNodes } from '../testing/two-nodes.fixture.js';

const AMOUNT = 250_000_000n;

describe('a solver, while gas is dear', () => {
  let stage: SolverStage;
  let nodes: TwoNodes;
  let alphanet: LyingNode;
  let betanet: LyingNode;

  beforeAll(async () => {
    stage = await SolverStage.start();
  });
  beforeEach(async () => {
    nodes = await TwoNodes.start(stage);
    ({ alphanet, betanet } = nodes);
  });
  afterEach(async () => {
    stage.attesters.answering = 3;
    await stage.stopProcesses();
    await nodes.stop();
  });
  afterAll(() => stage.stop());

  const start = (overrides: NodeJS.ProcessEnv = {}) =>
    stage.startProcess({ ...nodes.environment(), ...overrides });
  /** Waits until the origin was asked so three times. */
  const simulated = async (about: string): Promise<void> => {
    let times = 0;
    alphanet.lies.set('eth_estimateGas', (call, honest) => {
      if (dataOf(call).includes(about)) times += 1;
      return honest();
    });
    await eventually(() => {
      if (times < 3) throw new Error(`asked ${times} times`);
    });
    alphanet.lies.delete('eth_estimateGas');
  };
  const threeLooks = ({ id }: { id: Hex }) =>
    eventually(async () => {
      const [row] = await stage.sql<{ retries: number }>(
        'SELECT retries FROM orders WHERE id = $1',
        [id],
      );
      expect(row?.retries).toBeGreaterThanOrEqual(3);
    });

  it.each<[string, () => LyingNode]>([
    ['origin, where the claim would cost too much', () => alphanet],
    ['destination', () => betanet],
  ])('fills nothing for more than its bound on the %s', async (_, dear) => {
    const service = await start();
    tellBaseFee(dear(), '900');
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'SEEN');
    await threeLooks(transfer);
    expect(await stage.row(transfer)).toEqual({ status: 'SEEN', reason: null });
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });

    tellBaseFee(dear(), '20');
    await stage.becomes(transfer, 'CLAIMED');
  });

  it('fills nothing for more than half of its fee, by the value of the coin', async () => {
    tellBaseFee(alphanet, '20');
    tellBaseFee(betanet, '20');
    const withValue = (betanetCoin: string) => ({
      SOLVER_ASSETS: JSON.stringify([
        {
          tokens: { alphanet: USDC, betanet: USDC },
          flat_fee: '10000',
          min_amount: '1000000',
          native_values: { betanet: betanetCoin },
        },
      ]),
    });
    const service = await start(withValue('2500000000'));
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'SEEN');
    await threeLooks(transfer);
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });

    await stage.stopProcesses();
    await start(withValue('2500000'));
    await stage.becomes(transfer, 'CLAIMED');
  });

  // Last, since it moves the time of both chains.
  it('claims nothing for more than its bound until half of the time to claim is over', async () => {
    stage.attesters.answering = 0;
    const service = await start();
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'FILLED');
    tellBaseFee(alphanet, '900');
    stage.attesters.answering = 3;
    await simulated(transfer.id.slice(2));
    const claims = () =>
      stage.sql('SELECT id FROM chain_transactions WHERE reference LIKE $1', [
        `claim:${transfer.id}:%`,
      ]);
    expect(await claims()).toEqual([]);

    const { fillDeadline, expires } = parseOrder(transfer.details);
    const { timestamp } = await stage.nodes.alphanet.getBlock();
    await stage.passTime(Number((fillDeadline + expires) / 2n - timestamp) + 1);
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });
});
