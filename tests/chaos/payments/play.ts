import type { Payment, PaymentStatus, TokenIdentifier, WebhookEventType } from '@bascule/contracts';
import { parseDeclaration, type Declaration } from '@bascule/solidity';
import type { Address, Hex, PrivateKeyAccount } from 'viem';
import { newPlayer } from '../../../tools/first-payment/player.js';
import type { Random } from '../random.js';
import type { BusyChain } from './busy-chain.js';
import type { Organisation } from './organisations.js';

/** Tokens or native currency that a player sent to a payment's wallet. */
export interface SentDeposit {
  token: TokenIdentifier;
  units: bigint;
  hash: Hex;
}

/** What an owner signed for and was told about it. */
export interface OwnerWithdrawal {
  withdrawId: string;
  /** False when the owner brought it onto the chain without the service. */
  byService: boolean;
  status: 'SUCCESS' | 'FAILED' | 'EXPIRED' | 'REFUSED';
  transactionHash: string | null;
  takes: { token: TokenIdentifier; to: Address; units: bigint }[];
}

/** One payment, how it is played, and what has to come of it. */
export interface Play {
  readonly kind: string;
  readonly random: Random;
  readonly chain: BusyChain;
  readonly organisation: Organisation;
  readonly owner: PrivateKeyAccount;
  readonly destination: Address;
  accepted: AcceptedPayment | null;
  readonly deposits: SentDeposit[];
  readonly withdrawals: OwnerWithdrawal[];
  /** In one of these the payment has to be at last. */
  expected: readonly PaymentStatus[];
  /** What webhooks have to tell of it. */
  readonly told: Set<WebhookEventType>;
  readonly beganAt: number;
  endedAt: number | null;
  /** What went otherwise than the player was promised. */
  problem: string | null;
}

export interface AcceptedPayment {
  id: string;
  wallet: Address;
  payment: Payment;
  declaration: Declaration;
}

type Facts = Pick<Play, 'kind' | 'random' | 'chain' | 'organisation'>;

export function newPlay({ kind, random, chain, organisation }: Facts): Play {
  return {
    ...{ kind, random, chain, organisation },
    ...newPlayer(),
    accepted: null,
    deposits: [],
    withdrawals: [],
    expected: [],
    told: new Set(),
    beganAt: Date.now(),
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
