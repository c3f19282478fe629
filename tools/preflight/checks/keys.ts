import { isDevelopmentChain, type ConfiguredChain } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { attesterOracleAbi, executorAbi } from '@bascule/solidity';
import { isAddressEqual, type Address, type PublicClient } from 'viem';
import type { Check, Outcome } from '../finding.js';
import { missing, ok, unknown, wrong } from '../finding.js';
import type { Deployment, ServiceFacts, ServiceKeys } from '../deployment.js';
import { validServices } from '../deployment.js';
import { readFromChain } from '../nodes.js';
import { weaknessOfBytes } from '../weakness.js';

/** Keys open, are of nobody else, have one use each, and the right that they need. */
export const keys: Check = {
  name: 'keys',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts }) =>
      facts.keys.flatMap((own) =>
        own.locations.map((location, index) => ({
          subject: `${name} ${own.variable}${own.locations.length > 1 ? ` ${index + 1}` : ''}`,
          read: () => outcomesOf(location, own, { facts, deployment }),
        })),
      ),
    ),
};

interface Context {
  facts: ServiceFacts;
  deployment: Deployment;
}

async function outcomesOf(
  location: string,
  own: ServiceKeys,
  { facts, deployment }: Context,
): Promise<readonly Outcome[]> {
  const signer = await deployment.keyRing.open(location, own).catch(() => undefined);
  if (signer === undefined) {
    return [unknown('does not open', 'check the location and the rights at the key service')];
  }
  const { address } = signer;
  const faults = [
    ...(signer.opening === undefined ? [] : [notOpened(address)]),
    ...originFaults(location, address, facts),
    ...(await useFaults(address, own, deployment)),
    ...(await rightFaults(address, own, facts)),
  ];
  return faults.length === 0 ? [ok(address)] : faults;
}

const notOpened = (address: Address): Outcome =>
  unknown(`${address} does not open`, 'check the location and the rights at the key service');

function originFaults(location: string, address: Address, facts: ServiceFacts): readonly Outcome[] {
  const chains = facts.chains?.chains ?? [];
  const isPublic = chains.some(({ definition }) => !isDevelopmentChain(definition));
  const action = 'make another key, docs/operations/keys.md#rotation';
  if (isPublic && developmentAccounts.some((account) => isAddressEqual(account.address, address)))
    return [wrong(`${address} is a public development account`, action)];
  const local = /^0x([0-9a-f]{64})/i.exec(location)?.[1];
  const weakness = local && weaknessOfBytes(Buffer.from(local, 'hex'));
  return weakness ? [wrong(`${address} ${weakness}`, action)] : [];
}

/** The same key under another use. */
async function useFaults(
  address: Address,
  { use }: ServiceKeys,
  deployment: Deployment,
): Promise<readonly Outcome[]> {
  const others = validServices(deployment)
    .flatMap(({ facts }) => facts.keys)
    .filter((each) => each.use !== use);
  for (const other of others) {
    for (const location of other.locations) {
      const signer = await deployment.keyRing.open(location, other).catch(() => undefined);
      if (signer && isAddressEqual(signer.address, address))
        return [wrong(`${address} is in ${other.variable}, too`, 'give each use its own key')];
    }
  }
  return [];
}

/** Contract on each chain that has to name the key. */
const RIGHTS: Partial<
  Record<
    ServiceKeys['use'],
    {
      contract: 'executor' | 'attesterOracle';
      holds: (client: PublicClient, contract: Address, key: Address) => Promise<boolean>;
      fault: string;
      action: string;
    }
  >
> = {
  executor: {
    contract: 'executor',
    async holds(client, address, key) {
      const request = { address, abi: executorAbi, functionName: 'operators' } as const;
      const operators = await client.readContract(request);
      return operators.some((operator) => isAddressEqual(operator, key));
    },
    fault: 'is no operator of the executor contract',
    action: 'have its owner call setOperator(key, true)',
  },
  attester: {
    contract: 'attesterOracle',
    holds: (client, address, key) =>
      client.readContract({
        address,
        abi: attesterOracleAbi,
        functionName: 'isAttester',
        args: [key],
      }),
    fault: 'is no attester of the oracle',
    action: 'use the key that the oracle names, or another ATTESTER_ORACLE',
  },
};

async function rightFaults(
  key: Address,
  { use, isRetired }: ServiceKeys,
  { chains }: ServiceFacts,
): Promise<readonly Outcome[]> {
  const right = RIGHTS[use];
  if (right === undefined || isRetired) return [];
  const { contract, holds, fault, action } = right;
  const faults = (chains?.chains ?? []).map(async (chain: ConfiguredChain) => {
    const { name, contracts } = chain.definition;
    const address = contracts[contract];
    if (address === undefined) return [];
    return readFromChain(chain, (client) => holds(client, address, key)).then(
      (isHeld) => (isHeld ? [] : [missing(`${key} ${fault} on ${name}`, action)]),
      () => [unknown(`${key}: rights on ${name} could not be read`, 'check node and contract')],
    );
  });
  return (await Promise.all(faults)).flat();
}
