import { Chains } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { DecimalString } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { parseWithdrawalNonce } from '@bascule/solidity';
import { ChainUnreadableError, readChain } from '@bascule/wallet-balances';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { zeroAddress } from 'viem';
import type { Address } from 'viem';
import type { MinedWithdrawal, PaymentRecord } from '../life-cycle/payment-record.js';
import { withDustOf } from '../life-cycle/policy.js';
import { withdrawalMined } from '../life-cycle/withdrawals.js';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { readHoldings } from './wallet-holdings.client.js';
import { withdrawalCostUsd } from './withdrawal-cost.js';

/** Deadline of a read from a chain other than the withdrawal's, which must not hold up the scanner for long. */
const CHAIN_TIMEOUT_MS = 2_000;

/** `Withdrawn` log of a watched wallet, in a final block. */
export interface WithdrawnLog {
  paymentId: string;
  chain: string;
  /** Further chains with deposits of the payment. */
  otherChains: readonly string[];
  wallet: Address;
  nonce: bigint;
  acceptBlame: boolean;
  transactionHash: string;
  blockNumber: bigint;
  blockTimestamp: Date;
}

export interface ObservedWithdrawal extends WithdrawnLog {
  mined: MinedWithdrawal;
  /** US dollars below which holdings count as empty, by chain. */
  dustUsd: ReadonlyMap<string, DecimalString>;
}

/** Observes and records withdrawals on chain, from any submitter. */
@Injectable()
export class MinedWithdrawalRecorderService {
  constructor(
    private readonly context: ServiceContext,
    private readonly chains: Chains,
    private readonly directory: AssetDirectoryRepository,
    private readonly payments: PaymentStoreRepository,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Reads the holdings after the withdrawal; calls the chain, so never within a transaction. */
  async observe(
    log: WithdrawnLog,
    node: EndpointClient,
    isLastResort: boolean,
  ): Promise<ObservedWithdrawal> {
    const { chain, wallet, transactionHash, blockNumber, blockTimestamp } = log;
    const tokens = await this.directory.possibleOn(chain, log.paymentId);
    const leftOut = (token: string, error: unknown): void => {
      this.context.logger.warn({ err: error, chain, token }, 'token balance could not be read');
    };
    const remaining = await readHoldings(node, {
      wallet,
      blockNumber,
      tokens,
      isLastResort,
      leftOut,
    });
    const dustUsd = new Map([
      [chain, await this.dustUsd(chain, node.getGasPrice())],
      ...(await Promise.all(log.otherChains.map((other) => this.dustElsewhere(other)))).flat(),
    ]);
    return { ...log, dustUsd, mined: { transactionHash, blockNumber, blockTimestamp, remaining } };
  }

  async record(
    manager: EntityManager,
    observed: ObservedWithdrawal,
  ): Promise<PaymentRecord | null> {
    const { chain, nonce, acceptBlame, mined, dustUsd } = observed;
    const withdrawId = withdrawIdOf(nonce);
    return this.payments.change(manager, observed.paymentId, (payment, now) =>
      withdrawalMined(
        payment,
        { chain, nonce, withdrawId, acceptBlame, mined },
        withDustOf(this.config.policy, dustUsd),
        now,
      ),
    );
  }

  /** Empty for a chain that cannot be read: money there counts from the configured value on. */
  private async dustElsewhere(chain: string): Promise<[string, DecimalString][]> {
    const found = this.chains.find(chain);
    if (!found) return [];
    try {
      const gasPrice = readChain(chain, CHAIN_TIMEOUT_MS, found.client.getGasPrice());
      return [[chain, await this.dustUsd(chain, gasPrice)]];
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      this.context.logger.warn({ err: error, chain }, 'gas price could not be read');
      return [];
    }
  }

  /** Cost of another withdrawal, which its `min_withdrawal_amount` covers; the configured value where it is unknown. */
  private async dustUsd(chain: string, gasPrice: Promise<bigint>): Promise<DecimalString> {
    const [price, nativeUsd] = await Promise.all([
      gasPrice,
      this.directory.usdPrice(tokenIdentifier(chain, zeroAddress)),
    ]);
    return nativeUsd === null ? this.config.policy.dustUsd : withdrawalCostUsd(price, nativeUsd);
  }
}

/** Id in the nonce; a nonce of another origin serves as the id itself. */
function withdrawIdOf(nonce: bigint): string {
  try {
    return parseWithdrawalNonce(nonce).withdrawId;
  } catch (error) {
    if (error instanceof RangeError) return nonce.toString();
    throw error;
  }
}
