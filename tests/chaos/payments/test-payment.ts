import type { Payment, PaymentStatus, TokenIdentifier, WebhookEventType } from '@bascule/contracts';
import { parseDeclaration, type Declaration } from '@bascule/solidity';
import type { Address, Hex, PrivateKeyAccount } from 'viem';
import { newTestUser } from '../../../tools/first-payment/test-user.js';
import type { Random } from '../support/random.js';
import type { FaucetChain } from '../client/faucet-chain.js';
import type { Organisation } from '../client/organisations.js';

/** Tokens or native currency that a user sent to a payment's wallet. */
export interface SentDeposit {
  token: TokenIdentifier;
  units: bigint;
  hash: Hex;
}

/** Withdrawal that an owner signed, and its reported outcome. */
export interface OwnerWithdrawal {
  withdrawId: string;
  /** False when the owner brought it onto the chain without the service. */
  byService: boolean;
  status: 'SUCCESS' | 'FAILED' | 'EXPIRED' | 'REFUSED';
  transactionHash: string | null;
  takes: { token: TokenIdentifier; to: Address; units: bigint }[];
}

/** One payment with its scenario, its facts and its expected outcome. */
export interface TestPayment {
  readonly scenario: string;
  readonly random: Random;
  readonly chain: FaucetChain;
  readonly organisation: Organisation;
  readonly owner: PrivateKeyAccount;
  readonly destination: Address;
  accepted: AcceptedPayment | null;
  readonly deposits: SentDeposit[];
  readonly withdrawals: OwnerWithdrawal[];
  /** Statuses of which the payment must end in one. */
  expected: readonly PaymentStatus[];
  /** Webhooks that must be delivered about the payment. */
  readonly expectedWebhooks: Set<WebhookEventType>;
  readonly startedAt: number;
  endedAt: number | null;
  /** Difference from the expected outcome, or null. */
  problem: string | null;
}

export interface AcceptedPayment {
  id: string;
  wallet: Address;
  payment: Payment;
  declaration: Declaration;
}

type Facts = Pick<TestPayment, 'scenario' | 'random' | 'chain' | 'organisation'>;

export function newTestPayment({ scenario, random, chain, organisation }: Facts): TestPayment {
  return {
    ...{ scenario, random, chain, organisation },
    ...newTestUser(),
    accepted: null,
    deposits: [],
    withdrawals: [],
    expected: [],
    expectedWebhooks: new Set(),
    startedAt: Date.now(),
    endedAt: null,
    problem: null,
  };
}

export const acceptedPayment = (payment: Payment, wallet: Address): AcceptedPayment => ({
  id: payment.payment_id,
  wallet,
  payment,
  declaration: parseDeclaration(payment.declaration),
});

/** @throws Error when the payment was never accepted */
export function acceptanceOf<T>({ accepted }: { accepted: T | null }): T {
  if (accepted === null) throw new Error('the payment was not accepted');
  return accepted;
}
