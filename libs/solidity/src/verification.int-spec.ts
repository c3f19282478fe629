import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { concat, getCreate2Address, keccak256, type Address, type Hex } from 'viem';
import { CREATE2_DEPLOYER, deploymentsOf } from './deployment-settings.js';

interface VerifiedContract {
  name: string;
  address: Address;
  constructorArguments: Hex;
  input: string;
}
interface Bytecode {
  object: string;
}
interface Output {
  contracts: Record<
    string,
    Record<string, { evm: { bytecode: Bytecode; deployedBytecode: Bytecode } }>
  >;
}

const folder = dirname(createRequire(import.meta.url).resolve('@bascule/solidity/package.json'));
const output = mkdtempSync(join(tmpdir(), 'bascule-verification-'));
const account = `0x${'00'.repeat(19)}01` as const;
const SETTINGS = {
  executor: { owner: account, operators: [account] },
  attesterOracle: { attesters: [account], threshold: 1 },
  intentEscrow: {
    fillWindowSeconds: 120,
    settleWindowSeconds: 1800,
    tokens: [{ chainId: 1, token: account, orderCap: '1', outstandingCap: '2' }],
  },
  cctpAdapter: {
    messenger: account,
    minFinalityThreshold: 2000,
    chains: [{ chainId: 1, domain: 0, token: account }],
  },
};

let compiler: string;
let contracts: readonly VerifiedContract[];

beforeAll(() => {
  const settings = join(output, 'settings.json');
  writeFileSync(settings, JSON.stringify(SETTINGS));
  const loader = join(folder, '../../tools/source-loader.mjs');
  const script = join(folder, 'scripts/verification.mjs');
  execFileSync(process.execPath, [
    '--import',
    loader,
    script,
    '--settings',
    settings,
    '--output',
    output,
  ]);
  ({ compiler, contracts } = JSON.parse(readFileSync(join(output, 'deployment.json'), 'utf8')) as {
    compiler: string;
    contracts: readonly VerifiedContract[];
  });
});
afterAll(() => rmSync(output, { recursive: true, force: true }));

/** Compiles the standard JSON input of a contract as an explorer does. */
function recompile(
  input: string,
  [file = '', contract = '']: readonly string[],
): { creation: Hex; deployed: Hex } {
  const answer = execFileSync(process.execPath, [join(folder, 'scripts/solc.mjs')], {
    input: readFileSync(join(output, input)),
    maxBuffer: 2 ** 26,
  });
  const compiled = (JSON.parse(String(answer)) as Output).contracts[file]?.[contract];
  if (!compiled) throw new Error(`${contract} was not compiled`);
  const { bytecode, deployedBytecode } = compiled.evm;
  return { creation: `0x${bytecode.object}`, deployed: `0x${deployedBytecode.object}` };
}

const salt = `0x${'00'.repeat(32)}` as const;

describe('the data by which explorers verify the sources', () => {
  it('name every contract of the deployment with its address', () => {
    const deployments = deploymentsOf(SETTINGS);
    expect(contracts.map(({ address }) => address)).toEqual(
      deployments.map((each) => each.address),
    );
    expect(compiler).toBe('v0.8.30+commit.73712a01');
  });

  it.each([
    ['converter', 0],
    ['actionRunnerFactory', 1],
    ['oneTimeWalletFactory', 2],
    ['executor', 4],
    ['attesterOracle', 5],
    ['intentEscrow', 6],
    ['cctpAdapter', 7],
  ])('compile to the code and the address of %s', (name, index) => {
    const { input, name: source, constructorArguments, address } = contracts[index] ?? {};
    const deployment = deploymentsOf(SETTINGS).find((each) => each.name === name);
    const { creation, deployed } = recompile(input ?? '', source?.split(':') ?? []);
    const bytecode = concat([creation, constructorArguments ?? '0x']);
    expect(getCreate2Address({ from: CREATE2_DEPLOYER, salt, bytecode })).toBe(address);
    expect(address).toBe(deployment?.address);
    // Immutables are zero in the compiler's output; the factories' are not in the hash of the release.
    if (index > 3) expect(keccak256(deployed)).toBe(deployment?.codeHash);
  });

  it('compile to the wallets that the factory deploys', () => {
    const { input, name, constructorArguments } = contracts[3] ?? {};
    const { creation } = recompile(input ?? '', name?.split(':') ?? []);
    const factory = deploymentsOf(SETTINGS).find((each) => each.name === 'oneTimeWalletFactory');
    expect(factory?.initCode).toContain(creation.slice(2));
    expect(constructorArguments).toBe(contracts[2]?.constructorArguments);
  });

  it('name no file of this machine', () => {
    for (const { input } of contracts) {
      const { sources } = JSON.parse(readFileSync(join(output, input), 'utf8')) as {
        sources: Record<string, unknown>;
      };
      for (const source of Object.keys(sources))
        expect(source).toMatch(/^(contracts|@openzeppelin|solady)\//);
    }
  });
});
