import { compareDecimals, valueOf } from '@bascule/amounts';
import { withdrawalFee } from './withdrawal-fee.js';
import { furtherTokenGas } from './withdrawal-gas.js';

/** Token of a withdrawal that is charged. */
export interface ChargedToken<Id> {
  id: Id;
  decimals: number;
  isNative: boolean;
  /** Smallest units. */
  amount: bigint;
  /** US dollars for one whole token; absent without a price. */
  usd?: string | undefined;
}

export interface RelayCost {
  /** Wei for one unit of gas. */
  gasPrice: bigint;
  /** Fee of a rollup for the transaction's data, in wei. */
  dataFee?: bigint;
  /** Gas of a whole transaction that withdraws only this token. */
  gasOf: (token: { isNative: boolean }) => bigint;
  native: { decimals: number; usd?: string | undefined };
}

export interface SharedFees<Id> {
  /** Smallest units. */
  fees: Map<Id, bigint>;
  /** False when gas costs something, but no token has a price to charge it in. */
  isGasRepaid: boolean;
  /** Wei of the gas that the fees repay. */
  repaidWei: bigint;
}

type Priced<Id> = ChargedToken<Id> & { usd: string };

/**
 * Splits the fee of one transaction: each token pays for its own transfers, and the most valuable one also for the rest, the data fee included.
 * A token without a price pays nothing, so that it can leave the wallet; the most valuable token bears its part.
 */
export function sharedFees<Id>(
  tokens: readonly ChargedToken<Id>[],
  { gasPrice, dataFee = 0n, gasOf, native }: RelayCost,
): SharedFees<Id> {
  const fees = new Map(tokens.map(({ id }) => [id, 0n]));
  // The native currency pays for gas in its own units, so its price cancels out.
  const nativeUsd = native.usd ?? '1';
  const priced = tokens.flatMap((token): Priced<Id>[] => {
    const usd = token.isNative ? nativeUsd : native.usd === undefined ? undefined : token.usd;
    return usd === undefined ? [] : [{ ...token, usd }];
  });
  const payer = mostValuable(priced);
  if (payer === undefined) return { fees, isGasRepaid: gasPrice + dataFee === 0n, repaidWei: 0n };
  let repaidWei = 0n;
  const charge = (token: Priced<Id>, gas: bigint, ofData = 0n): void => {
    const cost = {
      gasPrice,
      gas,
      dataFee: ofData,
      native: { decimals: native.decimals, usd: nativeUsd },
    };
    fees.set(token.id, withdrawalFee(cost, token));
    repaidWei += gasPrice * gas + ofData;
  };
  let payersGas = gasOf(payer);
  for (const token of tokens) {
    const other = priced.find(({ id }) => id === token.id);
    if (token.id === payer.id) continue;
    if (other === undefined) payersGas += furtherTokenGas(token);
    else charge(other, furtherTokenGas(token));
  }
  charge(payer, payersGas, dataFee);
  return { fees, isGasRepaid: true, repaidWei };
}

const mostValuable = <Id>(tokens: readonly Priced<Id>[]): Priced<Id> | undefined =>
  tokens.reduce<Priced<Id> | undefined>(
    (best, token) =>
      best === undefined || compareDecimals(worth(token), worth(best)) > 0 ? token : best,
    undefined,
  );

const worth = <Id>({ amount, decimals, usd }: Priced<Id>) => valueOf(amount, decimals, usd);
