/**
 * Gas of whole transactions: the transfer of one token, that of its fee, the bookkeeping, and where the wallet is not there
 * yet its deployment. Measured; the integration test keeps the numbers true.
 */
const GAS = {
  token: { deployed: 122_000n, undeployed: 225_000n },
  native: { deployed: 128_000n, undeployed: 214_000n },
};

export function withdrawalGas(o: { isNative: boolean; isDeployed: boolean }): bigint {
  const gas = o.isNative ? GAS.native : GAS.token;
  return o.isDeployed ? gas.deployed : gas.undeployed;
}
