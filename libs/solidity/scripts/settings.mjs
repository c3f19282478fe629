// Contracts with settings: the same settings give the same addresses on every chain.
import { encodeAbiParameters } from 'viem';
import { built } from './deployments.mjs';

/** Amounts are decimal strings in the token's smallest unit; lists name all chains. */
export function deploymentsOfSettings(settings, place) {
  const own = (name, contract, values) => {
    const { abi, bytecode } = built(contract);
    const { inputs } = abi.find(({ type }) => type === 'constructor');
    return place({ name, bytecode, constructorArguments: encodeAbiParameters(inputs, values) });
  };
  const { executor, attesterOracle, intentEscrow, cctpAdapter } = settings;
  if (executor) own('executor', 'Executor', [executor.owner, executor.operators]);
  const oracle =
    attesterOracle &&
    own('attesterOracle', 'AttesterOracle', [
      attesterOracle.attesters,
      BigInt(attesterOracle.threshold),
    ]);
  if (intentEscrow) {
    if (!oracle) throw new Error('settings: an intentEscrow needs an attesterOracle');
    own('intentEscrow', 'IntentEscrow', [
      BigInt(intentEscrow.fillWindowSeconds),
      BigInt(intentEscrow.settleWindowSeconds),
      oracle,
      intentEscrow.tokens.map(({ chainId, token, orderCap, outstandingCap }) => ({
        chainId: BigInt(chainId),
        token,
        orderCap: BigInt(orderCap),
        outstandingCap: BigInt(outstandingCap),
      })),
    ]);
  }
  if (cctpAdapter) {
    own('cctpAdapter', 'CctpAdapter', [
      cctpAdapter.messenger,
      cctpAdapter.minFinalityThreshold,
      cctpAdapter.chains.map(({ chainId, ...chain }) => ({ chainId: BigInt(chainId), ...chain })),
    ]);
  }
}
