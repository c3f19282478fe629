import type { Chain } from '@bascule/chain';
import { faultPoint } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import type { TokenFacts } from '../projections/asset-directory.repository.js';
import { SenderScreeningWorker } from '../screening/sender-screening.worker.js';
import { DepositWitnessesService } from './deposit-witnesses.service.js';
import { DepositRepository } from './deposit.repository.js';
import { tokenOf } from './payment-deposits.js';
import type { Arrival } from './payment-deposits.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import type { Arrivals } from './payment-recorder.service.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import type { ScannedBlock } from './scanned-chain.js';
import { isOfOnePayment, SetAsideRepository } from './set-aside.repository.js';
import type { PaymentFailure } from './set-aside.repository.js';
import { UnreadTransfersError } from './unread-transfers-error.js';

/**
 * Records the scanner's findings; each payment and its event commit together. What fails for one payment is returned, to
 * be set aside with the cursor's move.
 */
@Injectable()
export class DepositsService {
  constructor(
    private readonly recorder: PaymentRecorderService,
    private readonly deposits: DepositRepository,
    private readonly directory: AssetDirectoryRepository,
    private readonly aside: SetAsideRepository,
    private readonly witnesses: DepositWitnessesService,
    private readonly senderWorker: SenderScreeningWorker,
  ) {}

  /**
   * Records all deposits of blocks, in place of those that an interrupted pass recorded in blocks since replaced. Idempotent,
   * so that the cursor moves on only afterwards.
   */
  async record(
    guard: ScanGuardRepository,
    chain: string,
    blocks: readonly ScannedBlock[],
  ): Promise<PaymentFailure[]> {
    const orphaned = await this.forgetOrphans(guard, chain, blocks);
    const sent = await this.deposits.toWallets(arrivalsIn(chain, blocks));
    const catalogue = await this.describe([...sent.values()].flat());
    const byPayment = await this.withKnownTokens(sent, catalogue);
    const missed = (paymentId: string) => ({ blocks: heightsOf(byPayment.get(paymentId) ?? []) });
    // What is left to forget would take along what is recorded now.
    const waiting = new Set(orphaned.map(({ paymentId }) => paymentId));
    const due = [...byPayment.keys()].filter((paymentId) => !waiting.has(paymentId));
    const failed = await this.each(guard, chain, due, {
      work: (manager, paymentId) => {
        const found = byPayment.get(paymentId) ?? [];
        return this.recorder.record(manager, paymentId, { chain, found, catalogue });
      },
      done: () => {
        faultPoint('payment.deposit-seen');
        this.senderWorker.wake();
      },
      missed,
    });
    const left = orphaned.map((failure) => ({ ...failure, ...missed(failure.paymentId) }));
    return [...left, ...failed, ...(await this.unread(chain, blocks))];
  }

  /** Deposits of blocks that are not recorded, by payment: also those of payments that are set aside. */
  async unrecorded(
    chain: string,
    blocks: readonly ScannedBlock[],
  ): Promise<Map<string, Arrival[]>> {
    const sent = await this.deposits.toWallets(arrivalsIn(chain, blocks));
    const left = await this.deposits.unrecorded(chain, sent);
    return this.withKnownTokens(left, await this.describe([...left.values()].flat()));
  }

  /** Reads what {@link PaymentRecorderService.record} needs about one payment's deposits of a block. */
  async arrivalsOf(
    paymentId: string,
    chain: string,
    block: Omit<ScannedBlock, 'parentHash'>,
  ): Promise<Arrivals> {
    const byPayment = await this.deposits.toWallets(arrivalsIn(chain, [block]));
    return this.describedArrivals(chain, byPayment.get(paymentId) ?? []);
  }

  /** Adds the catalogue's facts to money that a balance has shown. */
  async describedArrivals(chain: string, found: readonly Arrival[]): Promise<Arrivals> {
    return { chain, found, catalogue: await this.describe(found) };
  }

  /**
   * Confirms deposits up to a height, but those of payments that wait for a second node, which are set aside, and of those
   * that the pass sets aside anyway: a withdrawal that is not recorded yet may have taken them.
   */
  async confirm(
    guard: ScanGuardRepository,
    chain: Pick<Chain, 'name' | 'endpoints'>,
    upTo: bigint,
    setAside: readonly PaymentFailure[] = [],
  ): Promise<{ isFunded: boolean; failed: PaymentFailure[] }> {
    let isFunded = false;
    const waiting: PaymentFailure[] = [];
    const skipped = new Set(setAside.map(({ paymentId }) => paymentId));
    const unconfirmed = await this.deposits.unconfirmed(chain.name, upTo);
    const due = unconfirmed.filter((paymentId) => !skipped.has(paymentId));
    const failed = await this.each(guard, chain.name, due, {
      work: async (manager, paymentId) => {
        // Within the transaction: the search for native money records deposits at any time.
        if (await this.witnesses.areNeeded(manager, chain, paymentId, upTo)) {
          waiting.push({ paymentId, blocks: [] });
          return null;
        }
        const changed = await this.recorder.confirm(manager, paymentId, chain.name, upTo);
        if (isFundedInFull(changed)) faultPoint('payment.funded');
        return changed;
      },
      done: (changed) => {
        if (!isFundedInFull(changed)) return;
        faultPoint('payment.funded');
        isFunded = true;
      },
      missed: () => ({ blocks: [] }),
    });
    return { isFunded, failed: [...failed, ...waiting] };
  }

  /** Removes facts above the height, after a reorg. */
  async undo(guard: ScanGuardRepository, chain: string, above: bigint): Promise<PaymentFailure[]> {
    return this.forget(guard, chain, above + 1n, await this.deposits.above(chain, above));
  }

  /** Removes deposits that an interrupted pass recorded in blocks since replaced by a reorg. */
  private async forgetOrphans(
    guard: ScanGuardRepository,
    chain: string,
    blocks: readonly ScannedBlock[],
  ): Promise<PaymentFailure[]> {
    const [first, last] = [blocks.at(0), blocks.at(-1)];
    if (!first || !last) return [];
    const hashes = blocks.map(({ hash }) => hash);
    const orphaned = await this.deposits.orphaned(chain, first.number, last.number, hashes);
    return this.forget(guard, chain, first.number, orphaned);
  }

  /** Payments whose wallets the node refuses to read in a block. */
  private async unread(chain: string, blocks: readonly ScannedBlock[]) {
    const failed: (PaymentFailure & { error: UnreadTransfersError })[] = [];
    for (const { number, unread = [] } of blocks) {
      if (unread.length === 0) continue;
      const payments = await this.deposits.paymentsOf(unread);
      for (const paymentId of payments.values()) {
        failed.push({
          paymentId,
          blocks: [number],
          error: new UnreadTransfersError(chain, number),
        });
      }
    }
    return failed;
  }

  private forget(
    guard: ScanGuardRepository,
    chain: string,
    from: bigint,
    paymentIds: readonly string[],
  ): Promise<PaymentFailure[]> {
    return this.each(guard, chain, paymentIds, {
      work: (manager, paymentId) => this.recorder.forget(manager, paymentId, chain, from),
      missed: () => ({ blocks: [], reorgFrom: from }),
    });
  }

  /** Works on each payment in a transaction of its own, but on none that is set aside. */
  private async each<T>(
    guard: ScanGuardRepository,
    chain: string,
    paymentIds: readonly string[],
    steps: Steps<T>,
  ): Promise<PaymentFailure[]> {
    const aside = await this.aside.among(chain, paymentIds);
    const failed: PaymentFailure[] = [];
    for (const paymentId of paymentIds) {
      const missed: PaymentFailure = { paymentId, ...steps.missed(paymentId) };
      if (aside.has(paymentId)) {
        if (missed.blocks.length > 0 || missed.reorgFrom !== undefined) failed.push(missed);
        continue;
      }
      try {
        const result = await guard.transaction((manager) => steps.work(manager, paymentId));
        steps.done?.(result);
      } catch (error) {
        if (!isOfOnePayment(error)) throw error;
        failed.push({ ...missed, error });
      }
    }
    return failed;
  }

  /** Leaves out tokens that no payment records, as neither it nor the catalogue knows them: anyone can make some. */
  private async withKnownTokens(
    sent: Map<string, Arrival[]>,
    catalogue: ReadonlyMap<string, TokenFacts>,
  ): Promise<Map<string, Arrival[]>> {
    const all = [...sent].flatMap(([paymentId, arrivals]) =>
      arrivals.map((it) => ({ paymentId, token: tokenOf(it) })),
    );
    const unlisted = all.filter(({ token }) => !catalogue.has(token));
    if (unlisted.length === 0) return sent;
    const planned = await this.deposits.plannedTokens(unlisted);
    const known = new Map<string, Arrival[]>();
    for (const [paymentId, arrivals] of sent) {
      const isKnown = (token: string) =>
        catalogue.has(token) || planned.has(`${paymentId}/${token}`);
      const kept = arrivals.filter((it) => isKnown(tokenOf(it)));
      if (kept.length > 0) known.set(paymentId, kept);
    }
    return known;
  }

  private async describe(arrivals: readonly Arrival[]): Promise<Map<string, TokenFacts>> {
    const tokens = new Set(arrivals.map(tokenOf));
    const facts = await this.directory.describe([...tokens]);
    return new Map(facts.map((fact) => [fact.token, fact]));
  }
}

interface Steps<T> {
  work: (manager: EntityManager, paymentId: string) => Promise<T>;
  done?: (result: T) => void;
  /** Work that is left where it fails. */
  missed: (paymentId: string) => Omit<PaymentFailure, 'paymentId' | 'error'>;
}

const arrivalsIn = (
  chain: string,
  blocks: readonly Omit<ScannedBlock, 'parentHash'>[],
): Arrival[] =>
  blocks.flatMap((block) =>
    block.transfers.map((transfer): Arrival => ({ ...transfer, chain, block })),
  );

const heightsOf = (arrivals: readonly Arrival[]): bigint[] => [
  ...new Set(arrivals.map(({ block }) => block.number)),
];

const isFundedInFull = (payment: PaymentRecord | null): boolean =>
  payment !== null && payment.fundedInFullAt !== null;
