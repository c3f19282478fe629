import type { ChainsConfig, ConfiguredChain } from '@bascule/chain';
import type { Address, PublicClient } from 'viem';
import { nodeClient } from './contracts/node-client.js';
import { validServices, type Deployment } from './deployment.js';

/** Longest time of one request to a node. */
export const NODE_TIMEOUT_MS = 5_000;

/** One node with the contracts that services use on its chain. */
export interface UsedNode {
  /** Chain with the one URL of the node. */
  chain: ConfiguredChain;
  /** Number of the node among those of its chain: its URL may contain a key. */
  number: number;
  /** Only takes transactions, so that nothing but its chain id is read. */
  isPrivate: boolean;
  /** Services that use it so; absent where all do. */
  services?: readonly string[];
}

const chainsOf = (deployment: Deployment): readonly (readonly [string, ChainsConfig])[] => [
  ...validServices(deployment).flatMap(({ name, facts: { chains } }) =>
    chains === undefined ? [] : [[name, chains] as const],
  ),
  ...(deployment.chainsOnly ? [['environment', deployment.chainsOnly] as const] : []),
];

/** Contracts that make two configurations of a chain different. */
const contractsOf = ({
  definition: { contracts },
}: ConfiguredChain): readonly (Address | undefined)[] => [
  contracts.executor,
  contracts.attesterOracle,
  contracts.intentEscrow,
];

/** Lists each node once, for all services that use it with the same contracts. */
export function usedNodes(deployment: Deployment): readonly UsedNode[] {
  const configurations = chainsOf(deployment);
  const uses = configurations.flatMap(([service, { chains }]) =>
    chains.flatMap((chain) => [
      ...chain.rpcUrls.map((url) => ({ service, chain, url, isPrivate: false })),
      ...(chain.privateRpcUrls ?? []).map((url) => ({ service, chain, url, isPrivate: true })),
    ]),
  );
  const nodes = Map.groupBy(uses, ({ chain, url, isPrivate }) =>
    JSON.stringify([chain.definition.name, url, isPrivate, ...contractsOf(chain)]),
  );
  return [...nodes.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { chain, url, isPrivate } = first;
    const urls = uses
      .filter((use) => use.chain.definition.name === chain.definition.name)
      .filter((use) => use.isPrivate === isPrivate)
      .map((use) => use.url);
    return {
      chain: { ...chain, rpcUrls: [url] },
      number: [...new Set(urls)].indexOf(url) + 1,
      isPrivate,
      ...(same.length < configurations.length && { services: same.map(({ service }) => service) }),
    };
  });
}

/** Subject of a node in the table; it names services where not all of them use the node so. */
export function subjectOf({ chain, number, isPrivate, services }: UsedNode): string {
  const node = `${chain.definition.name} ${isPrivate ? 'private ' : ''}node ${number}`;
  return services === undefined ? node : `${node} (${services.join(', ')})`;
}

/**
 * Reads from the first node of a chain that answers.
 *
 * @throws the last node's error where none does
 */
export async function readFromChain<T>(
  { definition, rpcUrls }: ConfiguredChain,
  read: (client: PublicClient) => Promise<T>,
): Promise<T> {
  let failure: unknown = new Error('no node');
  for (const url of rpcUrls) {
    try {
      return await read(nodeClient(definition, url, NODE_TIMEOUT_MS));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
