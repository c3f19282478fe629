import { runMigrationsOf } from '@bascule/persistence';
import type { ServiceContext } from '@bascule/process';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { entities, migrations } from '../persistence/persistence.config.js';
import { ORG_ID } from '../testing/a-quote.fixture.js';
import { insertUnfunded } from '../testing/unfunded-payments.fixture.js';
import { NATIVE_SEARCH_COLUMNS, NativeSearchesRepository } from './native-searches.repository.js';
import type { NativeLook, NativeSearch, UnexplainedBalance } from './native-searches.repository.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import { endsBefore } from './scanned-chain.js';
import type { WalletEnd } from './scanned-chain.js';

const CHAIN = 'alphanet';

describe('the rows of searches for native money', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  let metrics: Registry;
  let searches: NativeSearchesRepository;

  beforeAll(async () => {
    database = await createServiceDatabase('payment');
    await runMigrationsOf({ database: database.database, entities, migrations });
    dataSource = await new DataSource({
      type: 'postgres',
      url: database.adminUrl,
      extra: { options: '-c search_path=payment' },
    }).initialize();
  });
  beforeEach(async () => {
    await dataSource.query('TRUNCATE native_searches');
    metrics = new Registry();
    searches = new NativeSearchesRepository(dataSource, { metrics } as ServiceContext);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const note = (height: bigint, look: Partial<NativeLook>) =>
    dataSource.transaction((manager) =>
      searches.note(manager, CHAIN, {
        ...{ unexplained: [], explained: [], cleared: [], isOfAll: true },
        comparedTo: endsBefore(new Date(0)),
        ...look,
        height,
      }),
    );
  const seen = (
    paymentId: string,
    balance: bigint,
    over: Partial<UnexplainedBalance> = {},
  ): Partial<NativeLook> => ({
    unexplained: [{ paymentId, balance, lowest: balance, isLast: false, mayFund: true, ...over }],
  });
  /** Takes the row as a turn does. */
  const rowOf = async (paymentId: string): Promise<NativeSearch> => {
    const sql = `SELECT ${NATIVE_SEARCH_COLUMNS} FROM native_searches WHERE payment_id = $1`;
    const [row]: NativeSearch[] = await dataSource.query(sql, [paymentId]);
    if (row === undefined) throw new Error('no row');
    return row;
  };
  const residueOf = async (paymentId: string): Promise<string | undefined> => {
    const sql = 'SELECT residue::text FROM native_searches WHERE payment_id = $1';
    const [row]: { residue: string }[] = await dataSource.query(sql, [paymentId]);
    return row?.residue;
  };
  const isHeld = async (paymentId: string) => (await searches.chainsHeld(paymentId)).has(CHAIN);

  it('go on with the balance of a node that tells less, whatever another one has invented', async () => {
    const id = uuidv7();
    const invented = 10n ** 30n;
    await note(10n, seen(id, invented, { lowest: 0n, mayFund: false }));
    await note(11n, seen(id, invented, { lowest: 0n, mayFund: false }));
    expect(await rowOf(id)).toMatchObject({ height: '10' });
    await note(12n, seen(id, invented, { lowest: 5n }));
    expect(await rowOf(id)).toMatchObject({ height: '12' });
    expect(await isHeld(id)).toBe(true);
    // The scanned node may hide the money again: the deadline waits until it is explained.
    await note(13n, seen(id, invented, { lowest: 0n, mayFund: false }));
    expect(await rowOf(id)).toMatchObject({ height: '13' });
    expect(await isHeld(id)).toBe(true);
  });

  it('hold no deadline for a balance that would not fund the payment, until it would', async () => {
    const id = uuidv7();
    await note(10n, seen(id, 5n, { mayFund: false }));
    expect(await isHeld(id)).toBe(false);
    await note(11n, seen(id, 9n, { isLast: true }));
    expect(await isHeld(id)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ height: '11', balance: '9' });
  });

  it('keep a balance in time until it is explained', async () => {
    const id = uuidv7();
    await note(10n, seen(id, 5n));
    await note(11n, seen(id, 6n));
    await note(12n, seen(id, 6n));
    await note(13n, seen(id, 7n, { isLast: true }));
    expect(await rowOf(id)).toMatchObject({ height: '11', balance: '6' });
    await searches.end(await rowOf(id), 0n);
    await note(14n, seen(id, 7n, { isLast: true }));
    expect(await rowOf(id)).toMatchObject({ height: '14', isExplained: false });
    expect(await isHeld(id)).toBe(true);
    await searches.end(await rowOf(id), 0n);
    await note(15n, seen(id, 8n, { isLast: true }));
    expect(await isHeld(id)).toBe(false);
  });

  it('go on after a turn that began before a higher balance was noted', async () => {
    const id = uuidv7();
    await note(10n, seen(id, 5n));
    const turn = await rowOf(id);
    await note(11n, seen(id, 6n));
    await searches.end(turn, 3n);
    expect(await rowOf(id)).toMatchObject({ height: '11', isExplained: false });
    expect(await residueOf(id)).toBe('0');
    const due = 'SELECT FROM native_searches WHERE payment_id = $1 AND due_at <= now()';
    expect(await dataSource.query(due, [id])).toHaveLength(1);
  });

  it('forget money without a rise once a look shows another amount, or none', async () => {
    const id = uuidv7();
    for (const look of [seen(id, 6n), { cleared: [id] }]) {
      await dataSource.query('TRUNCATE native_searches');
      await note(10n, seen(id, 5n));
      await searches.end(await rowOf(id), 5n);
      expect(await residueOf(id)).toBe('5');
      await note(11n, look);
      expect(await residueOf(id)).toBe('0');
    }
  });

  const inTurn = async (): Promise<string[]> => {
    const rows: { id: string }[] = await dataSource.query(
      'SELECT payment_id AS id FROM native_searches WHERE due_at <= now() ORDER BY due_at',
    );
    return rows.map(({ id }) => id);
  };

  it('come first where they are new and may fund a payment', async () => {
    const [dust, fundable] = [uuidv7(), uuidv7()];
    await note(10n, seen(dust, 1n, { mayFund: false }));
    await note(11n, seen(fundable, 9n));
    expect(await inTurn()).toEqual([fundable, dust]);
  });

  it('come first once dust has become money that may fund a payment, turn after turn', async () => {
    const [others, dusted] = [[uuidv7(), uuidv7()], uuidv7()];
    for (const id of others) await note(10n, seen(id, 1n, { mayFund: false }));
    await note(10n, seen(dusted, 1n, { mayFund: false }));
    expect(await inTurn()).toEqual([...others, dusted]);
    await note(11n, seen(dusted, 9n));
    expect(await inTurn()).toEqual([dusted, ...others]);
    await searches.requeue(await rowOf(dusted));
    expect(await inTurn()).toEqual([dusted, ...others]);
    const turn = await rowOf(dusted);
    await note(12n, seen(dusted, 10n));
    await searches.end(turn, 0n);
    expect(await inTurn()).toEqual([dusted, ...others]);
    await dataSource.query(
      "UPDATE native_searches SET due_at = due_at - interval '11 minutes' WHERE payment_id = $1",
      [others[0]],
    );
    expect(await inTurn()).toEqual([others[0], dusted, others[1]]);
  });

  it('have balances compared only for payments that may still be funded', async () => {
    await insertUnfunded(dataSource, { orgId: ORG_ID, visitor: null, count: 1 });
    const [payment]: { id: string }[] = await dataSource.query('SELECT id FROM payments');
    const id = payment?.id ?? '';
    await note(10n, seen(id, 5n));
    expect(await searches.isHolding(CHAIN)).toBe(true);
    await dataSource.query('UPDATE payments SET funded_in_full_at = now()');
    expect(await searches.isHolding(CHAIN)).toBe(false);
  });

  it('are on a metric beside the time for which no balances of ended fundings were compared', async () => {
    await dataSource.query(
      `INSERT INTO chain_cursors (chain, block_number, block_hash, block_timestamp, epoch,
         confirmed_block_number, confirmed_block_timestamp, compared_fund_by, compared_payment_id)
       VALUES ($1, 7, '0x', now(), 1, 7, now(), now() - interval '700 s', $2)`,
      [CHAIN, uuidv7()],
    );
    const shown = () => metrics.getSingleMetricAsString('payment_native_uncompared_seconds');
    expect(await shown()).toMatch(/payment_native_uncompared_seconds\{chain="alphanet"\} 700$/);
    await dataSource.query('DELETE FROM chain_cursors');
  });

  it('come with the time since which no node tells balances, which a scan that catches up keeps', async () => {
    const cursors = new ScanCursorRepository(dataSource);
    const timestamp = new Date();
    const confirm = async (number: bigint, comparedTo: WalletEnd | null, isFarBehind = false) => {
      const final = { number, timestamp, comparedTo, isFarBehind };
      await cursors.confirm(dataSource.manager, CHAIN, 1n, final);
      const [row]: { since: Date | null }[] = await dataSource.query(
        'SELECT uncompared_since AS since FROM chain_cursors',
      );
      return row?.since ?? null;
    };
    const block = { number: 7n, hash: '0x', timestamp } as const;
    const source = { readFrom: 'node', retention: 100n };
    await cursors.advance(dataSource.manager, CHAIN, 1n, [block], source);
    expect(await confirm(7n, endsBefore(timestamp))).toBeNull();
    const since = await confirm(8n, null);
    expect(since).not.toBeNull();
    expect(await confirm(9n, null, true)).toEqual(since);
    expect(await confirm(10n, null)).toEqual(since);
    expect(await confirm(11n, endsBefore(timestamp), true)).toBeNull();
    expect(await confirm(12n, null, true)).toBeNull();
    await dataSource.query('DELETE FROM chain_cursors');
    await dataSource.query('DELETE FROM scanned_blocks');
  });

  it('are on a metric, also where they hold nothing', async () => {
    const id = uuidv7();
    await note(10n, seen(id, 1n, { mayFund: false }));
    await dataSource.query("UPDATE native_searches SET noted_at = now() - interval '1 hour'");
    const shown = () => metrics.getSingleMetricAsString('payment_native_search_seconds');
    expect(await shown()).toMatch(/payment_native_search_seconds\{chain="alphanet"\} 36\d\d/);
    const turn = await rowOf(id);
    await note(11n, seen(id, 2n, { mayFund: false }));
    // A search that gets on is not stuck.
    await searches.end(turn, 0n);
    expect(await shown()).toMatch(/payment_native_search_seconds\{chain="alphanet"\} 0/);
    await searches.end(await rowOf(id), 0n);
    expect(await shown()).not.toContain('alphanet');
  });
});
