import type { ChainDefinition } from '@bascule/chain';
import {
  attesterOracleAbi,
  cctpAdapterAbi,
  codeHashWithoutImmutables,
  intentEscrowAbi,
  type Deployment,
} from '@bascule/solidity';
import type { Address, PublicClient } from 'viem';
import type { Expectations } from './expectations.js';
import { equals, listed, type Reading } from './reading.js';
import { executorChecks } from './owner-checks.js';

/** Contracts whose address services read from the environment. */
const CONFIGURED = [
  ['executor', 'EXECUTOR_CONTRACT'],
  ['attesterOracle', 'ATTESTER_ORACLE'],
  ['intentEscrow', 'INTENT_ESCROW'],
] as const;

/** Checks of all contracts of the deployment on a chain, at the addresses that the services use. */
export function contractChecks(
  client: PublicClient,
  definition: ChainDefinition,
  expectations: Expectations,
): readonly Reading[] {
  const { deployments } = expectations;
  const { contracts } = definition;
  const configured = CONFIGURED.map(([name]) => [name, contracts[name]] as const);
  const inUse = new Map(configured.filter(([, address]) => address !== undefined));
  const at = (name: string) =>
    inUse.get(name as keyof typeof contracts & 'executor') ??
    deployments.find((each) => each.name === name)?.address;
  const [executor, oracle, escrow, adapter] = [
    at('executor'),
    at('attesterOracle'),
    at('intentEscrow'),
    at('cctpAdapter'),
  ];
  return [
    ...CONFIGURED.map(([name, variable]) =>
      equals(
        variable,
        undefined,
        deployments.find((each) => each.name === name)?.address ?? 'not set',
        async () => contracts[name] ?? 'not set',
      ),
    ),
    ...deployments.map((deployment) =>
      codeCheck(client, deployment, at(deployment.name) ?? deployment.address),
    ),
    ...(executor ? executorChecks(client, executor, expectations) : []),
    ...(oracle ? oracleChecks(client, oracle, expectations) : []),
    ...(escrow ? escrowChecks(client, escrow, oracle, definition, expectations) : []),
    ...(adapter ? adapterChecks(client, adapter, expectations) : []),
  ];
}

const codeCheck = (client: PublicClient, deployment: Deployment, address: Address): Reading => ({
  check: `code of ${deployment.name}`,
  address,
  expected: deployment.codeHash,
  async read() {
    const code = await client.getCode({ address });
    if (!code) return { ok: false, found: 'no code' };
    const found = codeHashWithoutImmutables(code, deployment.immutables) ?? 'shorter code';
    return { ok: found === deployment.codeHash, found };
  },
});

function oracleChecks(
  client: PublicClient,
  address: Address,
  { settings }: Expectations,
): readonly Reading[] {
  const { attesterOracle } = settings;
  if (!attesterOracle) return [];
  const { attesters, threshold } = attesterOracle;
  const contract = { address, abi: attesterOracleAbi } as const;
  return [
    equals('signatures of attesters', address, threshold, () =>
      client.readContract({ ...contract, functionName: 'threshold' }),
    ),
    {
      // Its address follows from the list, so that it has no other ones.
      check: 'attesters',
      address,
      expected: listed(attesters),
      async read() {
        const found: Address[] = [];
        for (const attester of attesters) {
          const args = [attester] as const;
          if (await client.readContract({ ...contract, functionName: 'isAttester', args }))
            found.push(attester);
        }
        return { found: listed(found), ok: found.length === attesters.length };
      },
    },
  ];
}

function escrowChecks(
  client: PublicClient,
  address: Address,
  oracle: Address | undefined,
  { chainId }: ChainDefinition,
  { settings }: Expectations,
): readonly Reading[] {
  const { intentEscrow } = settings;
  if (!intentEscrow) return [];
  const contract = { address, abi: intentEscrowAbi } as const;
  const tokens = intentEscrow.tokens.filter((token) => token.chainId === chainId);
  return [
    equals('oracle of the escrow', address, oracle ?? 'none', () =>
      client.readContract({ ...contract, functionName: 'oracle' }),
    ),
    equals('fill window', address, intentEscrow.fillWindowSeconds, () =>
      client.readContract({ ...contract, functionName: 'fillWindow' }),
    ),
    equals('settle window', address, intentEscrow.settleWindowSeconds, () =>
      client.readContract({ ...contract, functionName: 'settleWindow' }),
    ),
    ...tokens.flatMap(({ token, orderCap, outstandingCap }) => [
      equals(`cap of an order of ${token}`, address, orderCap, () =>
        client.readContract({ ...contract, functionName: 'orderCap', args: [token] }),
      ),
      equals(`cap of all orders of ${token}`, address, outstandingCap, () =>
        client.readContract({ ...contract, functionName: 'outstandingCap', args: [token] }),
      ),
    ]),
  ];
}

function adapterChecks(
  client: PublicClient,
  address: Address,
  { settings }: Expectations,
): readonly Reading[] {
  const { cctpAdapter } = settings;
  if (!cctpAdapter) return [];
  const contract = { address, abi: cctpAdapterAbi } as const;
  return [
    equals('messenger of CCTP', address, cctpAdapter.messenger, () =>
      client.readContract({ ...contract, functionName: 'messenger' }),
    ),
    equals('finality of CCTP', address, cctpAdapter.minFinalityThreshold, () =>
      client.readContract({ ...contract, functionName: 'minFinalityThreshold' }),
    ),
  ];
}
