/**
 * Gas of whole transactions with one token: its transfer, the fee's transfer and the bookkeeping. Measured; the
 * integration test keeps the numbers true.
 */
const WITHDRAWAL = { token: 118_000n, native: 104_000n };
const DEPLOYMENT = 66_000n;

export function withdrawalGas(o: { isNative: boolean; isDeployed: boolean }): bigint {
  const withdrawal = o.isNative ? WITHDRAWAL.native : WITHDRAWAL.token;
  return o.isDeployed ? withdrawal : withdrawal + DEPLOYMENT;
}
