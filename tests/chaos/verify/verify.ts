import { setTimeout as delay } from 'node:timers/promises';
import { getPayment } from '../../../tools/first-payment/payments.js';
import { verifyCompleted } from '../../../tools/first-payment/verify-completed.js';
import type { BusyChain } from '../payments/busy-chain.js';
import { causeOf } from '../payments/careful-api.js';
import { acceptanceOf, type Play } from '../payments/play.js';
import type { WebhookInbox } from '../payments/webhook-inbox.js';
import { unfinished, verifyAtRest } from './at-rest.js';
import { addTo, differences, leaks, type Book } from './books.js';
import { chainBook } from './chain-book.js';
import { readChain, type ChainRecord } from './chain-record.js';
import { databaseBook } from './database-book.js';
import { readDatabases, type Databases, type Superuser } from './databases.js';
import { Findings } from './findings.js';
import { named } from './named.js';
import { Orders } from './orders.js';
import { Payouts } from './payouts.js';
import { verifyWebhooks } from './webhooks.js';
import { Withdrawals } from './withdrawals.js';

/** A webhook that was refused or cut off comes again after a minute, and after five more if that fails too. */
const REST_MS = 420_000;

export interface Evidence {
  plays: readonly Play[];
  chains: readonly BusyChain[];
  /** By chain: where the first play began. */
  fromBlocks: ReadonlyMap<string, bigint>;
  inbox: WebhookInbox;
  db: Superuser;
}

export interface Verdict {
  findings: Findings;
  onChain: Book;
  inDatabases: Book;
}

/** Waits until nothing is left to do, then compares all that was promised with the chains and the databases. */
export async function verify(evidence: Evidence): Promise<Verdict> {
  const { db, chains, fromBlocks, inbox } = evidence;
  const findings = new Findings();
  await rest(db);
  const promised = findings.claim('players get what they were promised, in time');
  for (const play of evidence.plays)
    promised.holds(named(play), play.problem === null, play.problem);
  const plays = evidence.plays.filter(({ accepted }) => accepted !== null);
  const rows = await readDatabases(
    db,
    plays.map((play) => acceptanceOf(play).id),
  );
  const records = await Promise.all(
    chains.map((chain) => readChain(chain, fromBlocks.get(chain.name) ?? 0n)),
  );
  const books = await verifyPlays(findings, plays, { chains, records, rows });
  verifyWebhooks(findings, plays, inbox, rows);
  await verifyDeliveries(findings, db, plays, records);
  await verifyAtRest(findings, db, chains);
  return { findings, ...books };
}

async function rest(db: Superuser): Promise<void> {
  const deadline = Date.now() + REST_MS;
  while ((await unfinished(db)).length > 0 && Date.now() < deadline) await delay(500);
}

interface Seen {
  chains: readonly BusyChain[];
  records: readonly ChainRecord[];
  rows: Databases;
}

async function verifyPlays(
  findings: Findings,
  plays: readonly Play[],
  { chains, records, rows }: Seen,
): Promise<Pick<Verdict, 'onChain' | 'inDatabases'>> {
  const ended = findings.claim('accepted payments are terminal or correctly waiting');
  const shown = findings.claim('completed payments show what the chain says');
  const sums = findings.claim('every wallet adds up, on chain and in the databases alike');
  const payouts = new Payouts(findings);
  const orders = new Orders(findings);
  const withdrawals = new Withdrawals(findings);
  const onChain: Book = new Map();
  const inDatabases: Book = new Map();
  for (const play of plays) {
    const payment = await getPayment(play.organisation.api, acceptanceOf(play).id);
    ended.holds(named(play), play.expected.includes(payment.status), {
      is: payment.status,
      expected: play.expected,
    });
    await payouts.verify(play, payment.status, records);
    orders.verify(play, payment.status, records, rows);
    for (const record of records) withdrawals.verify(play, record, rows);
    // What is sent in excess is neither paid out nor a fee, so fees do not explain it.
    if (payment.status === 'COMPLETE' && play.kind !== 'excess') {
      const wrong = await verifyCompleted(chains, payment).then(() => '', causeOf);
      shown.equal(named(play), wrong, '');
    }
    const { id, wallet, declaration } = acceptanceOf(play);
    const booked = { wallet, declaration, destination: play.destination, deposits: play.deposits };
    const database = databaseBook(id, rows);
    const chain: Book = new Map();
    for (const record of records) addTo(chain, await chainBook(booked, record));
    const wrong = [...differences(chain, database), ...leaks(chain)];
    sums.holds(named(play), wrong.length === 0, wrong);
    addTo(onChain, chain);
    addTo(inDatabases, database);
  }
  await orders.verifyEscrows(records);
  return { onChain, inDatabases };
}

/** A provider delivers what was paid once: one order, one transfer. */
async function verifyDeliveries(
  findings: Findings,
  db: Superuser,
  plays: readonly Play[],
  records: readonly ChainRecord[],
): Promise<void> {
  const claim = findings.claim('every onramp order is delivered once');
  const wallets = await db.rows<{ address: string }>(
    'SELECT DISTINCT lower(address) AS address FROM sandbox_provider.wallets',
  );
  const providers = new Set(wallets.map(({ address }) => address));
  for (const play of plays.filter(({ accepted }) => accepted?.payment.quoted.onramp)) {
    const { id, wallet } = acceptanceOf(play);
    const transfers = records
      .flatMap((record) => record.transfers)
      .filter(({ from, to }) => providers.has(from) && to === wallet.toLowerCase());
    const orders = await db.count('sandbox_provider.orders WHERE partner_order_id = $1', id);
    claim.equal(`${named(play)} transfers`, transfers.length, 1);
    claim.equal(`${named(play)} orders`, orders, 1);
  }
}
