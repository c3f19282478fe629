import { convert, formatAmount } from '@bascule/amounts';
import type { AmountIssue, TokenIdentifier } from '@bascule/contracts';
import type { Amount } from '../routes/fee-breakdown.js';
import type { PriceBook } from '../routes/price-book.js';
import { amountBefore, type Deductions } from '../routes/revenue-share.js';

/** Gas to deploy a wallet and execute a leg with one fee; measured on the contracts, rounded up. */
const TRANSFER_LEG_GAS = 200_000n;
/** Gas of each further fee, to an account without a balance. */
const FEE_GAS = 40_000n;
/** Gas that the Converter adds to a venue's calls. */
const CONVERTER_GAS = 10_000n;

export interface PartsGas {
  /** Estimate of the venue; null without a conversion. */
  conversion: bigint | null;
  /** Gas of the bridge; null on the last leg. */
  bridge: bigint | null;
  /** Number of fees beside the network fee. */
  businessFees: number;
}

/** Gas of a leg's whole transaction. */
export const legGas = ({ conversion, bridge, businessFees }: PartsGas): bigint =>
  TRANSFER_LEG_GAS +
  FEE_GAS * BigInt(businessFees) +
  (conversion === null ? 0n : CONVERTER_GAS + conversion) +
  (bridge ?? 0n);

export interface PayingToken {
  id: TokenIdentifier;
  decimals: number;
}

/**
 * Cost of `gas` in the smallest unit of the paying token, rounded up.
 * @throws MissingPriceError
 */
export function networkFee(o: {
  gas: bigint;
  /** Wei per unit of gas. */
  gasPrice: bigint;
  native: PayingToken;
  token: PayingToken;
  prices: PriceBook;
}): bigint {
  const cost = o.gas * o.gasPrice;
  if (o.token.id === o.native.id) return cost;
  return convert(
    cost,
    o.native.decimals,
    o.prices.priceOf(o.native.id),
    o.token.decimals,
    o.prices.priceOf(o.token.id),
    'up',
  );
}

/** Issue of an amount of which the network fee leaves nothing usable; `min` is the least that leaves something. */
export function amountTooLowIssue(o: {
  /** Amount that the customer gives. */
  given: Amount;
  legInput: Amount;
  deducted: Deductions;
  /** Amount that the fees leave; zero or less where they take everything. */
  rest: bigint;
  chain: string;
}): AmountIssue {
  const { given, legInput, chain } = o;
  const isConsumed = o.rest <= 0n;
  const min = isConsumed ? formatAmount(amountBefore(1n, o.deducted), legInput.decimals) : null;
  const limits = { min, max: null };
  const issue = {
    asset: given.asset,
    given: formatAmount(given.units, given.decimals),
    source: chain,
    message: `The network fee of ${chain} leaves ${isConsumed ? 'nothing' : 'too little'} of the amount.`,
    reason: 'TOO_LOW',
  } as const;
  return given.asset === legInput.asset
    ? { kind: 'amount', limits, ...issue }
    : {
        kind: 'amount-downstream',
        limits: { min: null, max: null },
        downstream_limits: limits,
        ...issue,
      };
}
