import { compareDecimals } from '@bascule/amounts';
import type { EndpointClient } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { DecimalString } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { parseWithdrawalNonce } from '@bascule/solidity';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { zeroAddress } from 'viem';
import type { Address } from 'viem';
import type { MinedWithdrawal, PaymentRecord } from '../life-cycle/payment-record.js';
import { withdrawalMined } from '../life-cycle/withdrawals.js';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { readHoldings } from './wallet-holdings.client.js';
import { withdrawalCostUsd } from './withdrawal-cost.js';

/** `Withdrawn` log of a watched wallet, in a final block. */
export interface WithdrawnLog {
  paymentId: string;
  chain: string;
  wallet: Address;
  nonce: bigint;
  acceptBlame: boolean;
  transactionHash: string;
  blockNumber: bigint;
  blockTimestamp: Date;
}

export interface ObservedWithdrawal extends WithdrawnLog {
  mined: MinedWithdrawal;
  /** Holdings below this value count as empty. */
  dustUsd: DecimalString;
}

/** Observes and records withdrawals on chain, from any submitter. */
@Injectable()
export class MinedWithdrawalRecorderService {
  constructor(
    private readonly context: ServiceContext,
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
    const tokens = await this.directory.listedOn(chain);
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
    const dustUsd = await this.dustUsd(chain, node);
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
        { ...this.config.policy, dustUsd },
        now,
      ),
    );
  }

  private async dustUsd(chain: string, node: EndpointClient): Promise<DecimalString> {
    const nativeUsd = await this.directory.usdPrice(tokenIdentifier(chain, zeroAddress));
    const { dustUsd } = this.config.policy;
    if (nativeUsd === null) return dustUsd;
    const cost = withdrawalCostUsd(await node.getGasPrice(), nativeUsd);
    return compareDecimals(cost, dustUsd) > 0 ? cost : dustUsd;
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
