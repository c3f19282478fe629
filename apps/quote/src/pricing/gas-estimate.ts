/** Measured on the contracts, rounded up: the transaction that deploys a wallet and executes a leg with one fee. */
const TRANSFER_LEG_GAS = 200_000n;
/** The Converter around a venue's calls. */
const CONVERTER_GAS = 10_000n;

export interface PartsGas {
  /** What the venue estimates for its part; null where nothing is converted. */
  conversion: bigint | null;
  /** The bridge's part; null on the last leg. */
  bridge: bigint | null;
}

/** Gas of a leg's whole transaction. */
export const legGas = ({ conversion, bridge }: PartsGas): bigint =>
  TRANSFER_LEG_GAS + (conversion === null ? 0n : CONVERTER_GAS + conversion) + (bridge ?? 0n);
