import { WITHDRAWAL_GAS } from '@bascule/solidity';

/** What each token beside the first adds: its two transfers. Measured; the integration test keeps the numbers true. */
const FURTHER_GAS = { token: 62_000n, native: 62_000n };

/** Of a withdrawal of one token. */
export function withdrawalGas(o: { isNative: boolean; isDeployed: boolean }): bigint {
  const gas = o.isNative ? WITHDRAWAL_GAS.native : WITHDRAWAL_GAS.token;
  return o.isDeployed ? gas.deployed : gas.undeployed;
}

/** Of a refund by the escrow: with the signatures of the attesters before it, or by itself. Measured. */
const REFUND_GAS = { attested: 190_000n, unattested: 260_000n };

export const refundGas = (o: { isAttested: boolean }): bigint =>
  o.isAttested ? REFUND_GAS.attested : REFUND_GAS.unattested;

export const furtherTokenGas = (o: { isNative: boolean }): bigint =>
  o.isNative ? FURTHER_GAS.native : FURTHER_GAS.token;
