import { tokenIdentifier } from '@bascule/contracts';
import { developmentAddresses, type Declaration } from '@bascule/solidity';
import { zeroAddress, type Address } from 'viem';
import type { SentDeposit } from '../payments/test-payment.js';
import { entryOf, type TokenLedger, type LedgerEntry } from './token-ledger.js';
import { declaredLeg, lower, sum, type ChainRecord, type Transfer } from './chain-record.js';

/** Facts of a payment that its ledger on chain needs. */
export interface LedgerPayment {
  wallet: Address;
  destination: Address;
  declaration: Declaration;
  /** Deposits that were sent, on any chain. */
  deposits: readonly SentDeposit[];
}

const escrow = lower(developmentAddresses.intentEscrow);

/**
 * Builds a payment's ledger on one chain from transfers and events. Native currency leaves no log, so its deposits are the
 * sent ones and its sums are balances.
 */
export async function chainLedger(
  payment: LedgerPayment,
  { chain, ...record }: Pick<ChainRecord, 'chain' | 'transfers' | 'legs'>,
): Promise<TokenLedger> {
  const ledger: TokenLedger = new Map();
  const wallet = lower(payment.wallet);
  const destination = lower(payment.destination);
  const legs = record.legs.filter((leg) => leg.wallet === wallet);
  const legHashes = new Set(legs.map(({ hash }) => hash));
  const concerns = ({ from, to }: Transfer) =>
    from === wallet || to === wallet || to === destination;
  for (const transfer of record.transfers.filter(concerns)) {
    const isInLeg = legHashes.has(transfer.hash);
    enter(entryOf(ledger, transfer.token), transfer, { wallet, destination, isInLeg });
  }
  const native = tokenIdentifier(chain.name, zeroAddress);
  const coins = entryOf(ledger, native);
  coins.deposits = sum(
    payment.deposits.flatMap(({ token, units }) => (token === native ? [units] : [])),
  );
  coins.paidOut = await chain.balance(native, payment.destination);
  const declared = declaredLeg(payment.declaration, chain);
  const input = entryOf(ledger, tokenIdentifier(chain.name, declared?.inputToken ?? zeroAddress));
  for (const { amount, fees } of legs) {
    input.fees += sum(fees);
    if (input === coins) input.used += amount + sum(fees);
  }
  for (const [token, entry] of ledger) entry.left = await chain.balance(token, wallet);
  return ledger;
}

function enter(
  entry: LedgerEntry,
  { from, to, units }: Transfer,
  { wallet, destination, isInLeg }: { wallet: Address; destination: Address; isInLeg: boolean },
): void {
  if (to === destination) entry.paidOut += units;
  if (to === wallet) {
    if (isInLeg) entry.used -= units;
    else entry.deposits += units;
  }
  if (from === wallet) {
    if (isInLeg) entry.used += units;
    else entry.withdrawn += units;
    if (isInLeg && to === escrow) entry.bridged += units;
  }
}
