/** Measured on the contracts, rounded up: the transaction that deploys a wallet and executes a leg with one fee. */
const TRANSFER_LEG_GAS = 200_000n;
/** The Converter around a venue's calls. */
const CONVERTER_GAS = 10_000n;

/** Gas of a whole leg; `conversionGas` is what the venue estimates for its part, null for a transfer. */
export const legGas = (conversionGas: bigint | null): bigint =>
  TRANSFER_LEG_GAS + (conversionGas === null ? 0n : CONVERTER_GAS + conversionGas);
