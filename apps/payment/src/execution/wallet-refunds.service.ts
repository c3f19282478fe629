import { Chains, gasPricesOf } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { BridgeTransfer } from '@bascule/contracts';
import { faultPoint, ServiceContext } from '@bascule/process';
import {
  TransactionSender,
  TransactionTooExpensiveError,
  TransactionWorker,
  TransactionWouldRevertError,
  UnsignedError,
} from '@bascule/transactions';
import type { TransactionOutcome } from '@bascule/transactions';
import { withdrawalDataFees } from '@bascule/wallet-balances';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { legAt, LifeCycleError } from '../life-cycle/legs.js';
import { decimalsOf } from '../life-cycle/payment-record.js';
import type { LegTransfer, PaymentRecord } from '../life-cycle/payment-record.js';
import {
  isWalletRefundDue,
  walletRefundFailed,
  walletRefundSubmitted,
  walletRefundWeighed,
} from '../life-cycle/wallet-refunds.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { BridgeTransfersClient } from './bridge-transfers.client.js';
import {
  formatWalletRefundReference,
  parseWalletRefundReference,
} from './wallet-refund-reference.js';
import { walletRefundBounds } from './wallet-refund-bounds.js';
import type { RefundPrices } from './wallet-refund-bounds.js';
import { isBelowGasCost } from './wallet-refund-value.js';

/** Deadline of the attesters' answers, below that of a pass over a leg. */
const ATTESTERS_TIMEOUT_MS = 4_000;

/** Refunds undelivered transfers to their wallets, where the owner does not sign for them. */
@Injectable()
export class WalletRefundsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly store: PaymentStoreRepository,
    private readonly directory: AssetDirectoryRepository,
    private readonly sender: TransactionSender,
    private readonly transactions: TransactionWorker,
    private readonly bridges: BridgeTransfersClient,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Submits a due refund once the bridge's rules allow it. Throws on failures of nodes or the database. */
  async advance(payment: PaymentRecord, legIndex: number): Promise<PaymentRecord> {
    const leg = legAt(payment, legIndex);
    const { transfer } = leg;
    const { maxTransactions } = this.config.executionPatience;
    if (transfer === null || !isWalletRefundDue(payment, leg, maxTransactions)) return payment;
    const prices = await this.pricesOn(transfer.transfer.originChain);
    const isUneconomic = await this.isUneconomic(payment, transfer.transfer, prices);
    if (isUneconomic === null) {
      await this.wait(payment, legIndex, 'price unknown or stale');
      return payment;
    }
    const weighed = await this.weigh(payment, legIndex, transfer, isUneconomic);
    if (isUneconomic) return weighed;
    const signal = AbortSignal.timeout(ATTESTERS_TIMEOUT_MS);
    const refund = await this.bridges.walletRefund(transfer.transfer, signal);
    if (refund.kind === 'possible') {
      const gas = this.bridges.walletRefundGas(transfer.transfer);
      const bounds = walletRefundBounds(gas, prices, this.config.maxCostFactor);
      return this.submit(weighed, legIndex, transfer, { ...refund.call, ...bounds });
    }
    await this.wait(weighed, legIndex, refund.reason);
    return weighed;
  }

  /** Handles the outcome of a refund's transaction; idempotent. The next poll finds a successful refund. */
  async settle(reference: string, outcome: TransactionOutcome): Promise<void> {
    const about = parseWalletRefundReference(reference);
    if (!about || outcome.status === 'success') return;
    const { paymentId, legIndex, attempt } = about;
    const facts = { reference, status: outcome.status };
    if (attempt < this.config.executionPatience.maxTransactions) {
      this.context.logger.warn(facts, 'wallet refund failed');
    } else {
      this.context.logger.error(facts, 'wallet refund failed for the last time');
    }
    await this.store.changeNow(paymentId, (payment, now) =>
      walletRefundFailed(payment, legIndex, attempt, now),
    );
  }

  private async pricesOn(chainName: string): Promise<RefundPrices> {
    const chain = this.chains.get(chainName);
    const [gasPrice, dataFee] = await Promise.all([gasPricesOf(chain), withdrawalDataFees(chain)]);
    return { gasPrice, dataFee };
  }

  /** Null without fresh prices of both currencies. */
  private async isUneconomic(
    payment: PaymentRecord,
    transfer: BridgeTransfer,
    { gasPrice, dataFee }: RefundPrices,
  ): Promise<boolean | null> {
    const { inputToken, originChain, amount } = transfer;
    const { priceMaxAgeMs } = this.config;
    const [usd, nativeUsd] = await Promise.all([
      this.directory.freshUsdPrice(inputToken, priceMaxAgeMs),
      this.directory.freshUsdPrice(tokenIdentifier(originChain, zeroAddress), priceMaxAgeMs),
    ]);
    if (usd === null || nativeUsd === null) return null;
    const cost = { gasPrice: gasPrice.lower, dataFee: dataFee.lower, nativeUsd };
    return isBelowGasCost(
      { amount, decimals: decimalsOf(payment, inputToken), usd },
      { gas: this.bridges.walletRefundGas(transfer), ...cost },
    );
  }

  private async weigh(
    payment: PaymentRecord,
    legIndex: number,
    { transfer, walletRefund }: LegTransfer,
    isUneconomic: boolean,
  ): Promise<PaymentRecord> {
    if (walletRefund.isUneconomic === isUneconomic) return payment;
    const changed = await this.store.changeNow(payment.id, (current) =>
      walletRefundWeighed(current, legIndex, { transferId: transfer.id, isUneconomic }),
    );
    return changed ?? payment;
  }

  private async submit(
    payment: PaymentRecord,
    legIndex: number,
    { transfer, walletRefund }: LegTransfer,
    call: { to: Address; data: Hex; maxGas: bigint; maxCost: bigint },
  ): Promise<PaymentRecord> {
    const attempt = walletRefund.attempts + 1;
    const reference = formatWalletRefundReference({ paymentId: payment.id, legIndex, attempt });
    let submitted: PaymentRecord | null;
    try {
      const request = { chain: transfer.originChain, reference, ...call };
      submitted = await this.sender.record(request, async (manager, reserve) => {
        await reserve();
        const changed = await this.store.change(manager, payment.id, (current) =>
          walletRefundSubmitted(current, legIndex, { transferId: transfer.id, attempt }),
        );
        faultPoint('payment.refund-planned');
        return changed;
      });
    } catch (error) {
      if (error instanceof UnsignedError) {
        await this.wait(payment, legIndex, 'key of the executor unavailable');
        return payment;
      }
      if (error instanceof TransactionTooExpensiveError) {
        await this.wait(payment, legIndex, 'gas or data costs more than a refund may');
        return payment;
      }
      // Another refund was first; the next poll finds it.
      const isRefused = error instanceof TransactionWouldRevertError;
      if (!isRefused && !(error instanceof LifeCycleError)) throw error;
      await this.wait(payment, legIndex, 'refund refused by the chain');
      return payment;
    }
    faultPoint('payment.refund-planned');
    await this.sender.broadcast(reference);
    this.transactions.wake();
    this.context.logger.info({ payment_id: payment.id, reference }, 'wallet refund submitted');
    return submitted ?? payment;
  }

  private async wait({ id }: PaymentRecord, leg: number, reason: string): Promise<void> {
    this.context.logger.info({ payment_id: id, leg, reason }, 'wallet refund postponed');
    const entry = { type: 'refund.waiting', facts: { leg, reason } } as const;
    await this.dataSource.transaction((manager) => this.store.note(manager, id, entry));
  }
}
