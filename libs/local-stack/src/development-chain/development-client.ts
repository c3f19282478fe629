import { setTimeout as delay } from 'node:timers/promises';
import { type Address, createPublicClient, type Hash, type Hex, http, testActions } from 'viem';

const RECEIPT_DEADLINE_MS = 60_000;
const POLL_MS = 20;
const NUDGE_MS = 2_000;
// Above every deployment and below the block limit: an estimate would wait for pending transactions.
const GAS_LIMIT = 10_000_000n;
// A transaction whose fee falls behind the base fee before its block is dropped without an error; play money is cheap.
const MAX_FEE_PER_GAS = 10n ** 12n;

export type DevelopmentClient = ReturnType<typeof developmentClient>;

/** Creates a client of a chain that signs for its own accounts; concurrent requests are batched. */
export function developmentClient(rpcUrl: string) {
  const transport = http(rpcUrl, { batch: true });
  return createPublicClient({ transport }).extend(testActions({ mode: 'anvil' }));
}

export interface PlannedTransaction {
  what: string;
  from: Address;
  to: Address;
  data: Hex;
  value?: bigint;
}

/**
 * Sends all together, in this order for each sender, and returns when all are mined.
 * @throws Error when one of them reverts, or is not mined in time.
 */
export async function sendAll(
  client: DevelopmentClient,
  transactions: readonly PlannedTransaction[],
): Promise<void> {
  const nonces = new Map<Address, number>();
  const senders = [...new Set(transactions.map(({ from }) => from))];
  await Promise.all(
    senders.map(async (address) => {
      nonces.set(address, await client.getTransactionCount({ address, blockTag: 'pending' }));
    }),
  );
  await Promise.all(
    transactions.map((transaction) => {
      const nonce = nonces.get(transaction.from) ?? 0;
      nonces.set(transaction.from, nonce + 1);
      return sendAndWait(client, transaction, nonce);
    }),
  );
}

async function sendAndWait(
  client: DevelopmentClient,
  transaction: PlannedTransaction,
  nonce: number,
): Promise<void> {
  const { what } = transaction;
  let hash = await send(client, transaction, nonce);
  const deadline = Date.now() + RECEIPT_DEADLINE_MS;
  let nudgeAt = Date.now() + NUDGE_MS;
  while (Date.now() < deadline) {
    if (Date.now() > nudgeAt) {
      hash = await nudge(client, transaction, { nonce, hash });
      nudgeAt = Date.now() + NUDGE_MS;
    }
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
    if (receipt?.status === '0x1') return;
    if (receipt) throw new Error(`development chain: ${what} reverted (${hash})`);
    await delay(POLL_MS);
  }
  throw new Error(`development chain: ${what} was not mined in time (${hash})`);
}

const send = (
  client: DevelopmentClient,
  { from, to, data, value = 0n }: PlannedTransaction,
  nonce: number,
): Promise<Hash> =>
  client.sendUnsignedTransaction({
    from,
    to,
    data,
    value,
    nonce,
    gas: GAS_LIMIT,
    maxFeePerGas: MAX_FEE_PER_GAS,
    maxPriorityFeePerGas: 0n,
  });

/**
 * Mines a block, and sends a transaction again that the node has lost, or keeps waiting for an earlier one: a busy node was
 * seen to do so after it had mined that, and drops with a transaction those that follow it.
 */
async function nudge(
  client: DevelopmentClient,
  transaction: PlannedTransaction,
  { nonce, hash }: { nonce: number; hash: Hash },
): Promise<Hash> {
  await client.mine({ blocks: 1 });
  const next = await client.getTransactionCount({ address: transaction.from });
  const known = await client.request({ method: 'eth_getTransactionByHash', params: [hash] });
  const isMined = nonce < next;
  const isWaiting = known !== null && next < nonce;
  if (isMined || isWaiting) return hash;
  if (known !== null) await client.dropTransaction({ hash });
  // Mined or sent meanwhile: then the first one counts.
  return send(client, transaction, nonce).catch(() => hash);
}
