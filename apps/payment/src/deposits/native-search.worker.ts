import { maxAmount } from '@bascule/amounts';
import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { DueWorker, slotsPerChain } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { LegWorker } from '../execution/leg.worker.js';
import { SenderScreeningWorker } from '../screening/sender-screening.worker.js';
import { DepositWitnessesService } from './deposit-witnesses.service.js';
import { DepositRepository } from './deposit.repository.js';
import { DepositsService } from './deposits.service.js';
import { explainedAt, isSameLedger } from './native-ledger.js';
import { NativeSearchService } from './native-search.service.js';
import { NATIVE_SEARCH_COLUMNS, NativeSearchesRepository } from './native-searches.repository.js';
import type { NativeSearch } from './native-searches.repository.js';
import { NativeWalletsRepository } from './native-wallets.repository.js';
import type { Arrival } from './payment-deposits.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import { RiseArrivalsService } from './rise-arrivals.service.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import { SetAsideRepository } from './set-aside.repository.js';
import type { UnexplainedWallet } from './wallet-rises.client.js';

/** Wallets of a chain that are searched for at once. */
const SLOTS = 4;
/** Longer than a turn takes: 40 s, and about a minute for a search of balances and a block that have begun. */
const LEASE_MS = 180_000;

/**
 * Searches for native currency that balances have shown, apart from the scanners: wallets take turns, the one that has
 * waited longest first.
 */
@Injectable()
export class NativeSearchWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<NativeSearch>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly searches: NativeSearchesRepository,
    private readonly wallets: NativeWalletsRepository,
    private readonly search: NativeSearchService,
    private readonly arrivals: RiseArrivalsService,
    private readonly cursors: ScanCursorRepository,
    private readonly aside: SetAsideRepository,
    private readonly deposits: DepositsService,
    private readonly recorded: DepositRepository,
    private readonly recorder: PaymentRecorderService,
    private readonly witnesses: DepositWitnessesService,
    private readonly senders: SenderScreeningWorker,
    private readonly legs: LegWorker,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.worker = new DueWorker<NativeSearch>({
      name: 'native money searches',
      dataSource,
      table: 'native_searches',
      idColumn: 'search_id',
      select: NATIVE_SEARCH_COLUMNS,
      ...slotsPerChain(SLOTS, chains.all().length),
      leaseMs: LEASE_MS,
      pollMs: timing.workerPollMs,
      handle: (row) => this.handle(row),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  wake(): void {
    this.worker.wake();
  }

  private async handle(row: NativeSearch): Promise<void> {
    if (row.isExplained) return this.searches.removeEnded(row);
    try {
      await this.takeTurn(row);
    } catch (error) {
      const facts = { err: error, payment_id: row.paymentId, chain: row.chain };
      this.context.logger.warn(facts, 'search for native money failed');
      await this.searches.postpone(row, 'failed');
    }
  }

  private async takeTurn(row: NativeSearch): Promise<void> {
    const { paymentId } = row;
    const [height, balance] = [BigInt(row.height), BigInt(row.balance)];
    const aside = await this.aside.among(row.chain, [paymentId]);
    if (aside.size > 0) return this.searches.postpone(row, 'set aside');
    const final = (await this.cursors.find(row.chain))?.confirmed?.number ?? -1n;
    // After a deep reorg.
    if (final < height) return this.searches.postpone(row, 'failed');
    const ledger = (await this.wallets.ledgers(row.chain, [paymentId], height)).get(paymentId);
    // What left the wallet since is not certain: the next look compares again.
    if (ledger === undefined || balance <= explainedAt(ledger, height)) {
      return this.searches.end(row, 0n);
    }
    const chain = this.chains.get(row.chain);
    const address = await this.recorded.walletOf(paymentId);
    const wallet = { paymentId, address, height, balance, ledger };
    const { arrivals, residue } = await this.search.find(chain, wallet);
    const isRecorded = arrivals.length === 0 || (await this.record(chain, wallet, arrivals));
    if (!isRecorded || residue === null) return this.searches.requeue(row);
    await this.searches.end(row, residue);
  }

  /**
   * Records what was found, and confirms it, since it is final; what needs a second node is left to the scanner, which sets
   * the payment aside.
   * @returns false where the facts have changed since they were compared
   */
  private async record(
    chain: Chain,
    { paymentId, height, ledger }: UnexplainedWallet,
    arrivals: readonly Arrival[],
  ): Promise<boolean> {
    const described = await this.deposits.describedArrivals(chain.name, arrivals);
    const blocks = [...new Map(arrivals.map(({ block }) => [block.number, block])).values()];
    const newest = blocks.map(({ number }) => number).reduce(maxAmount);
    const ledgerIn = this.wallets.lockedLedger.bind(this.wallets);
    const isRecorded = await this.dataSource.transaction(async (manager) => {
      const before = await ledgerIn(manager, chain.name, paymentId, height);
      if (!isSameLedger(ledger, before)) return false;
      for (const block of blocks) {
        if (await this.cursors.holdScanned(manager, chain.name, block)) continue;
        this.arrivals.forget(chain, block.number);
        throw new Error(`block ${block.number} of ${chain.name} is not scanned, or was replaced`);
      }
      await this.recorder.record(manager, paymentId, described);
      if (isSameLedger(ledger, await ledgerIn(manager, chain.name, paymentId, height))) {
        throw new Error(`money of payment ${paymentId} has the names of other deposits`);
      }
      if (await this.witnesses.areNeeded(manager, chain, paymentId, newest)) return true;
      await this.recorder.confirm(manager, paymentId, chain.name, newest);
      return true;
    });
    this.senders.wake();
    this.legs.wake();
    return isRecorded;
  }
}
