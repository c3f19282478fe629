import { setTimeout as delay } from 'node:timers/promises';
import { getPayment } from '../../../../../tools/first-payment/payments.js';
import { verifyCompleted } from '../../../../../tools/first-payment/verify-completed.js';
import type { BusyChain } from '../payments/busy-chain.js';
import { causeOf } from '../payments/careful-api.js';
import { acceptanceOf, type Play } from '../payments/play.js';
import type { WebhookInbox } from '../payments/webhook-inbox.js';
import { unfinished, verifyAtRest } from './at-rest.js';
import { addTo, chainBook, databaseBook, differences, type Book } from './books.js';
import { readChain, type ChainRecord } from './chain-record.js';
import { readDatabases, type Databases, type Superuser } from './databases.js';
import { Findings } from './findings.js';
import { named, Payouts } from './payouts.js';
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
  const books = await verifyPlays(findings, plays, records, rows);
  verifyWebhooks(findings, plays, inbox, rows);
  await verifyOrders(findings, db, plays, records);
  await verifyAtRest(findings, db, chains);
  return { findings, ...books };
}

async function rest(db: Superuser): Promise<void> {
  const deadline = Date.now() + REST_MS;
  while ((await unfinished(db)).length > 0 && Date.now() < deadline) await delay(500);
}

async function verifyPlays(
  findings: Findings,
  plays: readonly Play[],
  records: readonly ChainRecord[],
  rows: Databases,
): Promise<Pick<Verdict, 'onChain' | 'inDatabases'>> {
  const ended = findings.claim('accepted payments are terminal or correctly waiting');
  const shown = findings.claim('completed payments show what the chain says');
  const sums = findings.claim('every wallet adds up, on chain and in the databases alike');
  const payouts = new Payouts(findings);
  const withdrawals = new Withdrawals(findings);
  const onChain: Book = new Map();
  const inDatabases: Book = new Map();
  for (const play of plays) {
    const payment = await getPayment(play.organisation.api, acceptanceOf(play).id);
    ended.holds(named(play), play.expected.includes(payment.status), {
      is: payment.status,
      expected: play.expected,
    });
    for (const record of records) {
      await payouts.verify(play, payment.status, record);
      withdrawals.verify(play, record, rows);
    }
    // What is sent in excess is neither paid out nor a fee, so fees do not explain it.
    if (payment.status === 'COMPLETE' && play.kind !== 'excess') {
      const wrong = await verifyCompleted(play.chain, payment).then(() => '', causeOf);
      shown.equal(named(play), wrong, '');
    }
    const database = databaseBook(play, rows);
    const chain: Book = new Map();
    for (const record of records) addTo(chain, await chainBook(play, record));
    const wrong = [...differences(chain, database), ...leaks(chain)];
    sums.holds(named(play), wrong.length === 0, wrong);
    addTo(onChain, chain);
    addTo(inDatabases, database);
  }
  return { onChain, inDatabases };
}

/** Where more or less is left than came and went. */
const leaks = (book: Book): string[] =>
  [...book]
    .filter(([, { deposits, used, withdrawn, left }]) => deposits - used - withdrawn !== left)
    .map(([token]) => `${token} does not add up on chain`);

/** A provider delivers what was paid once: one order, one transfer. */
async function verifyOrders(
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
  for (const play of plays.filter(({ kind }) => kind === 'onramp')) {
    const { id, wallet } = acceptanceOf(play);
    const transfers = records
      .flatMap((record) => record.transfers)
      .filter(({ from, to }) => providers.has(from) && to === wallet.toLowerCase());
    const orders = await db.count('sandbox_provider.orders WHERE partner_order_id = $1', id);
    claim.equal(`${named(play)} transfers`, transfers.length, 1);
    claim.equal(`${named(play)} orders`, orders, 1);
  }
}
