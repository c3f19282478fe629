import { Chains, testimonyOf } from '@bascule/chain';
import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { TransactionSender, TransactionWorker } from '@bascule/transactions';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';
import type { Address } from 'viem';
import type { Route } from '../assets/route.js';
import { ROUTES } from '../assets/route.js';

interface AllowanceRow {
  id: string;
  chain: string;
  token: Address;
  attempts: number;
}

/** Sufficient allowance: some tokens count down from the maximum. */
const ENOUGH = maxUint256 / 2n;
/** Interval of checks until the approval is mined or has failed. */
const LOOK_AGAIN_MS = 2_000;

/** Grants each destination's escrow the allowance for fills; checked at every start. */
@Injectable()
export class AllowanceWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<AllowanceRow>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly sender: TransactionSender,
    private readonly transactions: TransactionWorker,
    private readonly context: ServiceContext,
    @Inject(ROUTES) private readonly routes: readonly Route[],
  ) {
    this.worker = new DueWorker<AllowanceRow>({
      name: 'allowances',
      dataSource,
      table: 'allowances',
      select: 'id, chain, token, attempts',
      batchSize: 10,
      concurrency: 2,
      leaseMs: 20_000,
      pollMs: 1_000,
      handle: (row) => this.look(row),
      context,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const { destination, outputToken } of this.routes) {
      await this.dataSource.query(
        `INSERT INTO allowances (id, chain, token) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET due_at = now()`,
        [`${destination}:${outputToken.toLowerCase()}`, destination, outputToken],
      );
    }
    this.worker.start();
  }

  private async look(row: AllowanceRow): Promise<void> {
    const route = this.routes.find(
      ({ destination, outputToken }) => destination === row.chain && outputToken === row.token,
    );
    if (!route) return this.lookAgain(row.id, null);
    const testimony = await this.isSufficient(route);
    if (testimony === 'witnessed') return this.lookAgain(row.id, null);
    if (testimony === 'denied') await this.grant(row, route);
    await this.lookAgain(row.id, LOOK_AGAIN_MS);
  }

  /** Records an approval unless an earlier one is pending. */
  private async grant(row: AllowanceRow, { destination, outputToken, escrow }: Route) {
    const name = (attempt: number) => `allowance:${row.id}:${attempt}`;
    const newest = row.attempts === 0 ? null : await this.sender.find(name(row.attempts));
    if (newest?.status === 'pending') return;
    const reference = name(row.attempts + 1);
    const request = {
      ...{ chain: destination, reference, to: outputToken },
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [escrow, maxUint256],
      }),
    };
    await this.sender.record(request, async (manager, reserve) => {
      await reserve();
      await manager.query('UPDATE allowances SET attempts = $2 WHERE id = $1', [
        row.id,
        row.attempts + 1,
      ]);
    });
    this.context.logger.info({ chain: destination, token: outputToken }, 'allowance granted');
    await this.sender.broadcast(reference);
    this.transactions.wake();
  }

  /** Asks all nodes: a single one could make us grant without end, or never. */
  private isSufficient({ destination, outputToken, escrow }: Route) {
    return testimonyOf(this.chains.get(destination), async (node) => {
      const allowance = await node.readContract({
        address: outputToken,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [this.sender.signerAddress(destination), escrow],
      });
      return allowance >= ENOUGH;
    });
  }

  private async lookAgain(id: string, inMs: number | null): Promise<void> {
    await this.dataSource.query(
      `UPDATE allowances SET due_at = now() + $2::float8 * interval '1 millisecond' WHERE id = $1`,
      [id, inMs],
    );
  }
}
