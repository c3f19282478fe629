// Writes src/generated from the build; `--check` only compares, and fails on a difference.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { size, slice } from 'viem';
import {
  built,
  contractDeployments,
  CREATE2_DEPLOYER,
  deploymentCode,
  registry,
  run,
  withCodeHashes,
} from './deployments.mjs';
import { developmentDeployments, npmArtifact } from './development-chain.mjs';
import { folderOf, packageRoot } from './forge.mjs';

const generatedFolder = join(packageRoot, 'src/generated');

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

async function multicall3Code() {
  const constants = join(folderOf('viem'), '_esm/constants/contracts.js');
  const { multicall3Bytecode } = await import(pathToFileURL(constants).href);
  // The creation code copies what follows its first 32 bytes.
  return slice(multicall3Bytecode, 32, size(multicall3Bytecode));
}

function json(value) {
  return JSON.stringify(value, null, 2);
}

const HEADER = '// Generated from the contracts: `npm run generate` writes it.\n';

function abisFile() {
  const abis = {
    oneTimeWalletAbi: built('OneTimeWallet').abi,
    oneTimeWalletFactoryAbi: built('OneTimeWalletFactory').abi,
    converterAbi: built('Converter').abi,
    actionRunnerAbi: built('ActionRunner').abi,
    executorAbi: built('Executor').abi,
    bridgeAdapterAbi: built('IBridgeAdapter').abi,
    intentEscrowAbi: built('IntentEscrow').abi,
    attesterOracleAbi: built('AttesterOracle').abi,
    cctpAdapterAbi: built('CctpAdapter').abi,
    developmentVaultAbi: built('DevelopmentVault').abi,
    developmentTokenAbi: built('DevelopmentToken').abi,
    developmentTetherAbi: built('DevelopmentTether').abi,
    priceFeedAbi: built('DevelopmentPriceFeed').abi,
    sanctionsListAbi: built('DevelopmentSanctionsList').abi,
    weth9Abi: npmArtifact('@uniswap/v2-periphery/build/WETH9.json').abi,
  };
  const lines = Object.entries(abis).map(
    ([name, abi]) => `export const ${name} = ${json(abi)} as const;\n`,
  );
  return `${HEADER}\n${lines.join('\n')}`;
}

function addressesFile(canonical, development, implementation) {
  const at = (deployments) =>
    Object.fromEntries(deployments.map(({ name, address }) => [name, address]));
  const contractAddresses = { ...at(canonical), oneTimeWalletImplementation: implementation };
  const { ethUsd, btcUsd, usdcUsd, usdtUsd, ...rest } = at(development);
  const developmentAddresses = {
    create2Deployer: CREATE2_DEPLOYER,
    multicall3: MULTICALL3,
    ...contractAddresses,
    ...rest,
    priceFeeds: { ethUsd, btcUsd, usdcUsd, usdtUsd },
  };
  return `${HEADER}
/** Ours, at the same addresses on every chain. */
export const contractAddresses = ${json(contractAddresses)} as const;

/** Everything that a development chain has, at the same addresses on each. */
export const developmentAddresses = ${json(developmentAddresses)} as const;
`;
}

const deploymentCodes = () => ({
  executor: deploymentCode('Executor'),
  attesterOracle: deploymentCode('AttesterOracle'),
  intentEscrow: deploymentCode('IntentEscrow'),
  cctpAdapter: deploymentCode('CctpAdapter'),
});

function deploymentsFile(canonical, development, implementationCodeHash, multicall3) {
  const entry = ({ name, address, codeHash, artifact, constructorArguments, initCode }) =>
    artifact
      ? { name, address, codeHash, artifact, constructorArguments }
      : { name, address, codeHash, initCode };
  return `${HEADER}
/** Deployed by the CREATE2 deployer with the salt zero, in this order. */
export const contractDeployments = ${json(canonical.map(entry))} as const;

/** keccak256 of the code of the implementation, which its factory deploys. */
export const oneTimeWalletImplementationCodeHash = '${implementationCodeHash}' as const;

/** Contracts whose constructor takes the settings of a deployment: \`codeHash\` is that of the code with zero immutables. */
export const deploymentCodes = ${json(deploymentCodes())} as const;

/** The further contracts of a development chain; those with an \`artifact\` take their bytecode from npm. Code without a \`codeHash\` contains the chain id. */
export const developmentDeployments = ${json(development.map(entry))} as const;

/** Runtime code. */
export const multicall3Code = '${multicall3}' as const;
`;
}

async function generate() {
  run(['build']);
  const canonical = registry();
  const implementation = contractDeployments(canonical);
  const development = registry();
  developmentDeployments(built, development.place);

  const { measured, codeHashAlongside } = withCodeHashes(
    [...canonical.deployments, ...development.deployments],
    implementation,
  );
  const own = measured.slice(0, canonical.deployments.length);
  const others = measured.slice(canonical.deployments.length);
  return {
    'abis.ts': abisFile(),
    'addresses.ts': addressesFile(own, others, implementation),
    'deployments.ts': deploymentsFile(own, others, codeHashAlongside, await multicall3Code()),
  };
}

function committed(name) {
  return readdirSync(generatedFolder).includes(name)
    ? readFileSync(join(generatedFolder, name), 'utf8')
    : undefined;
}

const files = await generate();
if (process.argv.includes('--check')) {
  const different = Object.entries(files).filter(([name, content]) => committed(name) !== content);
  for (const [name] of different)
    process.stderr.write(`src/generated/${name} differs from the build\n`);
  process.exitCode = different.length === 0 ? 0 : 1;
} else {
  mkdirSync(generatedFolder, { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(generatedFolder, name), content);
}
