import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { attesterOracleAbi, FILL_OUTCOMES, intentEscrowAbi } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { BridgeRefusedError } from '@bascule/venues';
import {
  encodeAbiParameters,
  erc20Abi,
  getAbiItem,
  numberToHex,
  pad,
  toFunctionSelector,
} from 'viem';
import type { AbiFunction, Address, Hex } from 'viem';
import { answerFalsely, dataOf } from '../testing/false-calls.fixture.js';
import type { Counted } from '../testing/false-calls.fixture.js';
import { delivered, SOLVER, SolverStage, USDC } from '../testing/solver-stage.fixture.js';
import { TwoNodes } from '../testing/two-nodes.fixture.js';

const AMOUNT = 250_000_000n;
const STRANGER: Address = '0x00000000000000000000000000000000000000bb';
const FILLER = getAbiItem({ abi: intentEscrowAbi, name: 'fillerOf' });
const OUTCOME = getAbiItem({ abi: attesterOracleAbi, name: 'outcomeOf' });
const ORDER_CAP = getAbiItem({ abi: intentEscrowAbi, name: 'orderCap' });
const OUTSTANDING = getAbiItem({ abi: intentEscrowAbi, name: 'outstanding' });
const BALANCE = getAbiItem({ abi: erc20Abi, name: 'balanceOf' });
const ALLOWANCE = getAbiItem({ abi: erc20Abi, name: 'allowance' });
const RELEASE = toFunctionSelector(getAbiItem({ abi: intentEscrowAbi, name: 'release' }));
/** Less than any claim needs, with the sender's margin. */
const TOO_LITTLE_GAS = numberToHex(45_000);

describe('a solver with a lying node', () => {
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

  /** Starts a solver whose first node of each chain may lie, beside so many honest ones. */
  const start = (honest: number): Promise<RunningService> =>
    stage.startProcess(nodes.environment(honest));
  const fewAnswers = (given: Counted): Promise<void> =>
    eventually(() => {
      if (given.count < 3) throw new Error(`${given.count} answers were given`);
    });
  const claims = () =>
    stage.sql<{ status: string }>(
      `SELECT status FROM chain_transactions WHERE reference LIKE '%claim%' ORDER BY reference`,
    );

  it.each<[string, Address]>([
    ['a stranger', STRANGER],
    ['the solver', SOLVER],
  ])('only waits while one of two reports a fill by %s', async (_, filler) => {
    const service = await start(1);
    await stage.control(service, { mode: 'silent' });
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'SEEN');
    const told = answerFalsely(betanet, { of: FILLER, by: pad(filler) });
    await stage.control(service, { mode: 'normal' });
    await fewAnswers(told);
    expect(await stage.row(transfer)).toEqual({ status: 'SEEN', reason: null });

    betanet.lies.clear();
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });

  it('fills in its window while one of two reports a later time', async () => {
    const service = await start(1);
    betanet.lies.set('eth_getBlockByNumber', async (_, honest) => {
      const answer = await honest();
      const block = answer.result as { timestamp: Hex } | null;
      const later = block && { ...block, timestamp: numberToHex(4_000_000_000) };
      return { ...answer, result: later };
    });
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    // With the lie until its end: the statuses in between may pass unseen.
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });

  it('removes no order while one of two reports an old head', async () => {
    const before = await stage.nodes.alphanet.getBlockNumber();
    const service = await start(1);
    await stage.control(service, { mode: 'silent' });
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'SEEN');
    alphanet.lies.set('eth_blockNumber', () => Promise.resolve({ result: numberToHex(before) }));
    const looks = { count: 0 };
    betanet.lies.set('eth_call', (_, honest) => {
      looks.count += 1;
      return honest();
    });
    await stage.control(service, { mode: 'normal' });
    await fewAnswers(looks);
    expect(await stage.row(transfer)).toEqual({ status: 'SEEN', reason: null });

    alphanet.lies.clear();
    await stage.becomes(transfer, 'CLAIMED');
  });

  it.each([
    ['two', 1],
    ['three', 2],
  ])('misses no order that one of %s hides', async (_, honest) => {
    const service = await start(honest);
    const told = { count: 0 };
    let asked = 0;
    alphanet.lies.set('eth_getLogs', async (_call, truth) => {
      asked += 1;
      const answer = await truth();
      if ((answer.result as unknown[]).length > 0) told.count += 1;
      return { ...answer, result: [] };
    });
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    if (honest === 1) {
      await fewAnswers(told);
      expect((await stage.row(transfer)).status).toBe('UNSEEN');
      alphanet.lies.clear();
    }
    await stage.becomes(transfer, 'CLAIMED');
    // Of three, its answer about the order may come after those of the two others.
    expect(asked).toBeGreaterThan(0);
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });

  it('claims with attestations while one of two reports a recorded outcome', async () => {
    const service = await start(1);
    const outcome = encodeAbiParameters(OUTCOME.outputs, [FILL_OUTCOMES.filled, SOLVER]);
    const told = answerFalsely(alphanet, { of: OUTCOME, by: outcome });
    alphanet.lies.set('eth_estimateGas', async (call, honest) =>
      dataOf(call).startsWith(RELEASE) ? { result: numberToHex(90_000) } : honest(),
    );
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'CLAIMED');
    expect(told.count).toBeGreaterThan(0);
    expect(await claims()).not.toContainEqual({ status: 'reverted' });
  });

  const NOTHING = numberToHex(0, { size: 32 });
  const EVERYTHING = numberToHex(2n ** 255n, { size: 32 });

  describe.each<[string, () => LyingNode, { of: AbiFunction; by: Hex }]>([
    ['the cap of an order is zero', () => alphanet, { of: ORDER_CAP, by: NOTHING }],
    ['the escrow is full', () => alphanet, { of: OUTSTANDING, by: EVERYTHING }],
    ['the solver has nothing', () => betanet, { of: BALANCE, by: NOTHING }],
  ])('capacity of which it says that %s', (_, liar, lie) => {
    const request = () => ({
      ...stage.ends(),
      inputToken: USDC,
      outputToken: USDC,
      amount: AMOUNT,
    });

    it('is quoted by the two others', async () => {
      const bridge = stage.bridge(await start(2));
      const quoted = await bridge.quote(request());
      const told = answerFalsely(liar(), lie);
      expect(await bridge.quote(request())).toEqual(quoted);
      expect(told.count).toBeGreaterThan(0);
    });

    it('is unavailable, not too low, where it is one of two', async () => {
      const bridge = stage.bridge(await start(1));
      answerFalsely(liar(), lie);
      const failed: unknown = await bridge.quote(request()).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(Error);
      expect(failed).not.toBeInstanceOf(BridgeRefusedError);
      liar().lies.clear();
      expect((await bridge.quote(request())).delivered).toBe(delivered(AMOUNT));
    });
  });

  it('grants no further allowance while one of three reports none', async () => {
    await stage.startProcess();
    const granted = () =>
      stage.sql(`SELECT id FROM chain_transactions WHERE reference LIKE 'allowance:%'`);
    const before = await granted();
    await stage.stopProcesses();
    const told = answerFalsely(betanet, { of: ALLOWANCE, by: numberToHex(0, { size: 32 }) });
    await start(2);
    expect(told.count).toBeGreaterThan(0);
    expect(await granted()).toEqual(before);
  });

  it('repeats failed claims ever more rarely', async () => {
    const service = await start(0);
    await stage.control(service, { mode: 'silent' });
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'SEEN');
    alphanet.lies.set('eth_estimateGas', () => Promise.resolve({ result: TOO_LITTLE_GAS }));
    await stage.control(service, { mode: 'normal' });
    for (const [attempts, delay] of [
      [1, 2],
      [2, 4],
    ]) {
      await eventually(async () => {
        const [row] = await stage.sql(
          `SELECT status, claim_attempts AS attempts,
             round(extract(epoch FROM due_at - updated_at))::int AS delay
           FROM orders WHERE id = $1`,
          [transfer.id],
        );
        expect(row).toEqual({ status: 'FILLED', attempts, delay });
      });
    }
    alphanet.lies.clear();
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });
});
