import { setTimeout as delay } from 'node:timers/promises';
import { getPayment } from '../../../tools/first-payment/payments.js';
import { verifyCompleted } from '../../../tools/first-payment/verify-completed.js';
import type { FaucetChain } from '../client/faucet-chain.js';
import { causeOf } from '../client/retrying-api.js';
import { acceptanceOf, type TestPayment } from '../payments/test-payment.js';
import type { WebhookInbox } from '../client/webhook-inbox.js';
import { unfinishedWork, unscannedChains, verifyIdle } from './idle-services.js';
import { addTo, differences, leaks, type TokenLedger } from './token-ledger.js';
import { chainLedger } from './chain-ledger.js';
import { readChain, type ChainRecord } from './chain-record.js';
import { databaseLedger } from './database-ledger.js';
import { readDatabaseRows, type DatabaseRows, type Superuser } from './database-rows.js';
import { Findings } from './findings.js';
import { paymentLabel } from './payment-label.js';
import { OrderClaims } from './order-claims.js';
import { PayoutClaims } from './payout-claims.js';
import { verifyWebhooks } from './verify-webhooks.js';
import { WithdrawalClaims } from './withdrawal-claims.js';

/** A webhook that was refused or cut off comes again after a minute, and after five more if that fails too. */
const REST_MS = 420_000;

export interface Evidence {
  payments: readonly TestPayment[];
  chains: readonly FaucetChain[];
  /** First block of the scenarios, by chain. */
  fromBlocks: ReadonlyMap<string, bigint>;
  inbox: WebhookInbox;
  db: Superuser;
}

export interface Verdict {
  findings: Findings;
  onChain: TokenLedger;
  inDatabases: TokenLedger;
}

/** Waits until the services are idle, then compares expected outcomes with chains and databases. */
export async function verify(evidence: Evidence): Promise<Verdict> {
  const { db, chains, fromBlocks, inbox } = evidence;
  const findings = new Findings();
  await waitUntilIdle(findings, db, chains);
  const promised = findings.claim('every scenario ends as expected, in time');
  for (const payment of evidence.payments)
    promised.holds(paymentLabel(payment), payment.problem === null, payment.problem);
  const payments = evidence.payments.filter(({ accepted }) => accepted !== null);
  const rows = await readDatabaseRows(
    db,
    payments.map((payment) => acceptanceOf(payment).id),
  );
  const records = await Promise.all(
    chains.map((chain) => readChain(chain, fromBlocks.get(chain.name) ?? 0n)),
  );
  const ledgers = await verifyPayments(findings, payments, { chains, records, rows });
  verifyWebhooks(findings, payments, inbox, rows);
  await verifyDeliveries(findings, db, payments, records);
  await verifyIdle(findings, db, chains);
  return { findings, ...ledgers };
}

/** Waits until the services are idle and have scanned the blocks of all deposits; claims the latter. */
async function waitUntilIdle(
  findings: Findings,
  db: Superuser,
  chains: readonly FaucetChain[],
): Promise<void> {
  const deadline = Date.now() + REST_MS;
  let heads = await headsOf(chains);
  let behind = await unscannedChains(db, heads);
  for (;;) {
    const isUnfinished = (await unfinishedWork(db)).length > 0;
    if ((behind.length === 0 && !isUnfinished) || Date.now() >= deadline) break;
    await delay(500);
    // Unfinished work can make further deposits, as refunds to wallets do.
    if (isUnfinished) heads = await headsOf(chains);
    behind = await unscannedChains(db, heads);
  }
  const scanned = findings.claim('every chain is scanned up to the last deposit');
  for (const chain of heads.keys()) scanned.holds(chain, !behind.includes(chain), { behind });
}

async function headsOf(chains: readonly FaucetChain[]): Promise<Map<string, bigint>> {
  const heads = new Map<string, bigint>();
  for (const { name, client } of chains) heads.set(name, await client.getBlockNumber());
  return heads;
}

interface ReadState {
  chains: readonly FaucetChain[];
  records: readonly ChainRecord[];
  rows: DatabaseRows;
}

async function verifyPayments(
  findings: Findings,
  payments: readonly TestPayment[],
  { chains, records, rows }: ReadState,
): Promise<Pick<Verdict, 'onChain' | 'inDatabases'>> {
  const ended = findings.claim('accepted payments are terminal or correctly waiting');
  const shown = findings.claim('completed payments match the chain');
  const sums = findings.claim('every wallet adds up, on chain and in the databases alike');
  const payouts = new PayoutClaims(findings);
  const orders = new OrderClaims(findings);
  const withdrawals = new WithdrawalClaims(findings);
  const onChain: TokenLedger = new Map();
  const inDatabases: TokenLedger = new Map();
  for (const payment of payments) {
    const reported = await getPayment(payment.organisation.api, acceptanceOf(payment).id);
    ended.holds(paymentLabel(payment), payment.expected.includes(reported.status), {
      is: reported.status,
      expected: payment.expected,
    });
    await payouts.verify(payment, reported.status, records);
    orders.verify(payment, reported.status, records, rows);
    for (const record of records) withdrawals.verify(payment, record, rows);
    // An excess deposit is neither paid out nor a fee, so fees do not explain it.
    if (reported.status === 'COMPLETE' && payment.scenario !== 'excess') {
      const wrong = await verifyCompleted(chains, reported).then(() => '', causeOf);
      shown.equal(paymentLabel(payment), wrong, '');
    }
    const { id, wallet, declaration } = acceptanceOf(payment);
    const ledgerPayment = {
      wallet,
      declaration,
      destination: payment.destination,
      deposits: payment.deposits,
    };
    const database = databaseLedger(id, rows);
    const chain: TokenLedger = new Map();
    for (const record of records) addTo(chain, await chainLedger(ledgerPayment, record));
    const wrong = [...differences(chain, database), ...leaks(chain)];
    sums.holds(paymentLabel(payment), wrong.length === 0, wrong);
    addTo(onChain, chain);
    addTo(inDatabases, database);
  }
  await orders.verifyEscrows(records);
  return { onChain, inDatabases };
}

/** Verifies that a provider delivers each paid order with one transfer. */
async function verifyDeliveries(
  findings: Findings,
  db: Superuser,
  payments: readonly TestPayment[],
  records: readonly ChainRecord[],
): Promise<void> {
  const claim = findings.claim('every onramp order is delivered once');
  const wallets = await db.rows<{ address: string }>(
    'SELECT DISTINCT lower(address) AS address FROM sandbox_provider.wallets',
  );
  const providers = new Set(wallets.map(({ address }) => address));
  for (const payment of payments.filter(({ accepted }) => accepted?.payment.quoted.onramp)) {
    const { id, wallet } = acceptanceOf(payment);
    const transfers = records
      .flatMap((record) => record.transfers)
      .filter(({ from, to }) => providers.has(from) && to === wallet.toLowerCase());
    const orders = await db.count('sandbox_provider.orders WHERE partner_order_id = $1', id);
    claim.equal(`${paymentLabel(payment)} transfers`, transfers.length, 1);
    claim.equal(`${paymentLabel(payment)} orders`, orders, 1);
  }
}
