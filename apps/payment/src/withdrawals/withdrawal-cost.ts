import { formatDecimal, valueOf } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';

/** One token out of a deployed wallet, as the withdrawal service charges it. */
const WITHDRAWAL_GAS = 118_000n;
const NATIVE_DECIMALS = 18;

/** What withdrawing the rest would cost, in US dollars: nothing below it can reach the owner. */
export const withdrawalCostUsd = (gasPrice: bigint, nativeUsd: DecimalString): DecimalString =>
  formatDecimal(valueOf(gasPrice * WITHDRAWAL_GAS, NATIVE_DECIMALS, nativeUsd));
