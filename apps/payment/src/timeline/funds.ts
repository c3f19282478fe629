import { formatAmount } from '@bascule/amounts';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { FundsPlace, TimelineFunds, TokenIdentifier } from '@bascule/contracts';
import { isAcross } from '../life-cycle/open-transfers.js';
import { decimalsOf } from '../life-cycle/payment-record.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { holdings } from '../life-cycle/wallet-ledger.js';

/** The payment's money by place and token, from the recorded facts. */
export const fundsOf = (payment: PaymentRecord): TimelineFunds[] => [
  ...unconfirmed(payment),
  ...holdings(payment).map(({ token, amount, decimals }) =>
    funds('WALLET', token, amount, decimals),
  ),
  ...inBridges(payment),
  ...paidOut(payment),
];

const funds = (
  place: FundsPlace,
  token: TokenIdentifier,
  amount: bigint,
  decimals: number,
): TimelineFunds => ({
  place,
  chain: parseTokenIdentifier(token).chain,
  token,
  amount: formatAmount(amount, decimals),
});

function unconfirmed({ deposits }: PaymentRecord): TimelineFunds[] {
  const sums = new Map<TokenIdentifier, { amount: bigint; decimals: number }>();
  for (const { token, amount, decimals, confirmed } of deposits) {
    if (confirmed) continue;
    sums.set(token, { amount: (sums.get(token)?.amount ?? 0n) + amount, decimals });
  }
  return [...sums].map(([token, { amount, decimals }]) =>
    funds('UNCONFIRMED', token, amount, decimals),
  );
}

const inBridges = (payment: PaymentRecord): TimelineFunds[] =>
  payment.legs.flatMap((leg) => {
    if (leg.transfer === null || !isAcross(payment, leg)) return [];
    const { inputToken, amount } = leg.transfer.transfer;
    return [funds('BRIDGE', inputToken, amount, decimalsOf(payment, inputToken))];
  });

function paidOut(payment: PaymentRecord): TimelineFunds[] {
  const settlement = payment.legs.at(-1)?.settlement;
  const token = payment.plan.legs.at(-1)?.output_token;
  if (settlement == null || token === undefined) return [];
  return [funds('DESTINATION', token, settlement.output, decimalsOf(payment, token))];
}
