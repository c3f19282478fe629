import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chainDefinitions, parseChainsConfig } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import {
  CREATE2_DEPLOYER,
  contractAddresses,
  deploymentData,
  deploymentsOf,
  executorAbi,
  type DeploymentSettings,
} from '@bascule/solidity';
import {
  deployCode,
  deploySafe,
  freePort,
  startTestChain,
  type Safe,
  type TestChain,
} from '@bascule/testing';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foreignContracts } from '../../networks/contracts-of.js';
import { contracts as contractsCheck } from '../checks/contracts.js';
import { nodes as nodesCheck } from '../checks/nodes.js';
import type { Finding } from '../finding.js';
import { KeyRing } from '../key-ring.js';
import { tableOf } from '../report.js';
import { isSound, runChecks } from '../run-checks.js';

const ROOT = join(import.meta.dirname, '../../..');
const { name: CHAIN, chainId, contracts, dataFeeOracle } = definitionOf('basesepolia');
const [faucet, stranger, operator, , , other, , , ...keys] = developmentAccounts;
const signers = keys.slice(0, 3).map(({ privateKey }) => privateKeyToAccount(privateKey));
const token = contracts.uniswapV3?.intermediateTokens[0] ?? zeroAddress;
/** Ascending, as the oracle wants them. */
const attesters = signers
  .map(({ address }) => address)
  .sort((one, another) => (BigInt(one) < BigInt(another) ? -1 : 1));

let chain: TestChain;
let safe: Safe;
let settings: Settings;
let snapshot: Hex;

type Settings = Required<Omit<DeploymentSettings, 'cctpAdapter'>>;

function definitionOf(name: string) {
  const definition = chainDefinitions[name];
  if (!definition) throw new Error(`expected the chain ${name}`);
  return definition;
}

const node = () =>
  createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions);

const settingsWith = (owner: Address): Settings => ({
  executor: { owner, operators: [operator.address] },
  attesterOracle: { attesters, threshold: 2 },
  intentEscrow: {
    fillWindowSeconds: 120,
    settleWindowSeconds: 1800,
    tokens: [{ chainId, token, orderCap: '10', outstandingCap: '20' }],
  },
});

async function send(to: Address, data: Hex): Promise<void> {
  const transport = http(chain.rpcUrl);
  const account = privateKeyToAccount(faucet.privateKey);
  const hash = await createWalletClient({ account, transport }).sendTransaction({
    to,
    data,
    chain: null,
  });
  const client = createPublicClient({ transport, pollingInterval: 20 });
  const { status } = await client.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error('the transaction reverted');
}

async function deploy(wanted: DeploymentSettings): Promise<void> {
  for (const { initCode, address } of deploymentsOf(wanted)) {
    if (initCode && !(await node().getCode({ address })))
      await send(CREATE2_DEPLOYER, deploymentData(initCode));
  }
}

const addressIn = (wanted: DeploymentSettings, name: string): Address =>
  deploymentsOf(wanted).find((deployment) => deployment.name === name)?.address ?? zeroAddress;

const environment = (wanted: DeploymentSettings): NodeJS.ProcessEnv => ({
  CHAINS: CHAIN,
  [`RPC_URLS_${CHAIN.toUpperCase()}`]: chain.rpcUrl,
  EXECUTOR_CONTRACT: addressIn(wanted, 'executor'),
  ATTESTER_ORACLE: addressIn(wanted, 'attesterOracle'),
  INTENT_ESCROW: addressIn(wanted, 'intentEscrow'),
  EXPECTED_SIGNERS: attesters.join(','),
});

interface RpcRequest {
  id: number;
  method: string;
  params: readonly { to?: Address }[];
}

interface Asked {
  env?: NodeJS.ProcessEnv;
  settings?: DeploymentSettings;
  timeoutMs?: number;
}

function findingsOf({
  env = {},
  settings: asked = settings,
  timeoutMs = 10_000,
}: Asked = {}): Promise<readonly Finding[]> {
  const expected = { ...environment(settings), ...env };
  return runChecks([nodesCheck, contractsCheck], {
    services: [],
    chainsOnly: parseChainsConfig(expected),
    contracts: asked,
    expected,
    leastBalances: new Map(),
    keyRing: new KeyRing(),
    nodeTimeoutMs: timeoutMs,
  });
}

/** Names of the values that are not as expected. */
async function failedChecks(asked?: Asked): Promise<string[]> {
  const findings = await findingsOf(asked);
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ subject }) => (subject.split(': ')[1] ?? subject).replace(/ 0x[0-9a-fA-F]{40}$/, ''));
}

const call = (data: Hex) => ({ to: addressIn(settings, 'executor'), data });
const appointment = (account: Address, allowed: boolean) =>
  call(
    encodeFunctionData({
      abi: executorAbi,
      functionName: 'setOperator',
      args: [account, allowed],
    }),
  );
const proposal = (owner: Address) =>
  call(encodeFunctionData({ abi: executorAbi, functionName: 'transferOwnership', args: [owner] }));

beforeAll(async () => {
  chain = await startTestChain({ name: CHAIN, chainId });
  safe = await deploySafe(chain.rpcUrl, attesters, 2);
  settings = settingsWith(safe.address);
  await deploy(settings);
  // Stand in for the contracts of others, of which only the presence is checked.
  const others = foreignContracts({ contracts, ...(dataFeeOracle && { dataFeeOracle }) });
  for (const { address } of others) await node().setCode({ address, bytecode: '0x00' });
});
afterAll(() => chain.stop());

beforeEach(async () => {
  snapshot = await node().snapshot();
});
afterEach(() => node().revert({ id: snapshot }));

describe('the check of a deployment', () => {
  it('passes a deployment of this release that a Safe of two of three owns', async () => {
    expect(await failedChecks()).toEqual([]);
    expect(isSound(await findingsOf())).toBe(true);
  });

  it.each([
    ...['converter', 'actionRunnerFactory', 'oneTimeWalletFactory', 'oneTimeWalletImplementation'],
    ...['executor', 'attesterOracle', 'intentEscrow'],
  ])('finds other code at the address of %s', async (name) => {
    const address =
      name in contractAddresses
        ? contractAddresses[name as keyof typeof contractAddresses]
        : addressIn(settings, name);
    const code = (await node().getCode({ address })) ?? '0x';
    await node().setCode({ address, bytecode: `${code}00` });
    expect(await failedChecks()).toEqual([`code of ${name}`]);
    await node().setCode({ address, bytecode: '0x' });
    expect(await failedChecks()).toContain(`code of ${name}`);
  });

  it('finds an owner that nobody expected', async () => {
    expect(await failedChecks({ env: { EXPECTED_OWNER: stranger.address } })).toEqual([
      'owner of the executor',
      'kind of the owner',
      'signatures of the owner',
      'signers of the owner',
      'modules of the owner',
    ]);
  });

  it('finds an owner that is a key, or one that delegates', async () => {
    const byKey = settingsWith(stranger.address);
    await deploy(byKey);
    const asked = { settings: byKey, env: { ...environment(byKey), EXPECTED_SIGNERS: '' } };
    expect(await failedChecks(asked)).toEqual(['kind of the owner']);
    const bytecode = `0xef0100${contractAddresses.converter.slice(2)}` as const;
    await node().setCode({ address: stranger.address, bytecode });
    expect(await failedChecks(asked)).toEqual(['kind of the owner']);
  });

  it('finds an owner that one signature is enough for', async () => {
    const weak = await deploySafe(chain.rpcUrl, attesters, 1);
    const byOne = settingsWith(weak.address);
    await deploy(byOne);
    const asked = { settings: byOne, env: environment(byOne) };
    expect(await failedChecks(asked)).toEqual(['signatures of the owner']);
  });

  it('finds an owner with other signers, and one with an operator among them', async () => {
    expect(await failedChecks({ env: { EXPECTED_SIGNERS: stranger.address } })).toEqual([
      'signers of the owner',
    ]);
    const [signer = zeroAddress] = attesters;
    await safe.execute(appointment(signer, true), signers.slice(0, 2));
    const operators = `${operator.address},${signer}`;
    expect(await failedChecks({ env: { EXPECTED_OPERATORS: operators } })).toEqual([
      'signers of the owner',
    ]);
  });

  it('finds a module that acts for the owner without signatures', async () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function enableModule(address module)']),
      args: [stranger.address],
    });
    await safe.execute({ to: safe.address, data }, signers.slice(0, 2));
    expect(await failedChecks()).toEqual(['modules of the owner']);
  });

  it('finds a contract that is no Safe where signers are expected, and passes it otherwise', async () => {
    // Returns no data to any call.
    const contract = await deployCode(chain.rpcUrl, '0x60015f5360015ff3');
    const owned = settingsWith(contract);
    await deploy(owned);
    const env = environment(owned);
    expect(await failedChecks({ settings: owned, env })).toEqual([
      'signatures of the owner',
      'signers of the owner',
      'modules of the owner',
    ]);
    expect(await failedChecks({ settings: owned, env: { ...env, EXPECTED_SIGNERS: '' } })).toEqual(
      [],
    );
  });

  it('finds a proposed owner that has not accepted', async () => {
    await safe.execute(proposal(stranger.address), signers.slice(0, 2));
    expect(await failedChecks()).toEqual(['proposed owner']);
  });

  it('finds an operator too many, and one that is missing', async () => {
    await safe.execute(appointment(other.address, true), signers.slice(0, 2));
    expect(await failedChecks()).toEqual(['operators']);
    const both = `${other.address}, ${operator.address}`;
    expect(await failedChecks({ env: { EXPECTED_OPERATORS: both } })).toEqual([]);
    await safe.execute(appointment(operator.address, false), signers.slice(1, 3));
    expect(await failedChecks()).toEqual(['operators']);
  });

  it('finds services that use other contracts than those of the settings', async () => {
    const another = settingsWith(stranger.address);
    await deploy(another);
    const EXECUTOR_CONTRACT = addressIn(another, 'executor');
    expect(await failedChecks({ env: { EXECUTOR_CONTRACT } })).toEqual([
      'EXECUTOR_CONTRACT',
      'owner of the executor',
    ]);
    expect(await failedChecks({ env: { INTENT_ESCROW: '', ATTESTER_ORACLE: '' } })).toEqual([
      'ATTESTER_ORACLE',
      'INTENT_ESCROW',
    ]);
  });

  it('finds an oracle with other attesters or another threshold', async () => {
    const all = { ...settings, attesterOracle: { attesters, threshold: 3 } };
    await deploy(all);
    const { ATTESTER_ORACLE, INTENT_ESCROW } = environment(all);
    expect(await failedChecks({ env: { ATTESTER_ORACLE, INTENT_ESCROW } })).toEqual([
      'ATTESTER_ORACLE',
      'INTENT_ESCROW',
      'signatures of attesters',
    ]);
    const fewer = {
      ...settings,
      attesterOracle: { attesters: attesters.slice(0, 2), threshold: 2 },
    };
    await deploy(fewer);
    const { ATTESTER_ORACLE: oracle, INTENT_ESCROW: escrow } = environment(fewer);
    const asked = { env: { ATTESTER_ORACLE: oracle, INTENT_ESCROW: escrow } };
    expect(await failedChecks(asked)).toEqual(['ATTESTER_ORACLE', 'INTENT_ESCROW', 'attesters']);
  });

  it('finds an escrow with another oracle, other windows or other caps', async () => {
    const intentEscrow = {
      fillWindowSeconds: 121,
      settleWindowSeconds: 1801,
      tokens: [{ chainId, token, orderCap: '11', outstandingCap: '21' }],
    };
    const attesterOracle = { attesters, threshold: 3 };
    const another = { ...settings, attesterOracle, intentEscrow };
    await deploy(another);
    const INTENT_ESCROW = addressIn(another, 'intentEscrow');
    expect(await failedChecks({ env: { INTENT_ESCROW } })).toEqual([
      'INTENT_ESCROW',
      'oracle of the escrow',
      'fill window',
      'settle window',
      `cap of an order of ${token}`,
      `cap of all orders of ${token}`,
    ]);
  });

  it('finds an adapter of CCTP with another messenger or finality', async () => {
    const adapter = { messenger: other.address, minFinalityThreshold: 2000, chains: [] };
    const asked = { settings: { ...settings, cctpAdapter: adapter } };
    const others = { ...adapter, messenger: stranger.address, minFinalityThreshold: 1000 };
    const another = { ...settings, cctpAdapter: others };
    await deploy(asked.settings);
    await deploy(another);
    expect(await failedChecks(asked)).toEqual([]);
    const bytecode = await node().getCode({ address: addressIn(another, 'cctpAdapter') });
    const address = addressIn(asked.settings, 'cctpAdapter');
    await node().setCode({ address, bytecode: bytecode ?? '0x' });
    expect(await failedChecks(asked)).toEqual(['messenger of CCTP', 'finality of CCTP']);
  });

  it.each([
    ['CREATE2 deployer', CREATE2_DEPLOYER],
    ['Multicall3', contracts.multicall3],
    ['wrapped native currency', contracts.wrappedNative],
    ['feed eth/usd', contracts.priceFeeds?.['eth/usd']?.address ?? zeroAddress],
    ['data fee oracle', dataFeeOracle ?? zeroAddress],
    ['Uniswap V3 quoterV2', contracts.uniswapV3?.quoterV2 ?? zeroAddress],
  ])('finds a chain without the %s', async (check, address) => {
    await node().setCode({ address, bytecode: '0x' });
    expect(await failedChecks()).toEqual([check]);
  });

  it('reads nothing more from a node of another chain', async () => {
    const elsewhere = await startTestChain({ name: 'elsewhere', chainId: 84_533 });
    try {
      const env = { [`RPC_URLS_${CHAIN.toUpperCase()}`]: `${chain.rpcUrl},${elsewhere.rpcUrl}` };
      const found = await findingsOf({ env });
      expect(found.map(({ check, subject, state }) => [check, subject, state])).toEqual([
        ['nodes', `${CHAIN} node 1`, 'ok'],
        ['nodes', `${CHAIN} node 2: chain id`, 'wrong'],
        ['contracts', `${CHAIN} node 1`, 'ok'],
        ['contracts', `${CHAIN} node 2: chain id`, 'wrong'],
      ]);
      expect(found[1]?.found).toBe(`84533, expected ${chainId}`);
    } finally {
      await elsewhere.stop();
    }
  });
});

describe('the check of a node', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function nodeThat(answer: Parameters<typeof createServer>[1]): Promise<NodeJS.ProcessEnv> {
    const port = await freePort();
    server = createServer({}, answer).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return { [`RPC_URLS_${CHAIN.toUpperCase()}`]: `http://127.0.0.1:${port}/v2/secret-key` };
  }

  const chainIdFirst =
    (rest: (response: ServerResponse) => void) =>
    (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as { id: number; method: string };
        if (method !== 'eth_chainId') return rest(response);
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: toHex(chainId) }));
      });
    };

  it('gives up one that never answers, and shows its URL nowhere', async () => {
    const env = await nodeThat(() => undefined);
    const found = await findingsOf({ env, timeoutMs: 100 });
    expect(found.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    expect(isSound(found)).toBe(false);
    expect(`${tableOf(found)}${JSON.stringify(found)}`).not.toMatch(/secret-key|127\.0\.0\.1/);
  });

  it('gives up one that sends without end after three reads', async () => {
    const env = await nodeThat(
      chainIdFirst((response) => {
        const more = () => {
          while (response.write('x'.repeat(2 ** 16)));
          response.once('drain', more);
        };
        more();
      }),
    );
    const findings = await findingsOf({ env, timeoutMs: 10_000 });
    const found = findings.filter(({ check }) => check === 'nodes').map((each) => each.found ?? '');
    expect(found.filter((text) => text.startsWith('could not be read'))).toHaveLength(3);
    expect(
      found.filter((text) => text.startsWith('not read: the node fails')).length,
    ).toBeGreaterThan(5);
  });

  it('finds a chain without transient storage', async () => {
    const env = await nodeThat((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => void forwarded(body).then((answer) => response.end(answer)));
    });
    expect(await failedChecks({ env })).toEqual(['transient storage']);
  });

  /** Answer of the chain, except that a call without a contract reads zero. */
  async function forwarded(body: string): Promise<string> {
    const { id, method, params } = JSON.parse(body) as RpcRequest;
    if (method === 'eth_call' && params[0]?.to === undefined) {
      return JSON.stringify({ jsonrpc: '2.0', id, result: toHex(0, { size: 32 }) });
    }
    const headers = { 'content-type': 'application/json' };
    return (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).text();
  }

  it('shows no text of the node', async () => {
    const env = await nodeThat(
      chainIdFirst((response) =>
        response.end(
          '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"secret-key \\u001b[2J"}}',
        ),
      ),
    );
    const found = await findingsOf({ env });
    expect(isSound(found)).toBe(false);
    expect(`${tableOf(found)}${JSON.stringify(found)}`).not.toMatch(/secret-key|\\u001b|\[2J/);
  });
});

describe('the command', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bascule-preflight-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const command = (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const file = join(directory, 'settings.json');
    writeFileSync(file, JSON.stringify(settings));
    const tool = join(ROOT, 'tools/operator.mjs');
    const { PATH } = process.env;
    return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [tool, 'preflight', '--settings', file, '--only', 'nodes,contracts', ...args],
        { cwd: ROOT, env: { PATH, ...env } },
        (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
      );
    });
  };

  it('prints a table and ends with zero when everything is as expected', async () => {
    const { code, output, errors } = await command(environment(settings));
    expect(errors.replace(/^.*ExperimentalWarning.*\n.*\n/, '')).toBe('');
    expect(code).toBe(0);
    expect(output).toMatch(/^check +subject +state +found +what to do\n/);
    expect(output).toMatch(/\ncontracts +basesepolia node 1 +ok +\d+ values\n/);
    expect(output).not.toContain('127.0.0.1');
  });

  it('prints JSON and ends with one when something is not', async () => {
    const env = { ...environment(settings), EXPECTED_OPERATORS: other.address };
    const { code, output } = await command(env, '--json');
    expect(code).toBe(1);
    const { ok, findings } = JSON.parse(output) as { ok: boolean; findings: Finding[] };
    expect(ok).toBe(false);
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
      {
        check: 'contracts',
        subject: `${CHAIN} node 1: operators ${addressIn(settings, 'executor')}`,
        state: 'wrong',
        found: `${operator.address}, expected ${other.address}`,
        action: 'see docs/operations/keys.md#wrong-deployment',
      },
    ]);
    expect(output).not.toContain('127.0.0.1');
  });

  it('ends with one and shows no URL when a variable is wrong', async () => {
    const url = `RPC_URLS_${CHAIN.toUpperCase()}`;
    const wrong = { ...environment(settings), [url]: 'secret-key', EXECUTOR_CONTRACT: '0x12' };
    const { code, output, errors } = await command(wrong);
    expect(code).toBe(1);
    expect(output).toBe('');
    expect(errors).not.toContain('secret-key');
  });
});
