import type { Address } from 'viem';
import type { BusyChain } from '../payments/busy-chain.js';
import type { Superuser } from './databases.js';
import type { Findings } from './findings.js';

/** What a system that has nothing left to do does not have, by table and condition, in one schema or in all. */
const NOT_AT_REST: readonly [table: string, condition: string, schema?: string][] = [
  ['outbox', 'true'],
  ['parked_events', 'true'],
  ['chain_transactions', `status = 'pending'`],
  ['webhook_deliveries', `status = 'PENDING'`],
  ['legs', `status IN ('EXECUTING', 'BRIDGING')`],
  ['orders', `status IN ('SEEN', 'FILLING', 'FILLED', 'CLAIMING')`, 'solver'],
  ['withdrawals', `submitted AND status = 'PENDING'`],
];

/** What is still under way, in words; nothing when the services rest. */
export async function unfinished(db: Superuser): Promise<string[]> {
  const found: string[] = [];
  for (const [table, condition, only] of NOT_AT_REST) {
    const schemas = await db.schemasWith(table);
    for (const schema of schemas.filter((each) => only === undefined || each === only)) {
      const rows = await db.count(`${schema}.${table} WHERE ${condition}`);
      if (rows > 0) found.push(`${rows} in ${schema}.${table}`);
    }
  }
  return found;
}

export async function verifyAtRest(
  findings: Findings,
  db: Superuser,
  chains: readonly BusyChain[],
): Promise<void> {
  const rests = findings.claim('nothing is under way, parked or dead-lettered');
  const found = await unfinished(db);
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

/** Every nonce that was given out is on the chain: no gap, nothing that waits. */
async function verifySigners(
  findings: Findings,
  db: Superuser,
  chains: readonly BusyChain[],
): Promise<void> {
  const claim = findings.claim('every nonce of every key has landed');
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
