import { currentTraceparent, ServiceContext, WakeSignal } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import type { DataSource, QueryRunner } from 'typeorm';
import { DueWorker, type DueWorkerOptions } from './due-worker.js';
import { ForwardMigration } from './forward-migration.js';
import {
  PATHS,
  persistenceFixture,
  type PersistenceFixture,
} from './testing/persistence.fixture.js';

class CreateTasks1760000000100 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE tasks (
        id int PRIMARY KEY,
        due_at timestamptz,
        runs int NOT NULL DEFAULT 0,
        kind text NOT NULL DEFAULT 'plain'
      )`,
    );
    await queryRunner.query(`CREATE INDEX tasks_due_at_idx ON tasks (due_at)`);
  }
}

interface Task {
  id: number;
  due_at: Date;
}

describe.each(PATHS)('DueWorker, connected $path', ({ behindPooler }) => {
  let fixture: PersistenceFixture;
  let workers: DueWorker<Task>[] = [];
  beforeAll(async () => {
    fixture = await persistenceFixture('tasks', {
      migrations: [CreateTasks1760000000100],
      behindPooler,
    });
  });
  beforeEach(() => fixture.dataSource.query('TRUNCATE tasks'));
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  });
  afterAll(() => fixture.close());

  const context = (): ServiceContext =>
    new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });

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
      context: context(),
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

  it('claims at most a batch, oldest first, and as many as it has room for', async () => {
    await insert(5);
    await fixture.dataSource.query(`UPDATE tasks SET due_at = now() - id * interval '1 minute'`);
    const query = jest.spyOn(fixture.dataSource, 'query');
    const handled: number[] = [];
    const finish: (() => void)[] = [];
    const claiming = worker({
      batchSize: 2,
      concurrency: 3,
      pollMs: 60_000,
      handle: async (row) => {
        handled.push(row.id);
        await new Promise<void>((resolve) => finish.push(resolve));
        await done(row);
      },
    });
    claiming.start();
    await eventually(() => expect(handled).toHaveLength(3));
    expect(handled.slice(0, 2).sort()).toEqual([4, 5]);
    expect(handled[2]).toBe(3);
    await eventually(async () => {
      for (const end of finish.splice(0)) end();
      expect(await runs()).toEqual([1, 1, 1, 1, 1]);
    });
    const limits = query.mock.calls
      .filter(([sql]) => sql.includes('SKIP LOCKED'))
      .map(([, values]) => (values as number[])[1]);
    query.mockRestore();
    expect(limits.slice(0, 2)).toEqual([2, 1]);
    expect(limits).not.toContain(0);
  });

  it('claims again at once after a full batch, and waits after another', async () => {
    await insert(25);
    const wait = jest.spyOn(WakeSignal.prototype, 'wait');
    worker({ batchSize: 10, concurrency: 100, pollMs: 60_000, handle: done }).start();
    await eventually(async () => expect(await runs()).not.toContain(0));
    await eventually(() => expect(wait.mock.calls).toEqual([[60_000]]));
    wait.mockRestore();
  });

  it('claims by another key and a condition, and returns the selected columns', async () => {
    await insert(3);
    await fixture.dataSource.query(`UPDATE tasks SET kind = 'special' WHERE id > 1`);
    const rows: object[] = [];
    worker({
      select: 'id, kind',
      idColumn: 'id',
      where: `kind = 'special' OR kind = 'other'`,
      handle: (row) => {
        rows.push(row);
        return Promise.resolve();
      },
    }).start();
    await eventually(() => expect(rows).toHaveLength(2));
    expect(rows).toEqual(
      expect.arrayContaining([
        { id: 2, kind: 'special' },
        { id: 3, kind: 'special' },
      ]),
    );
    expect(await fixture.dataSource.query('SELECT id FROM tasks WHERE due_at <= now()')).toEqual([
      { id: 1 },
    ]);
  });

  it('keeps room for others beside a holder with many due rows', async () => {
    await insert(20);
    await fixture.dataSource.query(`UPDATE tasks SET kind = 'other' WHERE id > 19`);
    // The flood is due first.
    await fixture.dataSource.query(
      `UPDATE tasks SET due_at = now() - interval '1 hour' WHERE id < 20`,
    );
    const running = new Map<string, number>();
    let held = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let most = 0;
    worker({
      pollMs: 60_000,
      holders: { column: 'kind', most: 2 },
      handle: async (row) => {
        const { kind } = row as Task & { kind: string };
        running.set(kind, (running.get(kind) ?? 0) + 1);
        most = Math.max(most, running.get('plain') ?? 0);
        if (kind === 'plain') {
          held += 1;
          await released;
        }
        await done(row);
        running.set(kind, (running.get(kind) ?? 0) - 1);
      },
    }).start();
    try {
      await eventually(async () => expect((await runs()).at(-1)).toBe(1));
      expect(held).toBe(2);
    } finally {
      release();
    }
    await eventually(async () => expect(await runs()).not.toContain(0));
    expect(most).toBe(2);
  });

  it('leaves rows alone that are not due', async () => {
    await insert(2);
    await fixture.dataSource.query(
      `UPDATE tasks SET due_at = now() + interval '1 hour' WHERE id = 1`,
    );
    const handled: number[] = [];
    worker({
      handle: async (row) => {
        handled.push(row.id);
        await done(row);
      },
    }).start();
    await eventually(async () => expect(await runs()).toEqual([0, 1]));
    expect(handled).toEqual([2]);
  });

  it('counts what it handles', async () => {
    await insert(3);
    const created = context();
    const error = jest.spyOn(created.logger, 'error');
    const broken = new Error('broken');
    worker({
      context: created,
      handle: (row) => (row.id === 1 ? Promise.reject(broken) : done(row)),
    }).start();
    await eventually(async () => {
      expect(await runs()).toEqual([0, 1, 1]);
      const metrics = await created.metrics.metrics();
      expect(metrics).toContain('due_worker_handled_total{worker="tasks",outcome="done"} 2');
      expect(metrics).toContain('due_worker_handled_total{worker="tasks",outcome="failed"} 1');
      expect(metrics).toContain('due_worker_in_flight{worker="tasks"} 0');
      expect(metrics).toContain('due_worker_duration_seconds_count{worker="tasks"} 3');
      expect(metrics).toContain('due_worker_duration_seconds_bucket{le="30",worker="tasks"} 3');
    });
    expect(error.mock.calls).toEqual([
      [{ err: broken, worker: 'tasks' }, 'handler of a due row failed'],
    ]);
  });

  it('shows the rows in progress, and shares its metrics with other workers', async () => {
    await insert(1);
    const created = context();
    let finish = (): void => undefined;
    worker({
      context: created,
      handle: async (row) => {
        await new Promise<void>((resolve) => (finish = resolve));
        await done(row);
      },
    }).start();
    worker({ name: 'others', context: created, handle: done });
    await eventually(async () => {
      expect(await created.metrics.metrics()).toContain('due_worker_in_flight{worker="tasks"} 1');
    });
    finish();
    await eventually(async () => expect(await runs()).toEqual([1]));
  });

  it('goes on after claims that failed, each after a longer pause', async () => {
    const created = context();
    const warn = jest.spyOn(created.logger, 'warn');
    const wait = jest.spyOn(WakeSignal.prototype, 'wait').mockImplementation(() => nextTurn());
    const failure = new Error('the database is away');
    const query = jest.spyOn(fixture.dataSource, 'query');
    for (let failed = 0; failed < 4; failed += 1) query.mockRejectedValueOnce(failure);
    try {
      const failing = worker({ context: created, pollMs: 1_000, handle: done });
      failing.start();
      await eventually(() => expect(wait.mock.calls.length).toBeGreaterThan(5));
      await failing.stop();
      const pauses = wait.mock.calls.map(([ms]) => ms);
      expect(pauses.slice(0, 6)).toEqual([2_000, 4_000, 5_000, 5_000, 1_000, 1_000]);
      expect(warn.mock.calls).toEqual(
        Array.from({ length: 4 }, () => [
          { err: failure, worker: 'tasks' },
          'claiming due rows failed',
        ]),
      );
    } finally {
      query.mockRestore();
      wait.mockRestore();
    }
  });

  it('is stopped by its service, after its running handlers', async () => {
    await insert(1);
    const created = context();
    const add = jest.spyOn(created.shutdown, 'add');
    let finish: (() => void) | undefined;
    const stopping = worker({
      context: created,
      handle: async (row) => {
        await new Promise<void>((resolve) => (finish = resolve));
        await done(row);
      },
    });
    stopping.start();
    stopping.start();
    expect(add.mock.calls.map(([phase, name]) => [phase, name])).toEqual([
      ['intake', 'worker tasks'],
      ['work', 'worker tasks'],
    ]);
    await eventually(() => expect(finish).toBeDefined());
    const stopped = created.shutdown.run(30_000);
    finish?.();
    await stopped;
    expect(await runs()).toEqual([1]);
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
