import type { TokenIdentifier } from '@bascule/contracts';
import type {
  Deposit,
  Leg,
  MinedWithdrawal,
  PaymentRecord,
  WalletHolding,
  Withdrawal,
} from './payment-record.js';

type MinedFromWallet = Withdrawal & { readonly mined: MinedWithdrawal };
const isFromWallet = (withdrawal: Withdrawal): withdrawal is MinedFromWallet =>
  withdrawal.mined !== null && withdrawal.transferId === null;

/** Last mined withdrawal from the wallet, by chain. */
function baselines(withdrawals: readonly Withdrawal[]): Map<string, MinedWithdrawal> {
  const latest = new Map<string, MinedWithdrawal>();
  for (const { chain, mined } of withdrawals.filter(isFromWallet)) {
    const known = latest.get(chain);
    if (!known || known.blockNumber < mined.blockNumber) latest.set(chain, mined);
  }
  return latest;
}

/** A withdrawal from the wallet that was mined in the block or later: the rest that it left counts the block's deposits. */
export const withdrawalSince = (
  { withdrawals }: PaymentRecord,
  chain: string,
  block: bigint,
): MinedFromWallet | undefined =>
  withdrawals
    .filter(isFromWallet)
    .find((it) => it.chain === chain && it.mined.blockNumber >= block);

/**
 * Wallet balances from final facts alone: the rest after the last withdrawal on each chain, plus later deposits, less
 * the amounts that later legs took.
 */
export const holdings = (payment: PaymentRecord): WalletHolding[] =>
  balances(payment, ({ confirmed }) => confirmed);

/** As {@link holdings}, with deposits that are not final yet. */
export const recordedHoldings = (payment: PaymentRecord): WalletHolding[] =>
  balances(payment, () => true);

function balances(payment: PaymentRecord, counts: (deposit: Deposit) => boolean): WalletHolding[] {
  const since = baselines(payment.withdrawals);
  const isLater = (chain: string, block: bigint): boolean =>
    block > (since.get(chain)?.blockNumber ?? -1n);
  const held = new Map<TokenIdentifier, WalletHolding>();
  const add = (holding: WalletHolding): void => {
    const amount = (held.get(holding.token)?.amount ?? 0n) + holding.amount;
    held.set(holding.token, { ...holding, amount });
  };

  for (const mined of since.values()) mined.remaining.forEach(add);
  for (const deposit of payment.deposits) {
    if (counts(deposit) && isLater(deposit.chain, deposit.blockNumber)) {
      const { token, amount, decimals, usdPrice } = deposit;
      add({ token, amount, decimals, usdPrice });
    }
  }
  for (const leg of payment.legs) {
    if (leg.settlement === null || !isLater(leg.chain, leg.settlement.blockNumber)) continue;
    const token = payment.plan.legs[leg.index]?.input_token;
    const holding = token === undefined ? undefined : held.get(token);
    if (holding) held.set(holding.token, { ...holding, amount: holding.amount - taken(leg) });
  }
  return [...held.values()].filter(({ amount }) => amount > 0n);
}

/** Amount that a settled leg took from the wallet, fees included. */
export function taken({ settlement }: Leg): bigint {
  if (settlement === null) return 0n;
  return settlement.fees.reduce((sum, fee) => sum + fee, settlement.input);
}

export const heldOf = (payment: PaymentRecord, token: TokenIdentifier): bigint =>
  holdings(payment).find((holding) => holding.token === token)?.amount ?? 0n;
