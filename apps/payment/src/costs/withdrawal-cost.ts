import { formatDecimal, valueOf } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';
import { WITHDRAWAL_GAS } from '@bascule/solidity';

const NATIVE_DECIMALS = 18;

/**
 * Cost of withdrawing the rest in US dollars, as the withdrawal service charges it: less than that cannot reach the
 * owner.
 */
export const withdrawalCostUsd = (
  gasPrice: bigint,
  nativeUsd: DecimalString,
  dataFee = 0n,
): DecimalString =>
  formatDecimal(
    valueOf(gasPrice * WITHDRAWAL_GAS.token.deployed + dataFee, NATIVE_DECIMALS, nativeUsd),
  );
