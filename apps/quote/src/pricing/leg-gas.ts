import { CONVERSION_CALL_BYTES } from '@bascule/solidity';

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

/** Size of a leg's transaction with three legs declared and one fee each; measured on the contracts, rounded up. */
const TRANSFER_LEG_BYTES = 2_200;
const FEE_BYTES = 96;

/** Bytes of a leg's transaction without custom actions, which a rollup charges for. */
export const legBytes = ({ conversion, businessFees }: Omit<PartsGas, 'bridge'>): number =>
  TRANSFER_LEG_BYTES + FEE_BYTES * businessFees + (conversion === null ? 0 : CONVERSION_CALL_BYTES);

/** Room for a venue or token that uses more at execution than at the quote. */
const LIMIT_FACTOR = 2n;
/** Room for the code of a destination that receives native currency. */
const PAYOUT_ROOM = 100_000n;

/** Gas limit of a leg without custom actions, by the gas that is charged for it. */
export const legGasLimit = (gas: bigint): bigint => LIMIT_FACTOR * gas + PAYOUT_ROOM;
