import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses } from '@bascule/solidity';
import { setSanctioned, startTestChain, type TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWalletClient, erc20Abi, http, maxUint256, parseEther, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  changed,
  environmentsWith,
  faultsOf,
  findingsOf,
  type Environments,
} from '../testing/deployment.fixture.js';
import { balances } from './balances.js';
import { inventory } from './inventory.js';
import { keys } from './keys.js';
import { screening } from './screening.js';

const [, , executor, relayer, , , , solver, attester] = developmentAccounts;
const { usdc, intentEscrow, sanctionsList } = developmentAddresses;
const NOWHERE = 'http://127.0.0.1:9';
const addressOf = (key: `0x${string}`) => privateKeyToAccount(key).address;

let chain: TestChain;
let sound: Environments;

beforeAll(async () => {
  chain = await startTestChain();
  sound = environmentsOn({ RPC_URLS_ALPHANET: chain.rpcUrl });
});
afterAll(() => chain.stop());

/** Services with the development keys, which the contracts of the development chains name. */
function environmentsOn(common: NodeJS.ProcessEnv): Environments {
  const { payment, withdrawal, catalogue } = environmentsWith(common);
  return {
    payment: { ...payment, EXECUTOR_PRIVATE_KEY: executor.privateKey },
    withdrawal: { ...withdrawal, RELAYER_PRIVATE_KEY: relayer.privateKey },
    solver: {
      ...catalogue,
      SOLVER_PRIVATE_KEY: solver.privateKey,
      SOLVER_API_KEY: 'a-key-that-nobody-uses',
      SOLVER_ASSETS: JSON.stringify([
        { tokens: { alphanet: usdc, betanet: usdc }, flat_fee: '1', min_amount: '1000000' },
      ]),
    },
    'attester-1': { ...catalogue, ATTESTER_PRIVATE_KEY: attester.privateKey },
  };
}

describe('the keys', () => {
  it('are sound where the contracts name them', async () => {
    const findings = await findingsOf(keys, sound);
    expect(findings.map(({ subject, state, found }) => [subject, state, found])).toEqual([
      ['payment EXECUTOR_PRIVATE_KEY', 'ok', executor.address],
      ['withdrawal RELAYER_PRIVATE_KEY', 'ok', relayer.address],
      ['solver SOLVER_PRIVATE_KEY', 'ok', solver.address],
      ['attester-1 ATTESTER_PRIVATE_KEY', 'ok', attester.address],
    ]);
  });

  it('are found without their right at the contract', async () => {
    const [EXECUTOR_PRIVATE_KEY, ATTESTER_PRIVATE_KEY] = [
      generatePrivateKey(),
      generatePrivateKey(),
    ];
    const wrong = changed(changed(sound, 'payment', { EXECUTOR_PRIVATE_KEY }), 'attester-1', {
      ATTESTER_PRIVATE_KEY,
    });
    expect(await faultsOf(keys, wrong)).toEqual([
      `payment EXECUTOR_PRIVATE_KEY: missing: ${addressOf(EXECUTOR_PRIVATE_KEY)} is no operator of the executor contract on alphanet`,
      `attester-1 ATTESTER_PRIVATE_KEY: missing: ${addressOf(ATTESTER_PRIVATE_KEY)} is no attester of the oracle on alphanet`,
    ]);
  });

  it('need no right once they are retired', async () => {
    const EXECUTOR_RETIRED_KEYS = generatePrivateKey();
    const retired = changed(sound, 'payment', { EXECUTOR_RETIRED_KEYS });
    expect(await faultsOf(keys, retired)).toEqual([]);
    expect(await faultsOf(balances, retired)).toEqual([]);
    const second = changed(sound, 'payment', { EXECUTOR_RETIRED_KEYS: relayer.privateKey });
    expect(await faultsOf(keys, second)).toContain(
      `payment EXECUTOR_RETIRED_KEYS: wrong: ${relayer.address} is in RELAYER_PRIVATE_KEY, too`,
    );
  });

  it('are found with a second use', async () => {
    const wrong = changed(sound, 'withdrawal', { RELAYER_PRIVATE_KEY: executor.privateKey });
    expect(await faultsOf(keys, wrong)).toEqual([
      `payment EXECUTOR_PRIVATE_KEY: wrong: ${executor.address} is in RELAYER_PRIVATE_KEY, too`,
      `withdrawal RELAYER_PRIVATE_KEY: wrong: ${executor.address} is in EXECUTOR_PRIVATE_KEY, too`,
    ]);
  });

  it('are found where a public chain has a development account, or a key that is not random', async () => {
    const { withdrawal } = environmentsOn({ CHAINS: 'sepolia', RPC_URLS_SEPOLIA: NOWHERE });
    const guessed = `0x${'0'.repeat(63)}1` as const;
    const wrong = { ...withdrawal, RELAYER_PRIVATE_KEY: `${relayer.privateKey},${guessed}` };
    expect(await faultsOf(keys, { withdrawal: wrong })).toEqual([
      `withdrawal RELAYER_PRIVATE_KEY 1: wrong: ${relayer.address} is a public development account`,
      `withdrawal RELAYER_PRIVATE_KEY 2: wrong: ${addressOf(guessed)} repeats bytes: it is not random`,
    ]);
  });

  it('are found where the key service does not open them', async () => {
    const remote = {
      RELAYER_PRIVATE_KEY:
        'azure-kv:https://vault.example/keys/relayer/0123456789abcdef0123456789abcdef',
      AZURE_KEY_VAULT_ENDPOINT: NOWHERE,
      SIGNER_TIMEOUT_MS: '200',
    };
    expect(await faultsOf(keys, changed(sound, 'withdrawal', remote))).toEqual([
      'withdrawal RELAYER_PRIVATE_KEY: unknown: does not open',
    ]);
    const RELAYER_PRIVATE_KEY = `${remote.RELAYER_PRIVATE_KEY}#${relayer.address}`;
    const named = changed(sound, 'withdrawal', { ...remote, RELAYER_PRIVATE_KEY });
    expect(await faultsOf(keys, named)).toEqual([
      `withdrawal RELAYER_PRIVATE_KEY: unknown: ${relayer.address} does not open`,
    ]);
  });

  it('tell nothing of a right that no node can be asked about', async () => {
    const { payment } = environmentsOn({ RPC_URLS_ALPHANET: NOWHERE });
    expect(await faultsOf(keys, { payment: payment ?? {} })).toEqual([
      `payment EXECUTOR_PRIVATE_KEY: unknown: ${executor.address}: rights on alphanet could not be read`,
    ]);
  });
});

describe('the balances', () => {
  it('are enough for the development accounts, on each chain', async () => {
    const findings = await findingsOf(balances, sound);
    expect(findings.map(({ subject, state }) => [subject, state])).toEqual([
      ['payment executor on alphanet', 'ok'],
      ['withdrawal relayer on alphanet', 'ok'],
      ['solver solver on alphanet', 'ok'],
    ]);
  });

  it('are found below the least one, also the operator’s own', async () => {
    const RELAYER_PRIVATE_KEY = generatePrivateKey();
    const poor = changed(sound, 'withdrawal', { RELAYER_PRIVATE_KEY });
    expect(await faultsOf(balances, poor)).toEqual([
      `withdrawal relayer on alphanet: missing: ${addressOf(RELAYER_PRIVATE_KEY)} has 0 ETH`,
    ]);
    const leastBalances = new Map([['alphanet', parseEther('1000000')]]);
    expect(await faultsOf(balances, sound, { leastBalances })).toHaveLength(3);
  });

  it('are asked of the next node where one does not answer', async () => {
    const both = environmentsOn({ RPC_URLS_ALPHANET: `${NOWHERE},${chain.rpcUrl}` });
    expect(await faultsOf(balances, both)).toEqual([]);
    const none = environmentsOn({ RPC_URLS_ALPHANET: NOWHERE });
    expect(await faultsOf(balances, { payment: none['payment'] ?? {} })).toEqual([
      expect.stringMatching(/^payment executor on alphanet: unknown: /),
    ]);
  });
});

describe('the inventory', () => {
  it('needs tokens and the escrow’s allowance', async () => {
    const subject = `solver ${usdc} on alphanet`;
    expect(await faultsOf(inventory, sound)).toEqual([
      `${subject}: missing: the escrow's allowance is 0`,
    ]);
    const account = privateKeyToAccount(solver.privateKey);
    const transport = http(chain.rpcUrl);
    const client = createWalletClient({ account, transport }).extend(publicActions);
    const approve = { address: usdc, abi: erc20Abi, functionName: 'approve', chain: null } as const;
    const hash = await client.writeContract({ ...approve, args: [intentEscrow, maxUint256] });
    await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    expect(await faultsOf(inventory, sound)).toEqual([]);
    const poor = { SOLVER_PRIVATE_KEY: generatePrivateKey() };
    const faults = await faultsOf(inventory, changed(sound, 'solver', poor));
    expect(faults).toEqual([
      expect.stringMatching(`^${subject}: missing: 0x\\w{40} has 0 smallest units$`),
      `${subject}: missing: the escrow's allowance is 0`,
    ]);
  });
});

describe('the screening', () => {
  const withOracle = (address: string, common: NodeJS.ProcessEnv = {}): Environments => ({
    payment: {
      ...environmentsOn({ RPC_URLS_ALPHANET: chain.rpcUrl, ...common })['payment'],
      SCREENING_ORACLES: address,
    },
  });

  it('passes an oracle that answers', async () => {
    await setSanctioned(chain.rpcUrl, ['0x00000000000000000000000000000000000000aa']);
    const findings = await findingsOf(screening, withOracle(`alphanet=${sanctionsList}`));
    expect(findings.map(({ subject, state }) => [subject, state])).toEqual([
      ['payment oracle:alphanet', 'ok'],
    ]);
  });

  it('finds an oracle without the function', async () => {
    expect(await faultsOf(screening, withOracle(`alphanet=${relayer.address}`))).toEqual([
      'payment oracle:alphanet: unknown: no answer',
    ]);
  });

  it('finds an oracle that is not the public one of its chain', async () => {
    const common = { CHAINS: 'base', RPC_URLS_BASE: NOWHERE };
    const faults = await faultsOf(screening, withOracle(`base=${relayer.address}`, common));
    expect(faults).toContain(
      `payment oracle of base: wrong: ${relayer.address}, published is 0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B`,
    );
  });
});
