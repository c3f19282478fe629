import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { createDataSource, pendingSchemaChanges } from '@bascule/persistence';
import { intentEscrowAbi, parseOrder } from '@bascule/solidity';
import { eventually, reorganise, reorganiseFrom } from '@bascule/testing';
import { BridgeRefusedError } from '@bascule/venues';
import type { BridgeRequest } from '@bascule/venues';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { entities, migrations } from '../persistence/persistence.config.js';
import { LyingNode } from '../testing/lying-node.fixture.js';
import {
  API_KEY,
  delivered,
  ESCROW,
  idOf,
  SOLVER,
  SolverStage,
  USDC,
  USDT,
} from '../testing/solver-stage.fixture.js';

const AMOUNT = 250_000_000n;

describe('a solver', () => {
  let stage: SolverStage;

  beforeAll(async () => {
    stage = await SolverStage.start();
  });
  afterEach(async () => {
    stage.attesters.answering = 3;
    await stage.stopProcesses();
  });
  afterAll(() => stage.stop());

  const request = (change: Partial<BridgeRequest> = {}): BridgeRequest => ({
    ...stage.ends(),
    inputToken: USDC,
    outputToken: USDC,
    amount: AMOUNT,
    ...change,
  });
  const refusal = async (service: RunningService, change: Partial<BridgeRequest>) => {
    const error: unknown = await stage
      .bridge(service)
      .quote(request(change))
      .catch((reason: unknown) => reason);
    if (!(error instanceof BridgeRefusedError)) throw new Error('quote was not refused');
    return error;
  };

  it('has entities and migrations that agree', async () => {
    const dataSource = createDataSource({
      database: stage.database.database,
      entities,
      migrations,
    });
    await dataSource.initialize();
    expect(await pendingSchemaChanges(dataSource)).toEqual([]);
    await dataSource.destroy();
  });

  it('quotes supported routes with their limits, and returns these with a refusal', async () => {
    const service = await stage.startProcess();
    const bridge = stage.bridge(service);
    const usdc = USDC.toLowerCase();
    expect(await bridge.routes()).toEqual([
      {
        origin: 'alphanet',
        destination: 'betanet',
        inputToken: `alphanet:${usdc}`,
        outputToken: `betanet:${usdc}`,
      },
      {
        origin: 'betanet',
        destination: 'alphanet',
        inputToken: `betanet:${usdc}`,
        outputToken: `alphanet:${usdc}`,
      },
    ]);
    const orderCap = await stage.nodes.alphanet.readContract({
      address: ESCROW,
      abi: intentEscrowAbi,
      functionName: 'orderCap',
      args: [USDC],
    });
    const limits = { min: 1_000_000n, max: orderCap };
    expect(await bridge.quote(request())).toEqual({
      bridge: 'intent_escrow',
      adapter: ESCROW,
      delivered: delivered(AMOUNT),
      latencySeconds: 4,
      limits,
    });
    expect((await refusal(service, { amount: orderCap + 1n })).limits).toEqual(limits);
    expect((await refusal(service, { amount: 999_999n })).limits).toEqual(limits);
    expect((await refusal(service, { outputToken: USDT })).limits).toBeUndefined();
    const { origin } = stage.ends();
    expect((await refusal(service, { destination: origin })).limits).toBeUndefined();
  });

  it('refuses requests without its key', async () => {
    const service = await stage.startProcess();
    const stranger = stage.bridge(service, 'a guess');
    const answers = await Promise.allSettled([stranger.quote(request()), stranger.routes()]);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') throw new Error('solver answered without a key');
      expect(answer.reason).not.toBeInstanceOf(BridgeRefusedError);
      expect(String(answer.reason)).toContain('401');
    }
  });

  it.each(['alphanet', 'betanet'] as const)(
    'delivers its quote for orders from %s and is paid',
    async (from) => {
      const service = await stage.startProcess();
      const { origin, destination } = stage.ends(from);
      const { delivered: quoted } = await stage.bridge(service).quote(request(stage.ends(from)));
      const before = await Promise.all([
        stage.balance(origin.name, SOLVER),
        stage.balance(destination.name, SOLVER),
      ]);
      const { wallet, transfer } = await stage.open(service, { from, amount: AMOUNT });
      expect(transfer).toMatchObject({ amount: AMOUNT, id: idOf(transfer) });

      await stage.becomes(transfer, 'CLAIMED');
      expect(await stage.balance(destination.name, wallet.address)).toBe(quoted);
      expect(await stage.balance(origin.name, SOLVER)).toBe(before[0] + AMOUNT);
      expect(await stage.balance(destination.name, SOLVER)).toBe(before[1] - quoted);
      expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });

      const status = await stage.status(service, transfer);
      if (status.kind !== 'filled') throw new Error(`transfer is ${status.kind}`);
      expect(status.amount).toBe(quoted);
      const receipt = await destination.anyNode.client.getTransactionReceipt({
        hash: status.transactionHash,
      });
      expect(receipt).toMatchObject({ status: 'success', blockNumber: status.blockNumber });
    },
  );

  it('delivers more than the minimum when its fee allows it', async () => {
    const service = await stage.startProcess();
    const { wallet, transfer } = await stage.open(service, { amount: AMOUNT, minimum: 1n });
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.balance('betanet', wallet.address)).toBe(delivered(AMOUNT));
  });

  it.each([
    ['asks for more than its fee leaves', { minimum: delivered(AMOUNT) + 1n }],
    ['is smaller than those it quotes', { amount: 999_999n, minimum: 1n }],
    ['asks for a token that it does not deliver', { outputToken: USDT }],
  ])('declines an order that %s, and keeps nothing of it', async (_, opening) => {
    const service = await stage.startProcess();
    const { transfer } = await stage.open(service, { amount: AMOUNT, ...opening });
    // One that came later has been dealt with, and this one has still not.
    const { transfer: later } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(later, 'CLAIMED');
    expect((await stage.row(transfer)).status).toBe('UNSEEN');
    const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    expect(metrics).toMatch(/solver_orders_total\{chain="alphanet",step="declined"\} [1-9]/);
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });
    expect(await stage.status(service, transfer)).toEqual({ kind: 'open' });
  });

  it('declines an order whose deadline is too near', async () => {
    const service = await stage.startProcess({ SOLVER_FILL_MARGIN_SECONDS: '100000' });
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'DECLINED');
    expect((await stage.row(transfer)).reason).toBe('too_late');
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });
  });

  it('quotes no more than its inventory, and fills a postponed order later', async () => {
    const owned = 100_000_000n;
    const privateKey = await stage.poorSolver(owned);
    const poor = privateKeyToAddress(privateKey);
    const service = await stage.startProcess({ SOLVER_PRIVATE_KEY: privateKey });
    const { limits } = await refusal(service, {});
    expect(delivered(limits?.max ?? 0n)).toBe(owned);

    const { wallet, transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'SEEN');
    // The amounts of open orders are not quoted again.
    await eventually(async () => {
      expect((await refusal(service, { amount: 50_000_000n })).limits?.max).toBe(0n);
    });
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });
    await stage.pay('betanet', poor, delivered(AMOUNT));
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.balance('betanet', wallet.address)).toBe(delivered(AMOUNT));
    expect(await stage.balance('betanet', poor)).toBe(owned);
  });

  it('never fills an order that a reorg removed before it was final', async () => {
    const service = await stage.startProcess({ CONFIRMATIONS_ALPHANET: '6' });
    const node = stage.nodes.alphanet;
    // No block but those of transactions, so that the order is not final before it is undone.
    await node.setIntervalMining({ interval: 0 });
    await node.setAutomine(true);
    const { wallet, transfer } = await stage.open(service, { amount: AMOUNT });
    expect(await stage.status(service, transfer)).toEqual({ kind: 'open' });
    await reorganise(stage.rpcUrl('alphanet'), 1);
    expect(await stage.status(service, transfer)).toEqual({ kind: 'unknown' });
    await node.mine({ blocks: 6 });
    await node.setIntervalMining({ interval: 1 });

    // The solver has read beyond it when it fills the next one.
    const { transfer: later } = await stage.open(service, { amount: AMOUNT });
    await node.mine({ blocks: 6 });
    await stage.becomes(later, 'CLAIMED');
    expect(await stage.row(transfer)).toEqual({ status: 'UNSEEN', reason: null });
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });
    expect(await stage.balance('betanet', wallet.address)).toBe(0n);
    await node.setAutomine(true);
  });

  describe('with a dishonest node of the origin', () => {
    const stranger = privateKeyToAddress(generatePrivateKey());
    let liar: LyingNode;

    beforeAll(async () => {
      liar = await LyingNode.before(stage.rpcUrl('alphanet'));
    });
    afterEach(() => liar.beHonest());
    afterAll(() => liar.stop());

    it('fills no order reported under the id of another', async () => {
      const service = await stage.startProcess({ RPC_URLS_ALPHANET: liar.url });
      await stage.control(service, { mode: 'silent' });
      const { transfer } = await stage.open(service, { amount: AMOUNT });
      liar.tell(await stage.openLog(transfer), ESCROW, {
        recipient: stranger,
        underItsOwnId: false,
      });
      // Delete the stored order, so that the forged one is read.
      await stage.stopProcess(service);
      await stage.sql('DELETE FROM orders WHERE id = $1', [transfer.id]);

      const deceived = await stage.startProcess({ RPC_URLS_ALPHANET: liar.url });
      const { transfer: later } = await stage.open(deceived, { amount: AMOUNT });
      await stage.becomes(later, 'CLAIMED');
      expect(await stage.row(transfer)).toEqual({ status: 'UNSEEN', reason: null });
      expect(await stage.balance('betanet', stranger)).toBe(0n);
    });

    it('fills no order that two other nodes do not have', async () => {
      const honest = stage.rpcUrl('alphanet');
      const three = [liar.url, honest, honest].join(',');
      const service = await stage.startProcess({ RPC_URLS_ALPHANET: three });
      const { transfer } = await stage.open(service, { amount: AMOUNT });
      await stage.becomes(transfer, 'CLAIMED');
      const id = liar.tell(await stage.openLog(transfer), ESCROW, {
        recipient: stranger,
        underItsOwnId: true,
      });
      const { transfer: later } = await stage.open(service, { amount: AMOUNT });
      await stage.becomes(later, 'CLAIMED');
      expect(await stage.row({ id })).toEqual({ status: 'UNSEEN', reason: null });
    });

    it('fills no invented order once an honest node answers', async () => {
      const service = await stage.startProcess({ RPC_URLS_ALPHANET: liar.url });
      await stage.control(service, { mode: 'silent' });
      const { transfer } = await stage.open(service, { amount: AMOUNT });
      const id = liar.tell(await stage.openLog(transfer), ESCROW, {
        recipient: stranger,
        underItsOwnId: true,
      });
      // The solver reads logs of new blocks only.
      await eventually(
        async () => {
          await stage.nodes.alphanet.mine({ blocks: 1 });
          expect(await stage.row({ id })).toEqual({ status: 'SEEN', reason: null });
        },
        { intervalMs: 500 },
      );

      await stage.stopProcess(service);
      await stage.startProcess();
      await stage.becomes({ id }, 'GONE');
      expect(await stage.balance('betanet', stranger)).toBe(0n);
    });
  });

  it('claims once a quorum of attesters answers', async () => {
    stage.attesters.answering = 1;
    const service = await stage.startProcess();
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'FILLED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 0 });
    stage.attesters.answering = 2;
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });

  it('claims a fill after its asset was removed', async () => {
    stage.attesters.answering = 1;
    const service = await stage.startProcess();
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'FILLED');
    await stage.stopProcess(service);
    stage.attesters.answering = 3;
    const tokens = { alphanet: USDT, betanet: USDT };
    await stage.startProcess({
      SOLVER_ASSETS: JSON.stringify([{ tokens, flat_fee: '10000', min_amount: '1000000' }]),
    });
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
  });

  it('fills nothing past the deadline by the origin’s clock when the destination was halted', async () => {
    const service = await stage.startProcess();
    await stage.control(service, { mode: 'silent' });
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'SEEN');
    await stage.nodes.alphanet.increaseTime({ seconds: 600 });
    await stage.nodes.alphanet.mine({ blocks: 1 });
    await stage.control(service, { mode: 'normal' });
    await stage.becomes(transfer, 'DECLINED');
    expect((await stage.row(transfer)).reason).toBe('too_late');
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });
    await stage.nodes.betanet.increaseTime({ seconds: 600 });
    await stage.nodes.betanet.mine({ blocks: 1 });
  });

  it('records a loss once an order missing on its origin has expired', async () => {
    stage.attesters.answering = 0;
    const service = await stage.startProcess();
    const node = stage.nodes.alphanet;
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'FILLED');
    const { blockNumber } = await stage.openLog(transfer);
    await reorganiseFrom(stage.rpcUrl('alphanet'), BigInt(blockNumber));
    expect((await stage.row(transfer)).status).toBe('FILLED');

    const { timestamp } = await node.getBlock();
    await stage.passTime(Number(parseOrder(transfer.details).expires - timestamp));
    await stage.becomes(transfer, 'LOST');
    expect((await stage.row(transfer)).reason).toBe('origin_reorganised');
    const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    expect(metrics).toContain('solver_orders_total{chain="alphanet",step="lost"} 1');
  });

  it('loses nothing when a fill is mined too late', async () => {
    const service = await stage.startProcess();
    const node = stage.nodes.betanet;
    const before = await stage.balance('betanet', SOLVER);
    await node.setIntervalMining({ interval: 0 });
    await node.setAutomine(false);
    const { wallet, transfer } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(transfer, 'FILLING');
    for (const chain of Object.values(stage.nodes)) await chain.increaseTime({ seconds: 600 });
    await node.setAutomine(true);
    await node.mine({ blocks: 1 });

    await stage.becomes(transfer, 'DECLINED');
    expect((await stage.row(transfer)).reason).toBe('too_late');
    expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });
    expect(await stage.balance('betanet', SOLVER)).toBe(before);
    expect(await stage.balance('betanet', wallet.address)).toBe(0n);
    expect(await stage.status(service, transfer)).toEqual({ kind: 'unfilled' });
    // Its next fill has the next nonce, and is not held up by anything.
    const { transfer: later } = await stage.open(service, { amount: AMOUNT });
    await stage.becomes(later, 'CLAIMED');
  });

  describe('in a test mode', () => {
    it('accepts only valid modes, and only where enabled', async () => {
      const service = await stage.startProcess();
      expect((await stage.control(service, { mode: 'lazy' })).status).toBe(400);
      expect((await stage.control(service, { mode: 'normal' })).status).toBe(200);
      const strict = await stage.startProcess({ SOLVER_CONTROL: 'false' });
      expect((await stage.control(strict, { mode: 'normal' })).status).toBe(404);
      const anybody = await fetch(`${service.url}/v1/control`, { method: 'PUT' });
      expect(anybody.status).toBe(401);
    });

    it('refuses quotes, and still fills', async () => {
      const service = await stage.startProcess();
      await stage.control(service, { mode: 'refuse' });
      expect((await refusal(service, {})).limits).toBeUndefined();
      const { transfer } = await stage.open(service, { amount: AMOUNT });
      await stage.becomes(transfer, 'CLAIMED');
    });

    it('delays quotes and fills', async () => {
      const service = await stage.startProcess();
      await stage.control(service, { mode: 'slow', delay_ms: 500 });
      const asked = performance.now();
      expect(await stage.bridge(service).quote(request())).toMatchObject({ latencySeconds: 5 });
      expect(performance.now() - asked).toBeGreaterThanOrEqual(490);
      await stage.control(service, { mode: 'slow', delay_ms: 600_000 });
      const { transfer } = await stage.open(service, { amount: AMOUNT });
      await stage.becomes(transfer, 'SEEN');
      const [row] = await stage.sql<{ wait: number }>(
        'SELECT extract(epoch FROM due_at - seen_at)::int AS wait FROM orders WHERE id = $1',
        [transfer.id],
      );
      expect(row?.wait).toBe(600);
    });

    it('crashes after its next fill, and claims after the recovery', async () => {
      const service = await stage.startProcess();
      await stage.control(service, { mode: 'normal', die_after_fill: true });
      const { wallet, transfer } = await stage.open(service, { amount: AMOUNT });
      await eventually(async () => {
        expect(await stage.balance('betanet', wallet.address)).toBe(delivered(AMOUNT));
      });
      const getRoutes = () =>
        fetch(`${service.url}/v1/routes`, { headers: { authorization: `Bearer ${API_KEY}` } });
      await eventually(() => expect(getRoutes()).rejects.toThrow('fetch failed'));
      await expect(stage.bridge(service).quote(request())).rejects.toThrow();
      const { transfer: ignored } = await stage.open(service, { amount: AMOUNT });
      await eventually(async () => {
        expect((await stage.status(service, transfer)).kind).toBe('filled');
      });
      expect((await stage.row(transfer)).status).toBe('FILLING');
      expect((await stage.row(ignored)).status).toBe('UNSEEN');

      await stage.control(service, { mode: 'normal' });
      await stage.becomes(transfer, 'CLAIMED');
      await stage.becomes(ignored, 'CLAIMED');
      expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
      expect((await getRoutes()).status).toBe(200);
    });

    // Last, since it moves the time of both chains.
    it('fills nothing in silent mode, so that the order is refunded', async () => {
      const service = await stage.startProcess();
      await stage.control(service, { mode: 'silent' });
      await expect(stage.bridge(service).quote(request())).resolves.toBeDefined();
      const { wallet, transfer } = await stage.open(service, { amount: AMOUNT });
      await stage.becomes(transfer, 'SEEN');
      expect(await stage.status(service, transfer)).toEqual({ kind: 'open' });

      const { timestamp } = await stage.nodes.betanet.getBlock();
      await stage.passTime(transfer.fillDeadline.getTime() / 1000 - Number(timestamp) + 1);
      await eventually(async () => {
        expect(await stage.status(service, transfer)).toEqual({ kind: 'unfilled' });
      });
      await stage.control(service, { mode: 'normal' });
      await stage.becomes(transfer, 'DECLINED');

      const { expires, fillDeadline } = parseOrder(transfer.details);
      await stage.passTime(Number(expires - fillDeadline));
      const recipient = privateKeyToAddress(generatePrivateKey());
      const hash = await stage.refund(transfer, wallet, recipient);
      await eventually(async () => {
        expect(await stage.status(service, transfer)).toMatchObject({
          kind: 'refunded',
          recipient,
          amount: AMOUNT - 3n,
          feeReceiver: SOLVER,
          fee: 3n,
          transactionHash: hash,
        });
      });
      expect(await stage.balance('alphanet', recipient)).toBe(AMOUNT - 3n);
      expect(await stage.effects(transfer)).toEqual({ filled: 0, released: 0 });
    });
  });
});
