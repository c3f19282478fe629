import { createEnvelope } from '../envelope/envelope.js';
import { TOPICS } from '@bascule/contracts';
import { messagingFixture, type MessagingFixture, runOperator } from '@bascule/messaging-testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Outbox } from '../outbox/outbox.js';
import { DeadLetterRetention } from './dead-letter-retention.js';
import { DeadLetterWriter } from './dead-letter-writer.js';
import { DeadLetters } from './dead-letters.js';

const ORIGIN = { source: 'payment', environment: 'test' };

describe('dead letters', () => {
  let fixture: MessagingFixture;
  let letters: DeadLetters;
  beforeAll(async () => {
    fixture = await messagingFixture('quote');
    letters = new DeadLetters(fixture.dataSource);
  });
  afterEach(() =>
    fixture.dataSource.query('TRUNCATE dead_letters, parked_events, outbox, projection_state'),
  );
  afterAll(() => fixture.close());

  const envelope = createEnvelope(
    { topic: TOPICS.payment, type: 'payment.failed', key: 'p1', data: { version: 3 } },
    ORIGIN,
  );

  const bury = (offset: number, value = JSON.stringify(envelope), attempts = 8): Promise<void> =>
    fixture.dataSource.transaction((manager) =>
      new DeadLetterWriter(
        new Outbox({ source: 'quote', environment: 'test' }, { wake: () => undefined }),
        'quote',
      ).write(
        manager,
        {
          topic: TOPICS.payment.name,
          partition: 2,
          offset: String(offset),
          key: 'p1',
          headers: { traceparent: '00-a-b-01' },
          value: Buffer.from(value),
          attempts,
        },
        'Error: no such leg',
      ),
    );

  const ids = async (all = false): Promise<string[]> =>
    (await letters.list({ limit: 100, all })).map(({ id }) => id);

  const parked = (): Promise<unknown[]> =>
    fixture.dataSource.query('SELECT key, attempts, reason FROM parked_events');

  const operator = (...args: string[]) =>
    runOperator('parked/dead-letters.command.ts', [...args, '--service', 'quote'], {
      DATABASE_URL: fixture.database.url,
    });

  it('are announced by an event in the transaction that writes them, each time', async () => {
    await bury(1);
    await letters.replay((await ids())[0] ?? '', 'somebody');
    await bury(1);
    const rows: { key: string; topic: string; envelope: string }[] = await fixture.dataSource.query(
      'SELECT key, topic, envelope FROM outbox ORDER BY id',
    );
    const [id] = await ids();
    expect(rows.map(({ key }) => key)).toEqual([`quote/${id}`, `quote/${id}`]);
    expect(rows.map((row): unknown => JSON.parse(row.envelope))).toMatchObject(
      [1, 2].map((version) => ({
        type: 'dead-letter.recorded',
        source: 'quote',
        dataschema: 'bascule:bascule.dead-letter:1',
        data: { version, service: 'quote', id, topic: TOPICS.payment.name, key: 'p1', attempts: 8 },
      })),
    );
  });

  it('are listed page by page as JSON lines, newest first', async () => {
    for (let offset = 1; offset <= 5; offset += 1) await bury(offset);
    const first = await operator('list', '--limit', '2');
    expect(first.lines).toMatchObject([
      { offset: '5' },
      { offset: '4', reason: 'Error: no such leg' },
    ]);
    const next = /--before (\d+)/.exec(first.stderr)?.[1] ?? '';
    const second = await operator('list', '--limit', '3', '--before', next);
    expect(second.lines).toMatchObject([{ offset: '3' }, { offset: '2' }, { offset: '1' }]);
    expect(second.status).toBe(0);
  });

  it('are shown with value, headers, reason and attempts', async () => {
    await bury(1);
    await bury(2, '{"specversion"', 0);
    const [unreadable = '', readable = ''] = await ids();
    const { lines, status } = await operator('show', readable, unreadable);
    expect(lines).toMatchObject([
      { value: envelope, headers: { traceparent: '00-a-b-01' }, attempts: 8 },
      { value: '{"specversion"', attempts: 0, reason: 'Error: no such leg' },
    ]);
    expect(status).toBe(0);
    expect(await operator('show', '999999')).toMatchObject({ status: 1 });
  });

  it('are replayed once, into the queue of their key', async () => {
    await bury(1);
    const [id = ''] = await ids();
    expect((await operator('replay', id)).lines).toEqual([{ id, outcome: 'done' }]);
    expect(await parked()).toEqual([{ key: 'p1', attempts: 0, reason: 'replayed' }]);
    const again = await operator('replay', id, '999999');
    expect(again.lines).toEqual([
      { id, outcome: 'replayed already' },
      { id: '999999', outcome: 'not found' },
    ]);
    expect(again.status).toBe(1);
    expect(await ids()).toEqual([]);
    expect(await letters.discard(id, 'somebody')).toBe('replayed already');
  });

  it('wait again when a replay fails', async () => {
    await bury(1);
    const [id = ''] = await ids();
    await letters.replay(id, 'somebody');
    await bury(1);
    expect(await letters.list({ limit: 1 })).toMatchObject([
      { id, replayedAt: null, resolvedBy: null },
    ]);
  });

  it('stay unchanged when their record is redelivered', async () => {
    await bury(1);
    await bury(2);
    const [discarded = '', waiting = ''] = await ids();
    await letters.discard(discarded, 'somebody');
    await bury(1);
    await bury(2);
    expect(await ids()).toEqual([waiting]);
    expect(await fixture.dataSource.query('SELECT DISTINCT deaths FROM dead_letters')).toEqual([
      { deaths: 1 },
    ]);
    expect(await fixture.dataSource.query('SELECT 1 FROM outbox')).toHaveLength(2);
  });

  it('are separate when another log has the same offset', async () => {
    await bury(1);
    await bury(1, JSON.stringify({ ...envelope, data: { version: 4 } }));
    const [later = '', earlier = ''] = await ids();
    expect((await letters.show(later))?.value).toMatchObject({ data: { version: 4 } });
    expect((await letters.show(earlier))?.value).toMatchObject({ data: { version: 3 } });
  });

  it('are not replayed once they are older than the inbox retention, unless they feed a projection', async () => {
    const time = new Date(Date.now() - 100 * 86_400_000).toISOString();
    await bury(1, JSON.stringify({ ...envelope, time }));
    const [id = ''] = await ids();
    expect((await operator('replay', id)).lines).toEqual([{ id, outcome: 'too old' }]);
    expect(await ids()).toEqual([id]);
    expect(await parked()).toEqual([]);
    await fixture.dataSource.query('INSERT INTO projection_state (topic, tables) VALUES ($1, $2)', [
      TOPICS.payment.name,
      [],
    ]);
    expect(await letters.replay(id, 'somebody')).toBe('done');
  });

  it('are discarded with the name of the actor, and remain visible', async () => {
    await bury(1);
    const [id = ''] = await ids();
    expect((await operator('discard', id)).lines).toEqual([{ id, outcome: 'done' }]);
    expect(await ids()).toEqual([]);
    const { lines } = await operator('list', '--all');
    expect(lines).toMatchObject([
      { id, discardedAt: expect.any(String), resolvedBy: expect.stringMatching(/^operator ./) },
    ]);
    expect(await letters.replay(id, 'somebody')).toBe('discarded already');
    expect(await parked()).toEqual([]);
  });

  it('are deleted months after they were resolved, and never while they wait', async () => {
    for (const offset of [1, 2, 3]) await bury(offset);
    const [waiting = '', old = '', recent = ''] = await ids();
    await letters.discard(old, 'somebody');
    await letters.discard(recent, 'somebody');
    await fixture.dataSource.query(
      `UPDATE dead_letters SET dead_at = now() - interval '200 days',
         discarded_at = discarded_at - CASE WHEN id = $1 THEN interval '91 days' ELSE interval '89 days' END`,
      [old],
    );
    expect(await new DeadLetterRetention(fixture.dataSource).apply()).toBe(1);
    expect(await ids(true)).toEqual([waiting, recent]);
  });

  it.each([
    [['show', 'x'], 'dead-letters: not a whole number: id x\n'],
    [['replay'], 'dead-letters: the ids are missing; `list` shows them\n'],
    [['bury', '1'], 'dead-letters: unknown command: bury\n'],
    [['list', '--limit', 'all'], 'dead-letters: not a whole number: --limit all\n'],
  ])('reject invalid arguments: %s', async (args, message) => {
    expect(await operator(...args)).toMatchObject({ status: 2, stderr: message });
  });

  it('name the unreachable database without its password', async () => {
    const url = new URL(fixture.database.url);
    url.port = '1';
    const { status, stderr } = await runOperator(
      'parked/dead-letters.command.ts',
      ['list', '--service', 'quote'],
      { DATABASE_URL: url.href },
    );
    expect(stderr).toBe(`dead-letters: no answer from ${url.host} (ECONNREFUSED)\n`);
    expect(status).toBe(1);
  });
});
