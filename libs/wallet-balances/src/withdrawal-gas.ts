import { WITHDRAWAL_GAS } from '@bascule/solidity';

/** Gas of each further token's two transfers. Measured; the integration test checks the numbers. */
const FURTHER_GAS = { token: 62_000n, native: 62_000n };

/** Gas of a withdrawal of one token. */
export function withdrawalGas(o: { isNative: boolean; isDeployed: boolean }): bigint {
  const gas = o.isNative ? WITHDRAWAL_GAS.native : WITHDRAWAL_GAS.token;
  return o.isDeployed ? gas.deployed : gas.undeployed;
}

/** Measured gas of a refund, without and with the attesters' signatures before it. */
const REFUND_GAS = { attested: 190_000n, unattested: 260_000n };

export const refundGas = (o: { isAttested: boolean }): bigint =>
  o.isAttested ? REFUND_GAS.attested : REFUND_GAS.unattested;

export const furtherTokenGas = (o: { isNative: boolean }): bigint =>
  o.isNative ? FURTHER_GAS.native : FURTHER_GAS.token;

/** Gas of a withdrawal of several tokens in one transaction. */
export function withdrawalBatchGas(
  areNative: readonly boolean[],
  { isDeployed }: { isDeployed: boolean },
): bigint {
  return areNative
    .map((isNative, index) =>
      index === 0 ? withdrawalGas({ isNative, isDeployed }) : furtherTokenGas({ isNative }),
    )
    .reduce((sum, gas) => sum + gas, 0n);
}
