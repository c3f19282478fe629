import { developmentAccounts } from '@bascule/local-stack';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseGwei } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ClaimService } from '../claims/claim.service.js';
import { FillService } from '../fills/fill.service.js';
import { OrderRepository } from '../orders/order.repository.js';
import { SolverStage } from '../testing/solver-stage.fixture.js';

const AMOUNT = 100_000_000n;
const [, , , , , , , solver] = developmentAccounts;

describe('a pass over an order that outlives its lease', () => {
  let stage: SolverStage;
  let service: RunningService;

  beforeAll(async () => {
    stage = await SolverStage.start();
    service = await stage.startProcess();
  });
  afterAll(() => stage.stop());

  const stopMining = async (name: 'alphanet' | 'betanet') => {
    await stage.nodes[name].setIntervalMining({ interval: 0 });
    await stage.nodes[name].setAutomine(false);
  };
  /** Replaces the pending transaction of the solver by another use of its key, and mines that. */
  const dropPending = async (name: 'alphanet' | 'betanet', reference: string) => {
    const node = stage.nodes[name];
    const { nonce } = await eventually(async () => {
      const [row] = await stage.sql<{ hash: Hex; nonce: string }>(
        `SELECT a.hash, t.nonce FROM chain_transactions t
         JOIN chain_transaction_attempts a ON a.transaction_id = t.id WHERE t.reference = $1`,
        [reference],
      );
      if (!row) throw new Error(`${reference} is not signed`);
      await node.getTransaction({ hash: row.hash });
      return row;
    });
    await stage
      .wallet(stage.chains.get(name), privateKeyToAccount(solver.privateKey))
      .sendTransaction({
        to: solver.address,
        nonce: Number(nonce),
        gas: 21_000n,
        maxFeePerGas: parseGwei('500'),
        maxPriorityFeePerGas: parseGwei('400'),
      });
    // Its next attempt waits for the test.
    await stage.control(service, { mode: 'silent' });
    await node.setAutomine(true);
    await node.setIntervalMining({ interval: 1 });
  };

  const orderOf = async (id: Hex) => {
    const order = await service.app.get(OrderRepository).find(id);
    if (!order) throw new Error(`order ${id} is unknown`);
    return order;
  };

  it('starts no attempt without a transaction after another pass made its attempt', async () => {
    await stopMining('betanet');
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    const { id } = transfer;
    await stage.becomes(transfer, 'FILLING');
    await dropPending('betanet', `fill:${id}:1`);
    await stage.becomes(transfer, 'SEEN');
    const seen = await orderOf(id);
    await expect(
      service.app.get(FillService).process({ ...seen, fillAttempts: 0 }),
    ).rejects.toThrow('cannot be filled');
    expect(await orderOf(id)).toMatchObject({ status: 'SEEN', fillAttempts: 1 });

    await stopMining('alphanet');
    await stage.control(service, { mode: 'normal' });
    await stage.becomes(transfer, 'CLAIMING');
    await dropPending('alphanet', `claim:${id}:1`);
    await stage.becomes(transfer, 'FILLED');
    const filled = await orderOf(id);
    await expect(
      service.app.get(ClaimService).claim({ ...filled, claimAttempts: 0 }),
    ).rejects.toThrow('cannot be claimed');
    expect(await orderOf(id)).toMatchObject({ status: 'FILLED', claimAttempts: 1 });

    await stage.control(service, { mode: 'normal' });
    await stage.becomes(transfer, 'CLAIMED');
    expect(await stage.effects(transfer)).toEqual({ filled: 1, released: 1 });
    expect(await orderOf(id)).toMatchObject({ fillAttempts: 2, claimAttempts: 2 });
  });
});
