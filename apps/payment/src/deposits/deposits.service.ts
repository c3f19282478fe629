import { faultPoint } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { Mutation } from '../persistence/payment-store.repository.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import type { TokenFacts } from '../projections/asset-directory.repository.js';
import { SenderScreeningService } from '../screening/sender-screening.service.js';
import { SenderScreeningWorker } from '../screening/sender-screening.worker.js';
import { DepositRepository } from './deposit.repository.js';
import {
  depositOf,
  newDeposits,
  tokenOf,
  withConfirmed,
  withDeposits,
  withoutBlocks,
} from './payment-deposits.js';
import type { Arrival } from './payment-deposits.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import type { ScannedBlock } from './scanned-chain.js';

/** Records the scanner's findings; each payment and its event commit together. */
@Injectable()
export class DepositsService {
  constructor(
    private readonly store: PaymentStoreRepository,
    private readonly deposits: DepositRepository,
    private readonly directory: AssetDirectoryRepository,
    private readonly senders: SenderScreeningService,
    private readonly senderWorker: SenderScreeningWorker,
  ) {}

  /** Idempotent, so that the cursor moves on only afterwards. */
  async record(
    guard: ScanGuardRepository,
    chain: string,
    blocks: readonly ScannedBlock[],
  ): Promise<void> {
    await this.forgetOrphans(guard, chain, blocks);
    const arrivals = blocks.flatMap((block) =>
      block.transfers.map((transfer): Arrival => ({ ...transfer, chain, block })),
    );
    const byPayment = await this.deposits.toWallets(arrivals);
    const catalogue = await this.describe([...byPayment.values()].flat());
    for (const [paymentId, found] of byPayment) {
      await guard.transaction(async (manager) => {
        const withSenders = await this.senders.arrivals(manager, paymentId);
        let senders: string[] = [];
        await this.store.change(manager, paymentId, (payment, now) => {
          const arrived = found.flatMap((it) => depositOf(payment, it, catalogue, uuidv7) ?? []);
          const deposits = newDeposits(payment, arrived);
          if (deposits.length === 0) return payment;
          senders = deposits.flatMap(({ sender }) => sender ?? []);
          return withSenders(withDeposits(payment, deposits), senders, now);
        });
        await this.senders.enqueue(manager, paymentId, senders);
        faultPoint('payment.deposit-seen');
      });
      faultPoint('payment.deposit-seen');
      this.senderWorker.wake();
    }
  }

  /** Confirms deposits up to a height. True when a payment became funded in full. */
  async confirm(guard: ScanGuardRepository, chain: string, upTo: bigint): Promise<boolean> {
    let isFunded = false;
    for (const paymentId of await this.deposits.unconfirmed(chain, upTo)) {
      const mutate: Mutation = (payment) => withConfirmed(payment, chain, upTo);
      const after = await guard.transaction(async (manager) => {
        const changed = await this.store.change(manager, paymentId, mutate);
        await this.senders.recheck(manager, paymentId);
        if (isFundedInFull(changed)) faultPoint('payment.funded');
        return changed;
      });
      if (!isFundedInFull(after)) continue;
      faultPoint('payment.funded');
      isFunded = true;
    }
    return isFunded;
  }

  /** Removes facts above the height, after a reorg. */
  async undo(guard: ScanGuardRepository, chain: string, above: bigint): Promise<void> {
    await this.forget(guard, chain, above + 1n, await this.deposits.above(chain, above));
  }

  /** Removes deposits that an interrupted pass recorded in blocks since replaced by a reorg. */
  private async forgetOrphans(
    guard: ScanGuardRepository,
    chain: string,
    blocks: readonly ScannedBlock[],
  ): Promise<void> {
    const [first, last] = [blocks.at(0), blocks.at(-1)];
    if (!first || !last) return;
    const hashes = blocks.map(({ hash }) => hash);
    const orphaned = await this.deposits.orphaned(chain, first.number, last.number, hashes);
    await this.forget(guard, chain, first.number, orphaned);
  }

  private async describe(arrivals: readonly Arrival[]): Promise<Map<string, TokenFacts>> {
    const tokens = new Set(arrivals.map(tokenOf));
    const facts = await Promise.all([...tokens].map((token) => this.directory.describe(token)));
    return new Map(facts.flatMap((fact) => (fact ? [[fact.token, fact] as const] : [])));
  }

  private async forget(
    guard: ScanGuardRepository,
    chain: string,
    from: bigint,
    paymentIds: readonly string[],
  ): Promise<void> {
    for (const paymentId of paymentIds) {
      await guard.transaction(async (manager) => {
        await this.store.change(manager, paymentId, (payment, now) =>
          withoutBlocks(payment, chain, from, now),
        );
        await this.senders.recheck(manager, paymentId);
      });
    }
  }
}

const isFundedInFull = (payment: PaymentRecord | null): boolean =>
  payment !== null && payment.fundedInFullAt !== null;
