import { tokenIdentifier } from '@bascule/contracts';
import type { DecimalString, TokenIdentifier } from '@bascule/contracts';
import { confirmDeposits, forgetDeposits, recordDeposit } from '../life-cycle/funding.js';
import { forgetRefunds } from '../life-cycle/refunds.js';
import type { Deposit, PaymentRecord } from '../life-cycle/payment-record.js';
import { forgetMinedWithdrawals } from '../life-cycle/withdrawals.js';
import { isAddress, isHash } from 'viem';
import type { Address } from 'viem';
import type { BlockPointer } from './scanned-chain.js';
import type { Transfer } from './transfers.js';

export interface Arrival extends Omit<Transfer, 'from'> {
  /** Null where it cannot be known. */
  from: Address | null;
  chain: string;
  block: BlockPointer;
}

export interface TokenFacts {
  decimals: number;
  usdPrice: DecimalString | null;
}

export const tokenOf = ({ chain, token }: Arrival): TokenIdentifier =>
  tokenIdentifier(chain, token);

/**
 * Deposit of an arrival; null for a token of neither the plan nor the catalogue.
 * @throws where the node tells no transaction hash, or a sender that is no address: nobody could screen it
 */
export function depositOf(
  payment: PaymentRecord,
  arrival: Arrival,
  catalogue: ReadonlyMap<string, TokenFacts>,
  newId: () => string,
): Deposit | null {
  const token = tokenOf(arrival);
  const decimals = payment.decimals[token] ?? catalogue.get(token)?.decimals;
  if (decimals === undefined) return null;
  if (!isHash(arrival.transactionHash)) {
    throw new Error('expected a transaction hash of 32 bytes: check the node');
  }
  if (arrival.from !== null && !isAddress(arrival.from, { strict: false })) {
    throw new Error('expected an address as the sender: check the node');
  }
  return {
    id: newId(),
    chain: arrival.chain,
    token,
    amount: arrival.amount,
    decimals,
    usdPrice: catalogue.get(token)?.usdPrice ?? null,
    sender: arrival.from?.toLowerCase() ?? null,
    transactionHash: arrival.transactionHash,
    position: arrival.position,
    blockNumber: arrival.block.number,
    blockHash: arrival.block.hash,
    blockTimestamp: arrival.block.timestamp,
    confirmed: false,
  };
}

/** Names a transfer in a block of a chain. */
export const transferKey = (deposit: Deposit): string =>
  `${deposit.chain}/${deposit.transactionHash}/${deposit.position}/${deposit.blockHash}`;

/**
 * Deposits that the payment is not read with, so reading a block again is idempotent. The first counts of those with one
 * name, which only a node that lies tells.
 */
export function newDeposits(payment: PaymentRecord, deposits: readonly Deposit[]): Deposit[] {
  const known = new Set(payment.deposits.map(transferKey));
  return deposits.filter((deposit) => {
    const key = transferKey(deposit);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/** Adds new deposits; returns the same payment without any. */
export const withDeposits = (payment: PaymentRecord, deposits: readonly Deposit[]): PaymentRecord =>
  newDeposits(payment, deposits).reduce(
    (changed, deposit) => recordDeposit(changed, deposit),
    payment,
  );

export function withConfirmed(payment: PaymentRecord, chain: string, upTo: bigint): PaymentRecord {
  const isNews = payment.deposits.some(
    (deposit) => deposit.chain === chain && !deposit.confirmed && deposit.blockNumber <= upTo,
  );
  return isNews ? confirmDeposits(payment, chain, upTo) : payment;
}

/** Removes deposits, refunds and mined withdrawals of the chain's blocks from a height on. */
export function withoutBlocks(
  payment: PaymentRecord,
  chain: string,
  from: bigint,
  now: Date,
): PaymentRecord {
  const hasDeposit = payment.deposits.some(
    (deposit) => deposit.chain === chain && deposit.blockNumber >= from,
  );
  const hasMinedWithdrawal = payment.withdrawals.some(
    ({ chain: where, mined }) => where === chain && (mined?.blockNumber ?? -1n) >= from,
  );
  const withoutDeposits = hasDeposit ? forgetDeposits(payment, chain, from) : payment;
  const withoutRefunds = forgetRefunds(withoutDeposits, chain, from);
  return hasMinedWithdrawal
    ? forgetMinedWithdrawals(withoutRefunds, chain, from, now)
    : withoutRefunds;
}
