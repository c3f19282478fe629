import { witnessedAnswer } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { parseWithdrawalNonce } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Address } from 'viem';
import type { MinedWithdrawal } from '../life-cycle/payment-record.js';
import { mostValuableFirst } from '../life-cycle/policy.js';
import type { PolicyOn } from '../life-cycle/policy.js';
import { withdrawalMined } from '../life-cycle/withdrawals.js';
import { PastWithdrawalsRepository } from '../persistence/past-withdrawals.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { TokenFacts } from '../projections/asset-directory.repository.js';
import { readHoldings } from './wallet-holdings.client.js';
import type { SharedBalancesClient } from './shared-balances.client.js';

/** Recorded tokens after a withdrawal; strangers can send dust of each listed one. */
const MAX_REMAINING = 100;

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

/** Facts about a withdrawal's payment with which its holdings are read. */
export interface Observation {
  /** On each chain with deposits of the payment, as the costs of withdrawals are now. */
  policyOn: PolicyOn;
  /** Tokens that the wallet may hold. */
  tokens: readonly TokenFacts[];
  balances: SharedBalancesClient;
  /** Whether no later height is left to read the holdings at. */
  isLastResort: boolean;
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
    private readonly payments: PaymentStoreRepository,
    private readonly past: PastWithdrawalsRepository,
  ) {}

  /**
   * Reads the holdings after the withdrawal, as two nodes say alike or the only one: they may end the payment. Calls the
   * chain, so never within a transaction.
   */
  async observe(
    log: WithdrawnLog,
    nodes: Pick<Chain, 'name' | 'endpoints'>,
    { policyOn, tokens, balances, isLastResort }: Observation,
  ): Promise<ObservedWithdrawal> {
    const { chain, wallet, transactionHash, blockNumber, blockTimestamp } = log;
    const leftOut = (token: string, error: unknown): void => {
      this.context.logger.warn({ err: error, chain, token }, 'token balance could not be read');
    };
    const question = { wallet, blockNumber, tokens, balances, isLastResort, leftOut };
    const remaining = await witnessedAnswer(
      nodes,
      (node) => readHoldings(node, question),
      (holdings) => holdings.map(({ token, amount }) => `${token} ${amount}`).join(),
    );
    const kept = remaining.sort(mostValuableFirst).slice(0, MAX_REMAINING);
    return {
      ...log,
      policyOn,
      mined: { transactionHash, blockNumber, blockTimestamp, remaining: kept },
    };
  }

  /** Records withdrawals of one payment, oldest first, as one change. */
  async record(
    manager: EntityManager,
    paymentId: string,
    observed: readonly ObservedWithdrawal[],
  ): Promise<void> {
    const after = await this.payments.change(
      manager,
      paymentId,
      (payment, now) =>
        observed.reduce((changed, { chain, nonce, acceptBlame, mined, policyOn }) => {
          const log = { chain, nonce, withdrawId: withdrawIdOf(nonce), acceptBlame, mined };
          return withdrawalMined(changed, log, policyOn, now);
        }, payment),
      () => this.past.recall(manager, paymentId, observed),
    );
    if (after !== null) await this.past.putAway(manager, after);
  }
}

/** Whether a log is the owner's proof at confirm, which moves nothing and is not recorded. */
export const isOwnersProof = (
  paymentId: string,
  { nonce, acceptBlame }: Pick<WithdrawnLog, 'nonce' | 'acceptBlame'>,
): boolean => !acceptBlame && withdrawIdOf(nonce) === paymentId;

/** Id in the nonce; a nonce of another origin serves as the id itself. */
function withdrawIdOf(nonce: bigint): string {
  try {
    return parseWithdrawalNonce(nonce).withdrawId;
  } catch (error) {
    if (error instanceof RangeError) return nonce.toString();
    throw error;
  }
}
