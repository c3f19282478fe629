// Deployments: addresses and expected code hashes follow from the bytecode.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  concat,
  encodeAbiParameters,
  getContractAddress,
  getCreate2Address,
  keccak256,
} from 'viem';
import { forge, packageRoot } from './forge.mjs';

export const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = `0x${'0'.repeat(64)}`;

export function run(args) {
  const { status } = forge(args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`forge ${args[0]} failed`);
}

export function built(contract) {
  const path = join(packageRoot, `out/${contract}.sol/${contract}.json`);
  const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8'));
  return { abi, bytecode: bytecode.object };
}

/** Code of a contract with settings; the hash is that of the deployed code whose immutables are zero. */
export function deploymentCode(contract) {
  const path = join(packageRoot, `out/${contract}.sol/${contract}.json`);
  const { bytecode, deployedBytecode } = JSON.parse(readFileSync(path, 'utf8'));
  const immutables = Object.values(deployedBytecode.immutableReferences ?? {})
    .flat()
    .sort((one, other) => one.start - other.start);
  return {
    contract,
    creationCode: bytecode.object,
    codeHash: keccak256(deployedBytecode.object),
    immutables,
  };
}

function measureCodes(initCodes, deployedAlongside) {
  const cache = join(packageRoot, 'cache');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'init-codes.json'), JSON.stringify({ initCodes, deployedAlongside }));
  run(['script', 'script/MeasureCode.s.sol']);
  return JSON.parse(readFileSync(join(cache, 'codes.json'), 'utf8'));
}

/** Collects deployments; each address follows from its init code. `hasChainId` means that the code contains the chain id. */
export function registry() {
  const deployments = [];
  const place = ({ name, artifact, bytecode, constructorArguments, hasChainId }) => {
    const initCode = concat([bytecode, constructorArguments]);
    const address = getCreate2Address({ from: CREATE2_DEPLOYER, salt: SALT, bytecode: initCode });
    deployments.push({ name, address, artifact, constructorArguments, initCode, hasChainId });
    return address;
  };
  return { deployments, place };
}

/** Adds the code hash of each deployment, null where it differs by chain. `alongside` is deployed by one of them. */
export function withCodeHashes(deployments, alongside) {
  const { addresses, codes, codesAlongside } = measureCodes(
    deployments.map(({ initCode }) => initCode),
    [alongside],
  );
  const measured = deployments.map((deployment, index) => {
    if (addresses[index].toLowerCase() !== deployment.address.toLowerCase()) {
      throw new Error(
        `${deployment.name} went to ${addresses[index]}, not to ${deployment.address}`,
      );
    }
    return { ...deployment, codeHash: deployment.hasChainId ? null : keccak256(codes[index]) };
  });
  return { measured, codeHashAlongside: keccak256(codesAlongside[0]) };
}

/** Places the contracts of every chain. Returns the address of the wallets' implementation, which the factory deploys. */
export function contractDeployments({ place }) {
  const converter = place({
    name: 'converter',
    bytecode: built('Converter').bytecode,
    constructorArguments: '0x',
  });
  const runners = place({
    name: 'actionRunnerFactory',
    bytecode: built('ActionRunnerFactory').bytecode,
    constructorArguments: '0x',
  });
  const factory = place({
    name: 'oneTimeWalletFactory',
    bytecode: built('OneTimeWalletFactory').bytecode,
    constructorArguments: encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }],
      [converter, runners],
    ),
  });
  return getContractAddress({ from: factory, nonce: 1n });
}
