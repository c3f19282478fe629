import {
  concat,
  encodeDeployData,
  getCreate2Address,
  hexToBytes,
  keccak256,
  slice,
  type Address,
  type Hex,
} from 'viem';
import {
  attesterOracleAbi,
  cctpAdapterAbi,
  executorAbi,
  intentEscrowAbi,
} from './generated/abis.js';
import { contractAddresses, developmentAddresses } from './generated/addresses.js';
import {
  contractDeployments,
  deploymentCodes,
  oneTimeWalletImplementationCodeHash,
} from './generated/deployments.js';

/** Settings of a deployment, the same for all of its chains. Amounts are decimal strings in the token's smallest unit. */
export interface DeploymentSettings {
  executor?: { owner: Address; operators: readonly Address[] };
  /** Attesters in ascending order. */
  attesterOracle?: { attesters: readonly Address[]; threshold: number };
  intentEscrow?: {
    fillWindowSeconds: number;
    settleWindowSeconds: number;
    tokens: readonly {
      chainId: number;
      token: Address;
      orderCap: string;
      outstandingCap: string;
    }[];
  };
  cctpAdapter?: {
    messenger: Address;
    minFinalityThreshold: number;
    chains: readonly { chainId: number; domain: number; token: Address }[];
  };
}

/** A contract of a deployment, at the address that follows from its code and settings. */
export interface Deployment {
  name: string;
  address: Address;
  /** Hash of the code there, with zero in place of its immutables. */
  codeHash: Hex;
  immutables: readonly { start: number; length: number }[];
  /** Creation code and constructor arguments; absent where another contract deploys this one. */
  initCode?: Hex;
  /** Name of the contract's source, and its constructor arguments: of contracts with settings. */
  source?: { contract: string; constructorArguments: Hex };
}

export const CREATE2_DEPLOYER: Address = developmentAddresses.create2Deployer;
const CREATE2_SALT: Hex = `0x${'0'.repeat(64)}`;

type SettingsContract = keyof typeof deploymentCodes;

function settled(name: SettingsContract, initCode: Hex): Deployment {
  const { contract, creationCode, codeHash, immutables } = deploymentCodes[name];
  const size = hexToBytes(creationCode).length;
  return {
    name,
    address: getCreate2Address({ from: CREATE2_DEPLOYER, salt: CREATE2_SALT, bytecode: initCode }),
    codeHash,
    immutables,
    initCode,
    source: { contract, constructorArguments: slice(initCode, size) },
  };
}

/**
 * Lists the contracts of every chain, then those that the settings contain, in the order of their deployment.
 *
 * @throws Error when the settings are not those of a deployment
 */
export function deploymentsOf(settings: DeploymentSettings): readonly Deployment[] {
  const { executor, attesterOracle, intentEscrow, cctpAdapter } = settings;
  const deployments: Deployment[] = contractDeployments.map(
    ({ name, address, codeHash, initCode }) => ({
      name,
      address,
      codeHash,
      initCode,
      immutables: [],
    }),
  );
  deployments.push({
    name: 'oneTimeWalletImplementation',
    address: contractAddresses.oneTimeWalletImplementation,
    codeHash: oneTimeWalletImplementationCodeHash,
    immutables: [],
  });
  if (executor) deployments.push(executorOf(executor));
  const oracle = attesterOracle && oracleOf(attesterOracle);
  if (oracle) deployments.push(oracle);
  if (intentEscrow) {
    if (!oracle) throw new Error('settings: an intentEscrow needs an attesterOracle');
    deployments.push(escrowOf(intentEscrow, oracle.address));
  }
  if (cctpAdapter) deployments.push(cctpAdapterOf(cctpAdapter));
  return deployments;
}

const executorOf = ({ owner, operators }: Required<DeploymentSettings>['executor']) =>
  settled(
    'executor',
    encodeDeployData({
      abi: executorAbi,
      bytecode: deploymentCodes.executor.creationCode,
      args: [owner, operators],
    }),
  );

const oracleOf = ({ attesters, threshold }: Required<DeploymentSettings>['attesterOracle']) =>
  settled(
    'attesterOracle',
    encodeDeployData({
      abi: attesterOracleAbi,
      bytecode: deploymentCodes.attesterOracle.creationCode,
      args: [attesters, BigInt(threshold)],
    }),
  );

const escrowOf = (escrow: Required<DeploymentSettings>['intentEscrow'], oracle: Address) =>
  settled(
    'intentEscrow',
    encodeDeployData({
      abi: intentEscrowAbi,
      bytecode: deploymentCodes.intentEscrow.creationCode,
      args: [
        BigInt(escrow.fillWindowSeconds),
        BigInt(escrow.settleWindowSeconds),
        oracle,
        escrow.tokens.map(({ chainId, token, orderCap, outstandingCap }) => ({
          chainId: BigInt(chainId),
          token,
          orderCap: BigInt(orderCap),
          outstandingCap: BigInt(outstandingCap),
        })),
      ],
    }),
  );

const cctpAdapterOf = (adapter: Required<DeploymentSettings>['cctpAdapter']) =>
  settled(
    'cctpAdapter',
    encodeDeployData({
      abi: cctpAdapterAbi,
      bytecode: deploymentCodes.cctpAdapter.creationCode,
      args: [
        adapter.messenger,
        adapter.minFinalityThreshold,
        adapter.chains.map(({ chainId, ...chain }) => ({ chainId: BigInt(chainId), ...chain })),
      ],
    }),
  );

/** Hash of deployed code with zero in place of its immutables; undefined where the code is too short for them. */
export function codeHashWithoutImmutables(
  code: Hex,
  immutables: Deployment['immutables'],
): Hex | undefined {
  const bytes = hexToBytes(code);
  for (const { start, length } of immutables) {
    if (start + length > bytes.length) return undefined;
    bytes.fill(0, start, start + length);
  }
  return keccak256(bytes);
}

/** Calldata of the CREATE2 deployer. */
export const deploymentData = (initCode: Hex): Hex => concat([CREATE2_SALT, initCode]);
