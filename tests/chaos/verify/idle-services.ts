import type { Address } from 'viem';
import type { FaucetChain } from '../client/faucet-chain.js';
import type { Superuser } from './database-rows.js';
import type { Findings } from './findings.js';

/** Rows that exist only while work is in flight, by table and condition, in one schema or in all. */
const UNFINISHED_ROWS: readonly [table: string, condition: string, schema?: string][] = [
  ['outbox', 'true'],
  ['parked_events', 'true'],
  ['chain_transactions', `status = 'pending'`],
  ['webhook_deliveries', `status = 'PENDING'`],
  ['legs', `status IN ('EXECUTING', 'BRIDGING')`],
  // No scenario asks for use_intent_refund: every unfilled order returns to its wallet.
  ['legs', `transfer->>'status' = 'UNFILLED'`, 'payment'],
  ['orders', `status IN ('SEEN', 'FILLING', 'FILLED', 'CLAIMING')`, 'solver'],
  ['withdrawals', `submitted AND status = 'PENDING'`],
];

/** Lists the work in flight; empty once the services are idle. */
export async function unfinishedWork(db: Superuser): Promise<string[]> {
  const found: string[] = [];
  for (const [table, condition, only] of UNFINISHED_ROWS) {
    const schemas = await db.schemasWith(table);
    for (const schema of schemas.filter((each) => only === undefined || each === only)) {
      const rows = await db.count(`${schema}.${table} WHERE ${condition}`);
      if (rows > 0) found.push(`${rows} in ${schema}.${table}`);
    }
  }
  return found;
}

/** Lists the chains whose deposits the payment service has not confirmed up to the given block. */
export async function unscannedChains(
  db: Superuser,
  heads: ReadonlyMap<string, bigint>,
): Promise<string[]> {
  const cursors = await db.rows<{ chain: string; confirmed: string | null }>(
    'SELECT chain, confirmed_block_number::text AS confirmed FROM payment.chain_cursors',
  );
  const confirmed = new Map(cursors.map((cursor) => [cursor.chain, BigInt(cursor.confirmed ?? 0)]));
  return [...heads.keys()].filter(
    (chain) => (confirmed.get(chain) ?? 0n) < (heads.get(chain) ?? 0n),
  );
}

export async function verifyIdle(
  findings: Findings,
  db: Superuser,
  chains: readonly FaucetChain[],
): Promise<void> {
  const rests = findings.claim('nothing is under way, parked or dead-lettered');
  const found = await unfinishedWork(db);
  rests.holds('unfinished:', found.length === 0, found);
  for (const schema of await db.schemasWith('dead_letters')) {
    const dead = await db.rows(`SELECT topic, key, reason FROM ${schema}.dead_letters`);
    rests.holds(`dead letters of ${schema}:`, dead.length === 0, dead);
  }
  await verifySigners(findings, db, chains);
  await verifyProjections(findings, db);
}

interface Signer {
  chain: string;
  address: Address;
  nonce: string;
}

/** Verifies that every assigned nonce is on chain: no gap and no pending one. */
async function verifySigners(
  findings: Findings,
  db: Superuser,
  chains: readonly FaucetChain[],
): Promise<void> {
  const claim = findings.claim('every assigned nonce of every signer is mined');
  for (const schema of await db.schemasWith('chain_signers')) {
    const signers = await db.rows<Signer>(
      `SELECT chain, address, next_nonce::text AS nonce FROM ${schema}.chain_signers`,
    );
    for (const { chain: name, address, nonce } of signers) {
      const chain = chains.find((each) => each.name === name);
      if (!chain) continue;
      const mined = await chain.client.getTransactionCount({ address });
      claim.equal(`${schema} on ${name}:`, mined, Number(nonce));
    }
  }
}

/** Projections of payments, wherever they are, are at the version of the owner. */
async function verifyProjections(findings: Findings, db: Superuser): Promise<void> {
  const claim = findings.claim('projections of payments are at their last version');
  const schemas = (await db.schemasWith('payments')).filter((schema) => schema !== 'payment');
  for (const schema of schemas) {
    const [row] = await db.rows<{ all: number; behind: number }>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE p.version IS DISTINCT FROM o.version)::int AS behind
       FROM payment.payments o LEFT JOIN ${schema}.payments p ON p.id = o.id`,
    );
    claim.holds(`${schema}:`, row?.behind === 0, row);
    claim.checked += row?.all ?? 0;
  }
}
