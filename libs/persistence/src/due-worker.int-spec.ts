import { currentTraceparent, ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource, QueryRunner } from 'typeorm';
import { DueWorker, type DueWorkerOptions } from './due-worker.js';
import { ForwardMigration } from './forward-migration.js';
import { persistenceFixture, type PersistenceFixture } from './testing/persistence.fixture.js';

class CreateTasks1760000000100 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE tasks (id int PRIMARY KEY, due_at timestamptz, runs int NOT NULL DEFAULT 0)`,
    );
    await queryRunner.query(`CREATE INDEX tasks_due_at_idx ON tasks (due_at)`);
  }
}

interface Task {
  id: number;
  due_at: Date;
}

describe('DueWorker', () => {
  let fixture: PersistenceFixture;
  let workers: DueWorker<Task>[] = [];
  beforeAll(async () => {
    fixture = await persistenceFixture('tasks', { migrations: [CreateTasks1760000000100] });
  });
  beforeEach(() => fixture.dataSource.query('TRUNCATE tasks'));
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  });
  afterAll(() => fixture.close());

  function worker(
    options: Partial<DueWorkerOptions<Task>> & Pick<DueWorkerOptions<Task>, 'handle'>,
    dataSource: DataSource = fixture.dataSource,
  ): DueWorker<Task> {
    const created = new DueWorker<Task>({
      name: 'tasks',
      dataSource,
      table: 'tasks',
      batchSize: 10,
      concurrency: 4,
      leaseMs: 60_000,
      pollMs: 20,
      context: new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' }),
      ...options,
    });
    workers.push(created);
    return created;
  }

  const insert = (count: number): Promise<unknown> =>
    fixture.dataSource.query(
      'INSERT INTO tasks (id, due_at) SELECT n, now() FROM generate_series(1, $1) n',
      [count],
    );

  const done = async ({ id }: Task): Promise<void> => {
    await fixture.dataSource.query(
      'UPDATE tasks SET due_at = NULL, runs = runs + 1 WHERE id = $1',
      [id],
    );
  };

  const runs = async (): Promise<number[]> => {
    const rows: { runs: number }[] = await fixture.dataSource.query(
      'SELECT runs FROM tasks ORDER BY id',
    );
    return rows.map((row) => row.runs);
  };

  it('handles each due row once although several processes claim', async () => {
    await insert(200);
    const other = await fixture.anotherDataSource();
    worker({ handle: done }).start();
    worker({ handle: done }, other).start();
    await eventually(async () => {
      expect(await runs()).toEqual(Array.from({ length: 200 }, () => 1));
    });
  });

  it('never exceeds its concurrency', async () => {
    await insert(30);
    let running = 0;
    let most = 0;
    worker({
      concurrency: 3,
      handle: async (row) => {
        running += 1;
        most = Math.max(most, running);
        await done(row);
        running -= 1;
      },
    }).start();
    await eventually(async () => {
      expect(await runs()).not.toContain(0);
    });
    expect(most).toBe(3);
  });

  it('retries a failed row when its lease ends', async () => {
    await insert(1);
    let attempts = 0;
    worker({
      leaseMs: 3_000,
      handle: async (row) => {
        attempts += 1;
        if (attempts < 3) throw new Error('not yet');
        await done(row);
      },
    }).start();
    await eventually(async () => {
      expect(await runs()).toEqual([1]);
    });
    expect(attempts).toBe(3);
  });

  it('hands the row of a killed process to another one', async () => {
    await insert(1);
    // A killed process: it claimed the row, and its handler never returns.
    const killed = worker({ leaseMs: 4_000, handle: () => new Promise(() => undefined) });
    killed.start();
    await eventually(async () => {
      expect(
        await fixture.dataSource.query('SELECT 1 FROM tasks WHERE due_at > now()'),
      ).toHaveLength(1);
    });
    workers = [];
    void killed.stop();
    worker({ handle: done }).start();
    expect(await runs()).toEqual([0]);
    await eventually(async () => {
      expect(await runs()).toEqual([1]);
    });
  });

  it('polls at once when it is woken', async () => {
    const woken = worker({ pollMs: 60_000, handle: done });
    woken.start();
    await insert(1);
    woken.wake();
    await eventually(async () => {
      expect(await runs()).toEqual([1]);
    });
  });

  it('waits for running handlers when it stops', async () => {
    await insert(1);
    let finish: () => void = () => undefined;
    let started = false;
    const stopping = worker({
      handle: async (row) => {
        started = true;
        await new Promise<void>((resolve) => (finish = resolve));
        await done(row);
      },
    });
    stopping.start();
    await eventually(() => {
      expect(started).toBe(true);
    });
    const stopped = stopping.stop();
    finish();
    await stopped;
    expect(await runs()).toEqual([1]);
  });

  it('handles a row in its own trace, and a row without one in none', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const seen = new Map<number, string | undefined>();
    worker({
      traceparentOf: ({ id }) => (id === 1 ? traceparent : null),
      handle: async ({ id }) => {
        await fixture.dataSource.query('UPDATE tasks SET due_at = NULL WHERE id = $1', [id]);
        seen.set(id, currentTraceparent());
      },
    }).start();
    await insert(2);
    await eventually(() => expect(seen.size).toBe(2));
    expect([seen.get(1), seen.get(2)]).toEqual([traceparent, undefined]);
  });
});
