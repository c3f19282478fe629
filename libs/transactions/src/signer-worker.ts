import { Chains, witnessedMinimum } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { DueWorker, slotsPerChain } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Address, LocalAccount } from 'viem';
import { TRANSFER_GAS } from './signed-attempt.js';
import { Signers } from './signers.js';
import { TransactionWorker } from './transaction-worker.js';
import { lockSigner, reserveTransaction } from './transaction-store.js';
import { TRANSACTIONS_OPTIONS } from './transactions-options.js';
import type { TransactionsOptions } from './transactions-options.js';

interface SignerRow {
  chain: string;
  address: Address;
}

/** Most missing nonces that one check fills. */
const FILL_AT_ONCE = 50n;

/**
 * Repairs nonce gaps after a reorg or a restored database: recorded transactions are sent again, and a nonce
 * without a record is filled with a self-transfer.
 */
@Injectable()
export class SignerWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<SignerRow>;
  private readonly checkMs: number;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly signers: Signers,
    private readonly transactions: TransactionWorker,
    private readonly context: ServiceContext,
    @Inject(TRANSACTIONS_OPTIONS) options: TransactionsOptions,
  ) {
    this.checkMs = options.signerCheckMs ?? 15_000;
    this.worker = new DueWorker<SignerRow>({
      name: 'signers',
      dataSource,
      table: 'chain_signers',
      select: 'chain, address',
      ...slotsPerChain(1, chains.all().length),
      leaseMs: 15_000,
      pollMs: Math.min(this.checkMs, 5_000),
      handle: (row) => this.check(row),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  stop(): Promise<void> {
    return this.worker.stop();
  }

  private async check({ chain: name, address }: SignerRow): Promise<void> {
    const chain = this.chains.find(name);
    if (chain) {
      const onChain = await witnessedNonce(chain, address);
      const reopened = await this.dataSource.transaction((manager) =>
        this.heal(manager, chain, address, onChain),
      );
      if (reopened > 0) {
        this.context.logger.warn(
          { chain: name, address, reopened },
          'transactions missing on chain reopened',
        );
        this.transactions.wake();
      }
    }
    await this.dataSource.query(
      `UPDATE chain_signers SET due_at = now() + $3 * interval '1 millisecond'
       WHERE chain = $1 AND address = $2`,
      [name, address, this.checkMs],
    );
  }

  private async heal(
    manager: EntityManager,
    chain: Chain,
    address: Address,
    onChain: bigint,
  ): Promise<number> {
    const { nextNonce } = await lockSigner(manager, chain.name, address);
    if (onChain >= nextNonce) return 0;
    const account = this.signers.find(chain.name, address);
    const [, reopened]: [unknown, number] = await manager.query(
      `UPDATE chain_transactions
       SET status = 'pending', hash = NULL, block_number = NULL, gas_cost = NULL,
         settled_at = NULL, due_at = now()
       WHERE chain = $1 AND signer = $2 AND nonce >= $3 AND status <> 'pending'
         AND (abandoned_at IS NULL OR $4)`,
      [chain.name, address, onChain.toString(), account !== null],
    );
    if (!account) return reopened;
    return reopened + (await this.fillGaps(manager, chain, account, onChain, nextNonce));
  }

  private async fillGaps(
    manager: EntityManager,
    chain: Chain,
    { address }: LocalAccount,
    onChain: bigint,
    nextNonce: bigint,
  ): Promise<number> {
    const missing: { nonce: string }[] = await manager.query(
      `SELECT wanted AS nonce FROM generate_series($3::numeric, $4::numeric - 1) AS wanted
       WHERE NOT EXISTS (
         SELECT FROM chain_transactions WHERE chain = $1 AND signer = $2 AND nonce = wanted)
       LIMIT $5`,
      [chain.name, address, onChain.toString(), nextNonce.toString(), FILL_AT_ONCE.toString()],
    );
    for (const { nonce } of missing) {
      await reserveTransaction(manager, {
        id: uuidv7(),
        reference: `fill:${chain.name}:${address}:${nonce}`,
        chain: chain.name,
        signer: address,
        nonce: BigInt(nonce),
        target: address,
        data: '0x',
        value: 0n,
        gasLimit: TRANSFER_GAS,
        traceparent: null,
        maxCost: null,
        fees: null,
        privateForMs: null,
      });
    }
    return missing.length;
  }
}

/** Returns the nonce of which two endpoints say no more: one that lags, or lies, must not look like a reorg. */
const witnessedNonce = async (chain: Chain, address: Address): Promise<bigint> =>
  BigInt(await witnessedMinimum(chain, (node) => node.getTransactionCount({ address })));
