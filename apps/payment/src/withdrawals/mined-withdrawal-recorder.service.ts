import type { EndpointClient } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { parseWithdrawalNonce } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Address } from 'viem';
import type { MinedWithdrawal, PaymentRecord } from '../life-cycle/payment-record.js';
import type { PolicyOn } from '../life-cycle/policy.js';
import { withdrawalMined } from '../life-cycle/withdrawals.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { DustService } from '../costs/dust.service.js';
import { readHoldings } from './wallet-holdings.client.js';

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
  policyOn: PolicyOn;
}

/** Observes and records withdrawals on chain, from any submitter. */
@Injectable()
export class MinedWithdrawalRecorderService {
  constructor(
    private readonly context: ServiceContext,
    private readonly directory: AssetDirectoryRepository,
    private readonly dust: DustService,
    private readonly payments: PaymentStoreRepository,
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
    const policyOn = await this.dust.policyOn([chain, ...log.otherChains]);
    return { ...log, policyOn, mined: { transactionHash, blockNumber, blockTimestamp, remaining } };
  }

  async record(
    manager: EntityManager,
    observed: ObservedWithdrawal,
  ): Promise<PaymentRecord | null> {
    const { chain, nonce, acceptBlame, mined, policyOn } = observed;
    const withdrawId = withdrawIdOf(nonce);
    return this.payments.change(manager, observed.paymentId, (payment, now) =>
      withdrawalMined(payment, { chain, nonce, withdrawId, acceptBlame, mined }, policyOn, now),
    );
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
