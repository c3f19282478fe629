import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { intentEscrowAbi } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { getAbiItem, toFunctionSelector } from 'viem';
import type { Hex } from 'viem';
import { dataOf } from '../testing/false-calls.fixture.js';
import { delivered, SolverStage, USDC } from '../testing/solver-stage.fixture.js';
import { tellBaseFee, TwoNodes } from '../testing/two-nodes.fixture.js';

const SMALLEST = 1_000_000n;
const AMOUNT = 90_000_000n;
const FILL = toFunctionSelector(getAbiItem({ abi: intentEscrowAbi, name: 'fill' }));

describe('a solver whose escrow is crowded with orders that it cannot fill', () => {
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
    await stage.stopProcesses();
    await nodes.stop();
  });
  afterAll(() => stage.stop());

  const start = (overrides: NodeJS.ProcessEnv = {}) =>
    stage.startProcess({ ...nodes.environment(), ...overrides });
  /** Waits until the solver has looked at the orders in vain, and returns what it keeps of them. */
  const untilRetried = (ids: readonly Hex[]) =>
    eventually(async () => {
      const rows = await stage.sql<{ reserving: boolean }>(
        `SELECT is_reserving AS reserving FROM orders WHERE id = ANY($1) AND retries > 1`,
        [ids],
      );
      expect(rows).toEqual(ids.map(() => ({ reserving: false })));
    });

  it('leaves those that do not pay no inventory, and asks no node about them', async () => {
    for (const node of [alphanet, betanet]) tellBaseFee(node, '20');
    let questions = 0;
    const ids: Hex[] = [];
    alphanet.lies.set('eth_call', (call, honest) => {
      if (ids.some((id) => dataOf(call).includes(id.slice(2)))) questions += 1;
      return honest();
    });
    const owned = 100_000_000n;
    const service = await start({
      SOLVER_PRIVATE_KEY: await stage.poorSolver(owned),
      SOLVER_ASSETS: JSON.stringify([
        {
          tokens: { alphanet: USDC, betanet: USDC },
          flat_fee: '10000',
          min_amount: SMALLEST.toString(),
          native_values: { betanet: '4600000' },
        },
      ]),
    });
    for (let order = 0; order < 3; order += 1) {
      const { transfer } = await stage.open(service, { amount: SMALLEST });
      ids.push(transfer.id);
    }
    await untilRetried(ids);
    expect(questions).toBe(0);
    const { limits } = await stage.bridge(service).quote({
      ...stage.ends(),
      inputToken: USDC,
      outputToken: USDC,
      amount: AMOUNT,
    });
    expect(delivered(limits?.max ?? 0n)).toBe(owned);
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'CLAIMED');
    for (const id of ids) expect((await stage.row({ id })).status).toBe('SEEN');
  });

  it('leaves those whose fills revert no inventory, and fills them once they do not', async () => {
    const service = await start();
    betanet.lies.set('eth_estimateGas', (call, honest) =>
      dataOf(call).startsWith(FILL)
        ? Promise.resolve({ error: { code: 3, message: 'execution reverted' } })
        : honest(),
    );
    const { transfer } = await stage.open(service, { amount: SMALLEST });
    await untilRetried([transfer.id]);
    betanet.lies.clear();
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });
});
