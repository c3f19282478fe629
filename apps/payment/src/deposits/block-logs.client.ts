import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { bytesToHex, erc20Abi, getAbiItem } from 'viem';
import type { Address, Hash, Log } from 'viem';
import type { PartReaderClient } from './part-reader.client.js';
import { executionKey } from './transfers.js';
import type { Transfer } from './transfers.js';
import { UnreadTransfersError } from './unread-transfers-error.js';

const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' });
const LEG_EXECUTED = getAbiItem({ abi: oneTimeWalletAbi, name: 'LegExecuted' });

/** Wallets and tokens that matter. The lists are read for blocks only whose answers are too large without them. */
export interface Watched {
  /** Payments among wallets (lower case), by wallet. */
  paymentsOf(addresses: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Tokens of a chain that may be recorded. */
  tokensOn(chain: string): Promise<Address[]>;
  /** Wallets of payments that are open or hold money. */
  activeWallets(): Promise<Address[]>;
}

/** A block of a chain, read from one node. */
export interface BlockSource {
  node: EndpointClient;
  definition: ChainDefinition;
  parts: PartReaderClient;
  watched: Watched;
}

interface BlockLogs {
  transfers: Transfer[];
  /** As in `BlockExecutions`. */
  executing: Set<string>;
}

/** Keeps what was sent to wallets of payments. */
export async function sentToWatched<T extends { to: Address }>(
  watched: Pick<Watched, 'paymentsOf'>,
  sent: readonly T[],
): Promise<T[]> {
  const receivers = new Set(sent.map(({ to }) => to.toLowerCase()));
  if (receivers.size === 0) return [];
  const known = await watched.paymentsOf([...receivers]);
  return sent.filter(({ to }) => known.has(to.toLowerCase()));
}

/** Reads all logs of a block. */
export async function readAllLogs(node: EndpointClient, blockHash: Hash): Promise<BlockLogs> {
  const logs = await node.getLogs({ blockHash, events: [TRANSFER, LEG_EXECUTED], strict: true });
  const executed = logs.filter((log) => log.eventName === 'LegExecuted');
  const transfers = logs.filter((log) => log.eventName === 'Transfer');
  return { executing: executionsOf(executed), transfers: transfers.map(transferOf) };
}

/** Reads the logs of a block, and keeps the transfers to watched wallets. Wallets that the node refuses are `unread`. */
export async function readWatchedLogs(
  source: BlockSource,
  blockHash: Hash,
): Promise<BlockLogs & { unread: string[] }> {
  const { node, parts, watched } = source;
  try {
    const { executing, transfers } = await readAllLogs(node, blockHash);
    return { executing, transfers: await sentToWatched(watched, transfers), unread: [] };
  } catch (error) {
    if (!(await parts.allowsParts(error))) throw error;
  }
  return readKnownLogs(source, blockHash);
}

/**
 * Most wallets of a block that may be refused. To flood more, a block would need 750 million gas: a transfer takes 3,000,
 * and nodes tell 500 logs or more.
 */
const MAX_UNREAD_WALLETS = 500;

/** Reads the logs that matter of a block with too many: anyone can fill a block with logs at little cost. */
async function readKnownLogs(source: BlockSource, blockHash: Hash) {
  const { node, parts, watched, definition } = source;
  const unread = new Set<string>();
  const transfers = await parts.read(
    await watched.tokensOn(definition.name),
    async (tokens) =>
      sentToWatched(watched, await readTransfers(node, { blockHash, address: tokens })),
    async (token) =>
      parts.read(
        await watched.activeWallets(),
        (to) => readTransfers(node, { blockHash, address: [token], to }),
        async (wallet, error) => {
          if (unread.size === 0) await requireAnswer(node, blockHash, token);
          unread.add(wallet.toLowerCase());
          if (unread.size > MAX_UNREAD_WALLETS) throw error;
          return [];
        },
      ),
  );
  const executing = await readExecutions(source, blockHash, transfers);
  return { executing, transfers, unread: [...unread] };
}

/** Reads a block's transfers to one wallet. */
export async function readWalletLogs(
  source: BlockSource,
  { number, hash }: { number: bigint; hash: Hash },
  wallet: Address,
): Promise<BlockLogs> {
  const { node, parts, watched, definition } = source;
  const transfers = await parts.read(
    await watched.tokensOn(definition.name),
    (tokens) => readTransfers(node, { blockHash: hash, address: tokens, to: [wallet] }),
    (_token, cause) => {
      throw new UnreadTransfersError(definition.name, number, { cause });
    },
  );
  return { transfers, executing: await readExecutions(source, hash, transfers) };
}

async function readTransfers(
  node: EndpointClient,
  {
    blockHash,
    address,
    to,
  }: { blockHash: Hash; address: readonly Address[]; to?: readonly Address[] },
): Promise<Transfer[]> {
  const logs = await node.getLogs({
    blockHash,
    address: [...address],
    event: TRANSFER,
    strict: true,
    ...(to !== undefined && { args: { to: [...to] } }),
  });
  return logs.map(transferOf);
}

/** Reads the executed legs of wallets that the converter has sent to. */
async function readExecutions(
  { node, parts, definition: { contracts } }: BlockSource,
  blockHash: Hash,
  transfers: readonly Transfer[],
): Promise<Set<string>> {
  const converter = contracts.converter.toLowerCase();
  const converted = transfers.filter(({ from }) => from.toLowerCase() === converter);
  const executed = await parts.read([...new Set(converted.map(({ to }) => to))], (wallets) =>
    node.getLogs({ blockHash, address: [...wallets], event: LEG_EXECUTED, strict: true }),
  );
  return executionsOf(executed);
}

/**
 * Asks for the logs of an address that nobody can have sent to.
 * @throws where the node refuses them, too: it is at fault, not the block
 */
async function requireAnswer(node: EndpointClient, blockHash: Hash, token: Address): Promise<void> {
  const nobody = bytesToHex(crypto.getRandomValues(new Uint8Array(20)));
  await readTransfers(node, { blockHash, address: [token], to: [nobody] });
}

type FoundLog = Log<bigint, number, false>;

const executionsOf = (logs: readonly FoundLog[]): Set<string> =>
  new Set(logs.map(({ transactionHash, address }) => executionKey(transactionHash, address)));

const transferOf = ({
  address,
  args,
  transactionHash,
  logIndex,
}: FoundLog & { args: { from: Address; to: Address; value: bigint } }): Transfer => ({
  token: address,
  from: args.from,
  to: args.to,
  amount: args.value,
  transactionHash,
  position: `log:${logIndex}`,
});
